"""What the queue's own lines tell the follower: moves, answers to events, in-flight bookkeeping."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from klogreplay.events import types as ev
from klogreplay.replay import destination
from klogreplay.replay.answers import HintLines
from klogreplay.replay.rejectors import NOTHING, Own, PluginSet
from klogreplay.replay.types import WakeUp

if TYPE_CHECKING:
    from klogreplay.replay.attempts import Attempt
    from klogreplay.replay.follow import Follower
    from klogreplay.replay.pods import PodState

FAILURE = "ScheduleAttemptFailure"
NEW_POD = frozenset({"PodAdd", "UnschedulablePodAdd"})
TIMEOUT = "UnschedulableTimeout"
NOT_CLUSTER_EVENTS = frozenset({FAILURE, "BackoffComplete", "ForceActivate", "PopFromBackoffQ"}) | NEW_POD


HAND_BACK_LATEST_US = 1_000_000
"""A failed pod is handed back within this after its failure line (milliseconds were measured)."""

SAME_MOVE_US = 1_000
"""Two lines of one move stand closer together than this (tens of microseconds were measured)."""


def is_own_update(label: str) -> bool:
    """Whether the label is that of an update of the moved pod itself ("PodUpdate", 1.32+ "UnschedulablePodUpdate…")."""
    return label.startswith(("PodUpdate", "UnschedulablePodUpdate", "PodLabelChange"))


def handlers(follower: Follower) -> dict[type, Callable[[Any], None]]:
    """The handlers for the queue's lines."""
    lines = QueueLines(follower)
    return {
        ev.Moved: lines.moved,
        ev.EventNotHelping: lines.not_helping,
        ev.EventReceived: lines.received,
        ev.InFlightEventsChecked: lines.checked_events,
        ev.PreEnqueueStatus: lines.pre_enqueue,
        ev.HintLine: lines.hints.said,
        ev.ClaimLine: lines.hints.claims,
    }


def wake(follower: Follower, state: PodState, wake_up: WakeUp) -> None:
    """The pod's parked attempt was taken out of unschedulablePods by `wake_up`."""
    attempt = state.parked
    if attempt is not None:
        attempt.wake = wake_up
        state.parked = None
        follower.emit(attempt)


def _rejectors_printed(state: PodState, attempt: Attempt, plugins: frozenset[str]) -> None:
    """The queue itself names the rejectors of the attempt."""
    if not attempt.is_error:
        attempt.own = Own(PluginSet(plugins), "observed", False, tuple(frozenset({name}) for name in sorted(plugins)))
        state.held = attempt.own.plugins


class QueueLines:
    """Handlers for the lines of the queue package."""

    def __init__(self, follower: Follower) -> None:
        self._f = follower
        self.hints = HintLines(follower)
        self._last: tuple[str, str, str] | None = None
        self._last_t = 0

    def moved(self, e: ev.Moved) -> None:
        """Any "Pod moved to an internal scheduling queue" line."""
        f = self._f
        key = (e.pod, e.event, e.queue)
        # From 1.31 a move prints two lines, adjacent and alike.
        again = key == self._last and e.t - self._last_t < SAME_MOVE_US
        self._last, self._last_t = key, e.t
        state = f.pods.need(e.pod)
        if e.event == FAILURE:
            f.timeline.other_queue_line()
            self.hints.nobody_asked()
            if state.pending is not None:
                self._handed_back(state, state.pending, e)
            elif not again:
                destination.without_failure(f, state, e)
            return
        if again:
            return
        cluster_event = e.event not in NOT_CLUSTER_EVENTS and not is_own_update(e.event)
        if cluster_event:
            event = f.timeline.queue_line(e.event, e.pod, e.t, e.line, e.text)
            self.hints.asked(event, state, "queue")
        else:
            f.timeline.other_queue_line()
            self.hints.nobody_asked()
        if e.queue == "Active":
            state.ready_t = e.t
        flight = f.flights.open.get(e.pod)
        in_flight = flight is not None and flight.done_lo is None
        fresh = e.event == "PodUpdate" and e.variant == "plain"
        if is_own_update(e.event) and e.queue == "Active" and (in_flight or fresh):
            # Up to 1.30 an update of a pod that is in no queue, so in flight, makes a second entry; the later
            # hand-back is refused.
            state.second_entry = True
            state.queue_attempts = 0
            state.held = NOTHING
            state.held_lines = ()
            return
        if state.pending is not None:
            destination.moved(f, state, e)
        elif state.parked is not None and e.queue != "Unschedulable":
            wake(f, state, WakeUp(e.event, e.line, e.t, e.text))

    def _handed_back(self, state: PodState, attempt: Attempt, e: ev.Moved) -> None:
        f = self._f
        attempt.back_t, attempt.back_line = e.t, e.line
        attempt.hint, attempt.cycle = e.hint, e.cycle
        if e.plugins is not None:
            _rejectors_printed(state, attempt, e.plugins)
        attempt.gated = e.variant == "gated" or (e.queue == "Unschedulable" and e.hint not in (None, "skip"))
        attempt.back_hi = e.t if attempt.back_hi is None else min(attempt.back_hi, e.t)
        f.flights.settle(e.pod, e.t)
        destination.resolve(f, state, e.queue, "observed", e.line, e.text, "the queue says where the pod went")

    def not_helping(self, e: ev.EventNotHelping) -> None:
        """ "Event is not making pod schedulable": printed only for a pod that is in unschedulablePods."""
        f = self._f
        state = f.pods.need(e.pod)
        if not is_own_update(e.event):
            event = f.timeline.queue_line(e.event, e.pod, e.t, e.line, e.text)
            self.hints.asked(event, state, "skip")
        if state.pending is not None:
            destination.asked(f, state, e)

    def received(self, e: ev.EventReceived) -> None:
        """ "Event received while pods are in flight"."""
        self._f.timeline.queue_line(e.event, None, e.t, e.line, e.text)

    def checked_events(self, e: ev.InFlightEventsChecked) -> None:
        """ "Checking events for in-flight pod": the hand-back begins, with these rejectors."""
        f = self._f
        f.timeline.other_queue_line()
        state = f.pods.get(e.pod)
        if state is not None:
            self._unseen_attempt(state, e)
        attempt = state.pending if state else None
        if state is not None and attempt is not None:
            _rejectors_printed(state, attempt, e.plugins)

    def _unseen_attempt(self, state: PodState, e: ev.InFlightEventsChecked) -> None:
        """The pod is handed back again: where its last attempt is over, lines of another one are missing."""
        f, attempt = self._f, state.pending
        if state.parked is not None:
            wake(f, state, WakeUp("unknown", e.line, e.t, e.text))
        elif attempt is not None and e.pod not in f.flights.open and e.t - attempt.t > HAND_BACK_LATEST_US:
            destination.let_go(f, state, WakeUp("unknown", e.line, e.t, e.text))
        else:
            return
        f.holes.lost(e.t)

    def pre_enqueue(self, e: ev.PreEnqueueStatus) -> None:
        """A PreEnqueue plugin gates the pod: up to 1.28.0 it stays in the entry's plugin set."""
        state = self._f.pods.get(e.pod)
        if state is not None and state.held is not None and e.plugin is not None:
            state.held = state.held.with_plugin(e.plugin)
            state.held_lines = (*state.held_lines, (e.line, e.text))[-4:]
