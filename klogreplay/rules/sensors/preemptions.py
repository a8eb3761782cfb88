"""Asynchronous preemption (1.32 and later): preemptors that go round in a loop, and such as are held for nothing."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

START = "Start the preemption asynchronously"
FINISH = "Async Preemption finished completely"
ALREADY_DELETED = "Victim Pod is already deleted"
"""The victim was not found. From 1.35 on "already being deleted" is another line: the victim still terminates."""

LOOP_GAP_US = 1_000_000
"""A preemption that begins within this after the one before continues a run."""

ACTIVATED_US = 50_000
"""A preemptor that its preemption activates, or whose victims' end wakes it, moves within this after the finish."""

ACTIVATION = "ForceActivate"


class Run(msgspec.Struct):
    """Preemptions of one preemptor, each begun within a second after the one before."""

    pod: str
    first: ev.PreemptionLine
    last: ev.PreemptionLine
    starts: int = 1
    activations: int = 0
    activated: ev.Moved | None = None
    failed: ev.AttemptFailed | None = None


class Held(msgspec.Struct):
    """A preemptor left in unschedulablePods by a preemption that had nothing more to wait for.

    All its victims were gone when the preemption finished (`absent`: the line that says so of a victim that was not
    found). `gate` is the PreEnqueue line, where seen. `woken` is what moved the pod at last, None: nothing, up to
    `until_t` (microseconds). `rejected`: a victim was turned away at Permit or in PreBind instead of being deleted.
    """

    pod: str
    start: ev.PreemptionLine
    finish: ev.PreemptionLine
    parked: ev.Moved
    absent: ev.PreemptionLine | None
    gate: ev.PreEnqueueStatus | None
    rejected: bool
    woken: ev.SchedulerEvent | None = None
    until_t: int = 0


class Preemption(msgspec.Struct):
    """What was seen of one preemptor: its longest run of preemptions, or one hold."""

    run: Run | None = None
    held: Held | None = None


class _Preemptor(msgspec.Struct):
    run: Run | None = None
    start: ev.PreemptionLine | None = None
    absent: ev.PreemptionLine | None = None
    parked: ev.Moved | None = None
    gate: ev.PreEnqueueStatus | None = None
    victims: set[str] = msgspec.field(default_factory=set)
    gone: int = 0
    rejected: bool = False
    held: Held | None = None


class Preemptions(Sensor[Preemption]):
    """Follows each preemptor from its first asynchronous preemption until it is bound or deleted."""

    wakers = frozenset({ev.PreemptionLine})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._live: dict[str, _Preemptor] = {}
        self._preemptors_of: dict[str, dict[str, None]] = {}
        self._found: list[Preemption] = []
        self._t = 0

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.PreemptionLine: self._line,
            ev.VictimPreempted: self._victim,
            ev.AssignedPodDeleted: self._victim_gone,
            ev.PreEnqueueStatus: self._gated,
            ev.Moved: self._moved,
            ev.Popped: self._popped,
            ev.Attempting: self._popped,
            ev.AttemptFailed: self._failed,
            ev.Bound: self._over,
            ev.PodDeleted: self._over,
        }

    def finish(self) -> list[Preemption]:
        """See `Sensor`."""
        for pod in list(self._live):
            self._end(pod)
        return self._found

    def _line(self, event: ev.PreemptionLine) -> None:
        self._t = event.t
        if event.pod is None:
            return
        if event.message == START:
            self._start(event.pod, event)
            return
        preemptor = self._live.get(event.pod)
        if preemptor is None:
            return
        if event.message == ALREADY_DELETED:
            preemptor.absent = event
        elif event.message == FINISH:
            self._finished(event.pod, preemptor, event)

    def _start(self, pod: str, event: ev.PreemptionLine) -> None:
        self.awake = True
        preemptor = self._live.setdefault(pod, _Preemptor())
        run = preemptor.run
        if run is not None and event.t - run.last.t <= LOOP_GAP_US:
            # A line that is not later than the one before is a copy.
            run.starts += event.t > run.last.t
            run.last = event
        else:
            self._end_run(preemptor)
            preemptor.run = Run(pod, event, event)
        preemptor.start, preemptor.absent = event, None

    def _victim(self, event: ev.VictimPreempted) -> None:
        preemptor = self._live.get(event.preemptor or "")
        if preemptor is None or event.preemptor is None or event.victim is None:
            return
        if event.how == "deleted":
            if event.victim not in preemptor.victims:
                preemptor.victims.add(event.victim)
                self._preemptors_of.setdefault(event.victim, {})[event.preemptor] = None
        else:
            preemptor.rejected = True
            preemptor.gone += 1

    def _victim_gone(self, event: ev.AssignedPodDeleted) -> None:
        for pod in self._preemptors_of.pop(event.pod, ()):
            preemptor = self._live.get(pod)
            if preemptor is not None:
                preemptor.victims.discard(event.pod)
                preemptor.gone += 1

    def _finished(self, pod: str, preemptor: _Preemptor, event: ev.PreemptionLine) -> None:
        parked, start = preemptor.parked, preemptor.start
        over = preemptor.absent is not None or preemptor.gone > 0
        if start is None or parked is None or preemptor.victims or not over:
            return
        preemptor.held = Held(
            pod, start, event, parked, preemptor.absent, preemptor.gate, preemptor.rejected, until_t=event.t
        )

    def _gated(self, event: ev.PreEnqueueStatus) -> None:
        preemptor = self._live.get(event.pod)
        if preemptor is not None and event.plugin == "DefaultPreemption":
            preemptor.gate = event

    def _moved(self, event: ev.Moved) -> None:
        self._t = event.t
        preemptor = self._live.get(event.pod)
        if preemptor is None:
            return
        if event.event == FAILURE:
            preemptor.parked = event if event.queue == "Unschedulable" else None
            return
        if event.event == ACTIVATION and preemptor.run is not None:
            preemptor.run.activations += 1
            preemptor.run.activated = preemptor.run.activated or event
        if event.queue != "Unschedulable":
            self._woken(preemptor, event)

    def _popped(self, event: ev.Popped | ev.Attempting) -> None:
        self._t = event.t
        preemptor = self._live.get(event.pod)
        if preemptor is not None:
            self._woken(preemptor, event)
            preemptor.gate = None

    def _woken(self, preemptor: _Preemptor, event: ev.SchedulerEvent) -> None:
        preemptor.parked = None
        if preemptor.held is not None:
            preemptor.held.woken, preemptor.held.until_t = event, event.t
            self._end_hold(preemptor)

    def _failed(self, event: ev.AttemptFailed) -> None:
        self._t = event.t
        preemptor = self._live.get(event.pod)
        if preemptor is not None and preemptor.run is not None and preemptor.run.failed is None:
            preemptor.run.failed = event

    def _over(self, event: ev.Bound | ev.PodDeleted) -> None:
        if event.pod in self._live:
            self._end(event.pod)

    def _end(self, pod: str) -> None:
        preemptor = self._live.pop(pod)
        for victim in preemptor.victims:
            waiting = self._preemptors_of.get(victim)
            if waiting is not None:
                waiting.pop(pod, None)
                if not waiting:
                    del self._preemptors_of[victim]
        if preemptor.held is not None:
            preemptor.held.until_t = self._t
            self._end_hold(preemptor)
        self._end_run(preemptor)

    def _end_hold(self, preemptor: _Preemptor) -> None:
        held, preemptor.held = preemptor.held, None
        if held is not None and held.until_t - held.finish.t > ACTIVATED_US and len(self._found) < MOST:
            self._found.append(Preemption(held=held))

    def _end_run(self, preemptor: _Preemptor) -> None:
        run, preemptor.run = preemptor.run, None
        if run is not None and run.starts > 1 and len(self._found) < MOST:
            self._found.append(Preemption(run=run))
