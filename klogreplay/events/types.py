"""The typed events: what a scheduler's line says about the queue, whatever version printed it.

Every event carries the record's first line number, its time `t` in microseconds on the log's own clock (see
`klogreplay.klog.clock`), the process id printed (None where the dialect prints none), the call site as "file.go:line"
and the first physical line as it stood. Pods are "namespace/name" as printed.
"""

from __future__ import annotations

import msgspec


class SchedulerEvent(msgspec.Struct, gc=False, kw_only=True, tag_field="kind"):
    """What all events have."""

    line: int
    t: int
    pid: int | None
    site: str
    text: str
    source: int = 0


# --- informer handlers (eventhandlers.go) ---------------------------------------------------------------------------


class PodAdded(SchedulerEvent, tag="pod-added"):
    """ "Add event for unscheduled pod"."""

    pod: str


class PodUpdated(SchedulerEvent, tag="pod-updated"):
    """ "Update event for unscheduled pod" (1.30+)."""

    pod: str


class PodDeleted(SchedulerEvent, tag="pod-deleted"):
    """ "Delete event for unscheduled pod": deleted, or bound (a bound pod leaves that informer too)."""

    pod: str


class AssignedPodAdded(SchedulerEvent, tag="assigned-pod-added"):
    """ "Add event for scheduled pod"."""

    pod: str


class AssignedPodUpdated(SchedulerEvent, tag="assigned-pod-updated"):
    """ "Update event for scheduled pod"."""

    pod: str


class AssignedPodDeleted(SchedulerEvent, tag="assigned-pod-deleted"):
    """ "Delete event for scheduled pod"."""

    pod: str


class NodeAdded(SchedulerEvent, tag="node-added"):
    """ "Add event for node"."""

    node: str


class NodeUpdated(SchedulerEvent, tag="node-updated"):
    """ "Update event for node" (1.30+)."""

    node: str


class NodeDeleted(SchedulerEvent, tag="node-deleted"):
    """ "Delete event for node"."""

    node: str


# --- the life of an attempt (schedule_one.go and its forerunners) ---------------------------------------------------


class Popped(SchedulerEvent, tag="popped"):
    """ "About to try and schedule pod": the Pop came shortly before."""

    pod: str


class Attempting(SchedulerEvent, tag="attempting"):
    """ "Attempting to schedule pod": the scheduling cycle of a popped pod starts."""

    pod: str


class AttemptSkipped(SchedulerEvent, tag="attempt-skipped"):
    """ "Skip schedule deleting pod" / "… assumed pod": popped and let go at once.

    `reason` is "deleting" or "assumed".
    """

    pod: str
    reason: str


class PluginFailed(SchedulerEvent, tag="plugin-failed"):
    """ "Plugin failed" (E): a plugin returned an error. `extension_point` from the logger name, if it was printed."""

    pod: str | None
    plugin: str | None
    extension_point: str | None
    err: str
    node: str | None = None


class PluginRejected(SchedulerEvent, tag="plugin-rejected"):
    """ "Pod rejected by plugin" and its kin: a Reserve, Permit or PreBind plugin said Unschedulable."""

    pod: str
    plugin: str | None
    extension_point: str | None
    status: str | None = None
    node: str | None = None


class PluginStatus(SchedulerEvent, tag="plugin-status"):
    """ "Status after running <point> plugins for pod" (V5): the status text of PreFilter or PostFilter."""

    pod: str
    extension_point: str
    status: str


class AttemptFailed(SchedulerEvent, tag="attempt-failed"):
    """ "Unable to schedule pod; …" (`error` False) or "Error scheduling pod; retrying" (`error` True).

    `error` is True as well for "Unable to schedule pod, possibly due to node not found; waiting" (up to 1.29): behind
    it stands an API error, no fit error, so the attempt has no rejectors. `err` is "" where the line has none.
    """

    pod: str
    error: bool
    err: str


class ConditionUpdated(SchedulerEvent, tag="condition-updated"):
    """ "Updating pod condition [and nominated node name]": printed just after a failed attempt was handed back.

    `reason` is the condition's ("Unschedulable", "SchedulerError", "SchedulingGated"); None where the line has no
    condition keys.
    """

    pod: str
    reason: str | None
    nominated_node: str | None = None


class StatusPatchFailed(SchedulerEvent, tag="status-patch-failed"):
    """The status patch after a failure was refused (E)."""

    pod: str
    err: str


class BindAttempted(SchedulerEvent, tag="bind-attempted"):
    """ "Attempting to bind pod to node"."""

    pod: str
    node: str | None


class Bound(SchedulerEvent, tag="bound"):
    """ "Successfully bound pod to node"."""

    pod: str
    node: str | None


class RequeueRefused(SchedulerEvent, tag="requeue-refused"):
    """The queue refused the hand-back: "Pod … is already present in the active/backoff/unschedulable queue" (E).

    `where` is "active", "backoff" or "unschedulable" as the text says, None where it cannot be read.
    """

    pod: str | None
    where: str | None
    err: str


class PodGone(SchedulerEvent, tag="pod-gone"):
    """The failed pod was dropped, not handed back.

    `reason` is "not-in-informer" ("Pod doesn't exist in informer cache"), "assigned" ("… has been assigned to
    node … Abort adding it back"), or "recreated" (1.36).
    """

    pod: str | None
    reason: str


class DuplicateDiscarded(SchedulerEvent, tag="duplicate-discarded"):
    """ "The same pod is tracked in multiple places …" (E, 1.32+)."""

    pod: str | None


# --- the queue (scheduling_queue.go, active_queue.go, backoff_queue.go) ---------------------------------------------


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
    """ "Status after running PreEnqueue plugin": a pod is gated. `status` as printed (may be "{}")."""

    pod: str
    plugin: str | None
    status: str


class FlushedPodBound(SchedulerEvent, tag="flushed-pod-bound"):
    """ "Pod scheduled after flush from unschedulablePods" (V4, 1.36)."""

    pod: str
    plugins: frozenset[str]


class QueueClosed(SchedulerEvent, tag="queue-closed"):
    """ "Scheduling queue is closed"."""


class QueueDump(SchedulerEvent, tag="queue-dump"):
    """ "Dump of scheduling queue" (SIGUSR2): `text` of the pods value as printed."""

    pods: str
    summary: str | None = None


# --- preemption -----------------------------------------------------------------------------------------------------


class VictimPreempted(SchedulerEvent, tag="victim-preempted"):
    """ "Preemptor Pod preempted victim Pod" and the rejections of waiting pods. `how`: deleted|rejected|pre-bind."""

    preemptor: str | None
    victim: str | None
    node: str | None = None
    how: str = "deleted"


class PreemptionLine(SchedulerEvent, tag="preemption-line"):
    """Another line of preemption that names a pod (candidates, asynchronous preemption started or finished)."""

    pod: str | None
    message: str


# --- the process ----------------------------------------------------------------------------------------------------


class SchedulerStarted(SchedulerEvent, tag="scheduler-started"):
    """ "Starting Kubernetes Scheduler" (`version` as printed, e.g. "v1.28.0")."""

    version: str | None


class Flag(SchedulerEvent, tag="flag"):
    """`FLAG: --name="value"`."""

    name: str
    value: str


class FeatureGatesLogged(SchedulerEvent, tag="feature-gates"):
    """A `feature gates:` line in any of its forms: the gates set so far. A warning about one gate has only that one."""

    gates: dict[str, bool]


class ComponentConfig(SchedulerEvent, tag="component-config"):
    """ "Using component config": the configuration as text."""

    config: str


class LeaderElection(SchedulerEvent, tag="leader-election"):
    """A leader election line; `what` is "attempting", "acquired", "held-by-other", "renewed", "lost" or "failed"."""

    what: str


class Terminating(SchedulerEvent, tag="terminating"):
    """ "Requested to terminate, exiting", "Leaderelection lost" and the like."""

    reason: str


# --- resource claims ------------------------------------------------------------------------------------------------


class ClaimLine(SchedulerEvent, tag="claim-line"):
    """A line of the DynamicResources plugin from its extension points (from its hint functions: `HintLine`).

    `what` is a short word for the message; `claims` the names "namespace/name" or "name" as printed under the keys
    `resourceclaims`, `resourceclaim`, `claim`, `podSchedulingCtx` or `podScheduling` (empty where the line has none of
    them, or an empty list). `message` is without the "<point>/DynamicResources: " that 1.26-1.28 put before it.
    `reason` is the unescaped value of `reason`, or of `err` on error lines: up to 1.28 the only place where a pod that
    PreEnqueue turned away is named. `node` is the node of the line, where printed.
    """

    pod: str | None
    claims: tuple[str, ...]
    what: str
    message: str
    reason: str | None = None
    node: str | None = None


AnyEvent = (
    PodAdded
    | PodUpdated
    | PodDeleted
    | AssignedPodAdded
    | AssignedPodUpdated
    | AssignedPodDeleted
    | NodeAdded
    | NodeUpdated
    | NodeDeleted
    | Popped
    | Attempting
    | AttemptSkipped
    | PluginFailed
    | PluginRejected
    | PluginStatus
    | AttemptFailed
    | ConditionUpdated
    | StatusPatchFailed
    | BindAttempted
    | Bound
    | RequeueRefused
    | PodGone
    | DuplicateDiscarded
    | Moved
    | EventNotHelping
    | EventReceived
    | InFlightEventsChecked
    | InFlightEventChecked
    | WorthRequeuing
    | EventOfNoInterest
    | UpdateNotQueued
    | HintFailed
    | HintLine
    | PreEnqueueStatus
    | FlushedPodBound
    | QueueClosed
    | QueueDump
    | VictimPreempted
    | PreemptionLine
    | SchedulerStarted
    | Flag
    | FeatureGatesLogged
    | ComponentConfig
    | LeaderElection
    | Terminating
    | ClaimLine
)
