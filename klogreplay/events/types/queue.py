"""The queue's own events (scheduling_queue.go, active_queue.go, backoff_queue.go): moves, hints, in-flight lists."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class Moved(SchedulerEvent, tag="moved"):
    """ "Pod moved to an internal scheduling queue", and its variants.

    `event` is the label (for the struct of 1.26–1.27 its Label). `queue` is "Active", "Backoff" or "Unschedulable".
    `hint` is "skip", "after-backoff" or "immediately", translated from word (1.28) or number (1.29+), None where the
    line has none. `plugins` is the rejector set where printed (None otherwise), `cycle` schedulingCycle where printed.
    `variant` is "plain", "gated" (… because the pod is gated) or "updated" (… because the Pod is updated).
    """

    pod: str
    event: str
    queue: str
    hint: str | None = None
    cycle: int | None = None
    plugins: frozenset[str] | None = None
    variant: str = "plain"


class EventNotHelping(SchedulerEvent, tag="event-not-helping"):
    """ "Event is not making pod schedulable": a parked pod was asked and its hints said skip."""

    pod: str
    event: str


class EventReceived(SchedulerEvent, tag="event-received"):
    """ "Event received while pods are in flight". `pods` is numPods, where printed."""

    event: str
    pods: int | None = None


class InFlightEventsChecked(SchedulerEvent, tag="in-flight-events-checked"):
    """ "Checking events for in-flight pod": rejector set and the sizes of the in-flight bookkeeping."""

    pod: str
    plugins: frozenset[str]
    events_size: int | None = None
    pods_size: int | None = None


class InFlightEventChecked(SchedulerEvent, tag="in-flight-event-checked"):
    """ "Checking event for in-flight pod": one concurrent event was put to the rejectors."""

    pod: str
    event: str


class WorthRequeuing(SchedulerEvent, tag="worth-requeuing"):
    """ "Worth requeuing because …" / "Not worth requeuing …" (V6). `worth` and the reason as printed."""

    pod: str
    worth: bool
    reason: str
    event: str | None = None


class EventOfNoInterest(SchedulerEvent, tag="event-of-no-interest"):
    """ "receive an event that isn't interested by any enabled plugins" (V6, 1.30+)."""

    event: str


class UpdateNotQueued(SchedulerEvent, tag="update-not-queued"):
    """ "The pod doesn't (need to) be queued for now because it's being scheduled …" (V6, 1.31+)."""

    pod: str


class HintFailed(SchedulerEvent, tag="hint-failed"):
    """ "QueueingHintFn returns error" (E)."""

    pod: str | None
    plugin: str | None
    event: str | None
    err: str


class HintLine(SchedulerEvent, tag="hint-line"):
    """A plugin's own line from a hint function: which pod, what it said.

    `worth` is True (queue), False (skip) or None where the message does not tell. `message` is without the logger's
    name. `claims` and `reason` as in `ClaimLine`: lines of DynamicResources' hint functions name them.
    """

    pod: str
    plugin: str
    worth: bool | None
    message: str
    claims: tuple[str, ...] = ()
    reason: str | None = None


class PreEnqueueStatus(SchedulerEvent, tag="pre-enqueue-status"):
    """ "Status after running PreEnqueue plugin": a pod is gated. `status` as printed (may be "{}").

    Also "Unexpected error running PreEnqueue plugin" (E): `status` is the error, and the pod is gated all the same.
    """

    pod: str
    plugin: str | None
    status: str


class FlushedPodBound(SchedulerEvent, tag="flushed-pod-bound"):
    """ "Pod scheduled after flush from unschedulablePods" (V4, 1.36)."""

    pod: str
    plugins: frozenset[str]


class QueueClosed(SchedulerEvent, tag="queue-closed"):
    """ "Scheduling queue is closed"."""
