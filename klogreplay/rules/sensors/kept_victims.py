"""Victims of a preemption that were not even marked as such, so that they were not deleted either."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

GONE = "not found"
"""The end of an error that says that the victim is no longer there: then nothing was left to mark."""


class Kept(msgspec.Struct):
    """A preemptor and a victim that it tried to preempt `times` times, in vain. `failed` is the preemptor's failure."""

    preemptor: str
    victim: str
    first: ev.VictimKept
    last: ev.VictimKept
    times: int = 1
    failed: ev.AttemptFailed | None = None


class KeptVictims(Sensor[Kept]):
    """Counts the refusals of each preemptor and victim; forgets a pair where the preemption succeeds after all."""

    wakers = frozenset({ev.VictimKept})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._found: dict[tuple[str, str], Kept] = {}
        self._latest: dict[str, Kept] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {ev.VictimKept: self._kept, ev.VictimPreempted: self._preempted, ev.AttemptFailed: self._failed}

    def finish(self) -> list[Kept]:
        """See `Sensor`."""
        return list(self._found.values())

    def _kept(self, event: ev.VictimKept) -> None:
        if event.preemptor is None or event.victim is None or event.err.rstrip().endswith(GONE):
            return
        self.awake = True
        key = (event.preemptor, event.victim)
        known = self._found.get(key)
        if known is not None:
            known.times += event.t > known.last.t
            known.last = event
        elif len(self._found) < MOST:
            known = self._found[key] = Kept(event.preemptor, event.victim, event, event)
        if known is not None:
            self._latest[event.preemptor] = known

    def _preempted(self, event: ev.VictimPreempted) -> None:
        if event.preemptor is not None and event.victim is not None:
            self._found.pop((event.preemptor, event.victim), None)
            self._latest.pop(event.preemptor, None)

    def _failed(self, event: ev.AttemptFailed) -> None:
        kept = self._latest.get(event.pod)
        if kept is not None and kept.failed is None:
            kept.failed = event
