"""Following one scheduler process: from its events to failed attempts with everything known about them.

The follower keeps the observed state only: who is in flight, what was received, what each queue entry holds. It asks
no model and gives no verdict; `judge` does, from the attempts that leave here through `take`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from klogreplay.events import types as ev
from klogreplay.events.fiterror import error_source
from klogreplay.replay import destination, moves, windows
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.backoff import LOG_GAP_US, QUIET_US, BackoffTimes, Deadlines
from klogreplay.replay.dumps import Dumps
from klogreplay.replay.flights import BOUND_DONE_SLACK_US, Flights
from klogreplay.replay.holes import Holes
from klogreplay.replay.pods import PodBook, PodState
from klogreplay.replay.rejectors import NOTHING, Rejectors
from klogreplay.replay.timeline import Timeline
from klogreplay.replay.types import WakeUp
from klogreplay.replay.visibility import Visibility
from klogreplay.replay.windows import HAND_BACK_SLACK_US

FORGET_EVERY = 8
"""What no open window asks for any more is forgotten once in so many Pops."""

NEVER = 1 << 62

_HOLDER = re.compile(r"(?:lock is held by |holder=\")([^\s\"]{1,255})")

BINDING_POINTS = frozenset({"PreBind", "Bind"})
"""An error in these raises AssignedPodDelete before the pod's own hand-back (handleBindingCycleError, 1.26+)."""


class Follower:
    """The observed state of one scheduler process."""

    def __init__(self, process: str, rejectors: Rejectors, visibility: Visibility) -> None:
        self.process = process
        self.rejectors = rejectors
        self.visibility = visibility
        self.flights = Flights()
        self.timeline = Timeline()
        self.pods = PodBook()
        self.backoff = BackoffTimes()
        self.deadlines = Deadlines()
        self.dumps = Dumps(self)
        self.holes = Holes()
        self.started = False
        self.standby = False
        self.lease_holder: str | None = None
        self.ended = False
        self.ended_t: int | None = None
        self.deep = True
        self.last_t = -NEVER
        self.gap_from = self.quiet_from = -NEVER
        self._closing: list[Attempt] = []
        self._closing_from = NEVER
        self.next_t = NEVER
        """Only after this moment does the mere passing of time mean anything (see `pass_time`)."""
        self._pops = 0
        self.news: list[Attempt] = []
        self.handlers: dict[type, Callable[[Any], None]] = {
            ev.PodAdded: self._pod_added,
            ev.PodUpdated: lambda e: self.timeline.handler_quiet("unscheduled", e.t),
            ev.PodDeleted: self._pod_deleted,
            ev.AssignedPodAdded: lambda e: self._handler(e, "scheduled", "AssignedPodAdd", f"pod {e.pod}"),
            ev.AssignedPodUpdated: lambda e: self._handler(e, "scheduled", "AssignedPodUpdate", f"pod {e.pod}"),
            ev.AssignedPodDeleted: lambda e: self._handler(e, "scheduled", "AssignedPodDelete", f"pod {e.pod}"),
            ev.NodeAdded: lambda e: self._handler(e, "node", "NodeAdd", f"node {e.node}"),
            # The line does not say which of the properties changed, if any that matters: the queue's own lines do.
            ev.NodeUpdated: lambda e: self.timeline.handler_quiet("node", e.t),
            ev.NodeDeleted: lambda e: self._handler(e, "node", "NodeDelete", f"node {e.node}"),
            ev.Popped: lambda e: self._popped(e, attempting=False),
            ev.Attempting: self._attempting,
            ev.AttemptSkipped: self._skipped,
            ev.PluginFailed: self._plugin_failed,
            ev.PluginRejected: self._plugin_rejected,
            ev.AttemptFailed: self._failed,
            ev.ConditionUpdated: self._condition,
            ev.BindAttempted: self._bind_attempted,
            ev.Bound: self._bound,
            ev.RequeueRefused: self._refused,
            ev.PodGone: self._gone,
            ev.SchedulerStarted: lambda _e: self._start(),
            ev.ComponentConfig: lambda e: self.backoff.read_config(e.config),
            ev.LeaderElection: self._leader,
            ev.QueueClosed: lambda e: self._end(e.t),
            ev.Terminating: lambda e: self._end(e.t),
            **moves.handlers(self),
            **self.dumps.handlers(),
        }

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event of this process, in the order of the lines."""
        t = event.t
        if t > self.last_t:
            if t > self.next_t or t - self.last_t > QUIET_US:
                self.pass_time(t, event.line)
            else:
                self.last_t = t
        handler = self.handlers.get(event.__class__)
        if handler is not None:
            handler(event)

    def pass_time(self, t: int, line: int) -> None:
        """It is `t` (microseconds) now, at `line`, and later than at the last event."""
        if t - self.last_t > QUIET_US:
            self.quiet_from = self.last_t
            if t - self.last_t > LOG_GAP_US:
                self.gap_from = self.last_t
        self.last_t = t
        if t > self.deadlines.next_due and not self.ended:
            for due, attempt in self.deadlines.passed(t):
                destination.silent(self, attempt, due, line)
        if t > self._closing_from:
            self._close_windows(t)
        self.next_t = min(self.deadlines.next_due, self._closing_from)

    @property
    def busy(self) -> bool:
        """Whether the process has done anything but start."""
        return self.started or self.ended or self.flights.busy or any(True for _ in self.pods)

    def take(self) -> list[Attempt]:
        """The failed attempts of which no later line can say more."""
        out, self.news = self.news, []
        return out

    def finish(self) -> list[Attempt]:
        """The log is over: give out what is left."""
        for closing in self._closing:
            windows.close(self, closing)
        self._closing = []
        for state in self.pods:
            for attempt in (state.pending, state.parked):
                if attempt is not None:
                    self.emit(attempt)
        return self.take()

    # --- informer handlers ------------------------------------------------------------------------------------------

    def _handler(self, e: ev.SchedulerEvent, listener: str, label: str, obj: str) -> None:
        if not self.standby:
            self.timeline.handler(listener, label, obj, e.t, e.line, e.text)

    def _pod_added(self, e: ev.PodAdded) -> None:
        self.timeline.handler_quiet("unscheduled", e.t)
        self._leave(self.pods.get(e.pod), e, "re-created")
        self.pods.added(e.pod).ready_t = e.t

    def _pod_deleted(self, e: ev.PodDeleted) -> None:
        self.timeline.handler_quiet("unscheduled", e.t)
        if self.pods.take_bound(e.pod):
            return
        state = self.pods.get(e.pod)
        if state is None:
            return
        if state.bind_t is not None and state.pending is None and state.parked is None:
            # Its binding is on its way: this is how the informer of unscheduled pods says that it has a node.
            return
        self._leave(state, e, "PodDelete")
        if e.pod not in self.flights.open:
            self.pods.deleted(e.pod)

    def _leave(self, state: PodState | None, e: ev.SchedulerEvent, how: str) -> None:
        if state is None:
            return
        if state.parked is not None:
            moves.wake(self, state, WakeUp(how, e.line, e.t, e.text))
        destination.let_go(self, state, WakeUp(how, e.line, e.t, e.text))

    # --- the life of an attempt -------------------------------------------------------------------------------------

    def _popped(self, e: ev.Popped | ev.Attempting | ev.AttemptSkipped, *, attempting: bool) -> None:
        state = self.pods.need(e.pod)
        if state.pending is not None or state.parked is not None:
            destination.popped(self, state, e)
        for attempt in self._closing:
            if attempt.back_hi is None and attempt.serial:
                attempt.back_hi = e.t
        state.attempts += 1
        if state.queue_attempts is not None:
            state.queue_attempts += 1
        state.rejected_by = state.rejected_at = None
        state.plugin_failed_t = state.bind_t = None
        self.flights.pop(e.pod, e.t, e.line, e.text, state.ready_t, attempting=attempting, deep=self.deep)
        state.ready_t = None
        self._pops += 1
        self.standby = False
        if self._pops % FORGET_EVERY == 0:
            self._forget()

    def _attempting(self, e: ev.Attempting) -> None:
        if self.flights.attempting(e.pod, e.t) is None:
            self._popped(e, attempting=True)

    def _skipped(self, e: ev.AttemptSkipped) -> None:
        if e.pod not in self.flights.open:
            self._popped(e, attempting=True)
        self.flights.end(e.pod, e.t, e.t + BOUND_DONE_SLACK_US)

    def _plugin_failed(self, e: ev.PluginFailed) -> None:
        state = self.pods.get(e.pod) if e.pod else None
        if state is not None:
            state.plugin_failed_t = e.t

    def _plugin_rejected(self, e: ev.PluginRejected) -> None:
        state = self.pods.need(e.pod)
        state.rejected_by, state.rejected_at = e.plugin, e.extension_point

    def _bind_attempted(self, e: ev.BindAttempted) -> None:
        self.flights.cycle_over(e.pod, e.t)
        state = self.pods.get(e.pod)
        if state is not None:
            state.bind_t = e.t

    def _bound(self, e: ev.Bound) -> None:
        if e.pod not in self.flights.open:
            self._lost_lines(e.t)
        self.flights.cycle_over(e.pod, e.t)
        self.flights.end(e.pod, e.t, e.t + BOUND_DONE_SLACK_US)
        state = self.pods.get(e.pod)
        if state is not None:
            for attempt in (state.pending, state.parked):
                if attempt is not None:
                    self.emit(attempt)
        self.pods.bound(e.pod, e.t)

    def _lost_lines(self, t: int) -> None:
        """An attempt ended of which no beginning was seen, though Pops are printed here: lines are missing."""
        if self.flights.busy:
            self.holes.lost(t)

    def _failed(self, e: ev.AttemptFailed) -> None:
        state = self.pods.need(e.pod)
        flight = self.flights.open.get(e.pod)
        if flight is None or flight.done_lo is not None:
            flight = None
            self._lost_lines(e.t)
            if state.pending is not None or state.parked is not None:
                destination.popped(self, state, e)
            state.attempts += 1
            if state.queue_attempts is not None:
                state.queue_attempts += 1
        own = self.rejectors.of_failure(e.error, e.err, state.rejected_by)
        source = error_source(e.err) if e.error else None
        point = source[0] if source else None
        binding = point in BINDING_POINTS
        in_cycle = not binding and state.rejected_at not in ("Permit", "PreBind") and point != "Permit"
        serial = self.flights.failed(e.pod, e.t, in_cycle=in_cycle)
        if flight is not None and in_cycle and not serial and not own.without_rejectors:
            # Scheduling cycles are serial, and others were popped since: this Pop is not that of this attempt.
            flight = None
            self._lost_lines(e.t)
        timeless = not e.site
        if timeless:
            # Without headers there are no times: nothing can be said of what came before what.
            flight = None
        attempt = Attempt(
            timeless=timeless,
            pod=e.pod, number=state.attempts, queue_attempts=state.queue_attempts, flight=flight,
            t=e.t, line=e.line, source=e.source, text=e.text, is_error=own.without_rejectors, err=e.err,
            own=own, held=state.held, held_lines=state.held_lines, serial=serial, claims=state.claims,
            quiet=flight is not None and self.quiet_from >= flight.pop_hi,
            gap=flight is not None and self.gap_from >= flight.pop_hi,
        )  # fmt: skip
        if binding:
            low = state.plugin_failed_t or state.bind_t or (flight.pop_hi if flight else e.t)
            self.timeline.derived("AssignedPodDelete", min(low, e.t), e.t, e.pod)
        if not own.without_rejectors:
            state.held = own.plugins
            state.held_lines = ((e.line, e.text),)
        # Where lines are missing, attempts may be, too.
        counted = None if self.holes.lost_near(e.t) else state.queue_attempts
        attempt.backoff_us = self.backoff.of(counted)
        attempt.backoff_known = counted is not None
        state.pending = attempt
        state.rejected_by = state.rejected_at = None
        self._closing.append(attempt)
        self._closing_from = min(self._closing_from, attempt.t + HAND_BACK_SLACK_US)
        self.next_t = min(self.next_t, self._closing_from)

    def _condition(self, e: ev.ConditionUpdated) -> None:
        if e.reason is None:
            return
        for attempt in self._closing:
            if attempt.pod == e.pod:
                attempt.back_hi = e.t if attempt.back_hi is None else min(attempt.back_hi, e.t)
                if attempt.serial:
                    self.flights.scheduling_line(e.pod, e.t)
        self.flights.settle(e.pod, e.t)

    def _refused(self, e: ev.RequeueRefused) -> None:
        state = self.pods.get(e.pod) if e.pod else None
        if state is not None and state.pending is not None:
            self._drop(state, e.t)
            state.held = NOTHING if state.second_entry else None
            state.second_entry = False

    def _gone(self, e: ev.PodGone) -> None:
        state = self.pods.get(e.pod) if e.pod else None
        if state is not None and state.pending is not None:
            self._drop(state, e.t)
            if e.reason != "recreated":
                self.pods.deleted(state.pod)

    def _drop(self, state: PodState, t: int) -> None:
        attempt = state.pending
        state.pending = None
        self.flights.settle(state.pod, t)
        self._closing = [a for a in self._closing if a is not attempt]

    # --- the process ------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.started = True

    def _leader(self, e: ev.LeaderElection) -> None:
        if e.what == "acquired":
            # The queue of a standby fills, but nothing is popped from it before.
            self.started, self.standby = True, False
            self.timeline.forget_before(e.t)
            self.flights.begin(e.t)
        elif e.what in ("attempting", "held-by-other"):
            self.standby = True
            self.holes.rest()
            holder = _HOLDER.search(e.text)
            self.lease_holder = holder[1] if holder else self.lease_holder
        elif e.what == "renewed":
            self.holes.beat(e.t)
        elif e.what == "lost":
            self._end(e.t)

    def _end(self, t: int) -> None:
        self.ended = True
        self.ended_t = t

    # --- windows ----------------------------------------------------------------------------------------------------

    def _close_windows(self, t: int) -> None:
        waiting: list[Attempt] = []
        for attempt in self._closing:
            if attempt.back_hi is None and t - attempt.t > HAND_BACK_SLACK_US:
                attempt.back_hi = attempt.t + HAND_BACK_SLACK_US
            if attempt.back_hi is not None and t > attempt.back_hi + HAND_BACK_SLACK_US:
                windows.close(self, attempt)
            else:
                waiting.append(attempt)
        self._closing = waiting
        self._closing_from = min((a.t + HAND_BACK_SLACK_US for a in waiting), default=NEVER)

    def _forget(self) -> None:
        oldest = self.flights.oldest_window()
        for attempt in self._closing:
            start = attempt.flight.window_start if attempt.flight else attempt.t
            oldest = start if oldest is None else min(oldest, start)
        if oldest is not None:
            self.timeline.forget_before(oldest)
            self.flights.forget_before(oldest)

    def emit(self, attempt: Attempt) -> None:
        """Give an attempt out, once."""
        if not attempt.emitted:
            attempt.emitted = True
            if attempt.window is None:
                windows.close(self, attempt)
                self._closing = [a for a in self._closing if a is not attempt]
            self.news.append(attempt)
