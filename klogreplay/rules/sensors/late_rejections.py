"""Attempts that were turned away after the scheduling cycle: at Permit for another pod's sake, or in PreBind."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

POINTS = frozenset({"PreBind", "Bind"})


class LateRejection(msgspec.Struct):
    """A rejection beyond the scheduling cycle.

    `rejected` is the line of the plugin in PreBind or Bind, `preempted` the line where another pod threw this one out,
    `parked` the printed hand-back.
    """

    pod: str
    failed: ev.AttemptFailed
    rejected: ev.PluginRejected | None
    preempted: ev.VictimPreempted | None
    parked: ev.Moved | None = None


class LateRejections(Sensor[LateRejection]):
    """Remembers, between Pop and failure, who turned the pod away and where."""

    wakers = frozenset({ev.PluginRejected, ev.VictimPreempted})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._rejected: dict[str, ev.PluginRejected] = {}
        self._preempted: dict[str, ev.VictimPreempted] = {}
        self._found: list[LateRejection] = []
        self._open: dict[str, LateRejection] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.PluginRejected: self._reject,
            ev.VictimPreempted: self._preempt,
            ev.AttemptFailed: self._failed,
            ev.Moved: self._moved,
            ev.Popped: self._forget,
            ev.Bound: self._forget,
            ev.PodDeleted: self._forget,
        }

    def finish(self) -> list[LateRejection]:
        """See `Sensor`."""
        return self._found

    def _reject(self, event: ev.PluginRejected) -> None:
        if event.extension_point in POINTS:
            self._rejected[event.pod] = event
            self.awake = True

    def _preempt(self, event: ev.VictimPreempted) -> None:
        if event.victim is not None and event.how != "deleted":
            self._preempted[event.victim] = event
            self.awake = True

    def _failed(self, event: ev.AttemptFailed) -> None:
        rejected = self._rejected.pop(event.pod, None)
        preempted = self._preempted.pop(event.pod, None)
        if (rejected is not None or preempted is not None) and not event.error and len(self._found) < MOST:
            found = self._open[event.pod] = LateRejection(event.pod, event, rejected, preempted)
            self._found.append(found)

    def _moved(self, event: ev.Moved) -> None:
        if self._open and event.event == FAILURE:
            found = self._open.pop(event.pod, None)
            if found is not None:
                found.parked = event

    def _forget(self, event: ev.Popped | ev.Bound | ev.PodDeleted) -> None:
        self._rejected.pop(event.pod, None)
        self._preempted.pop(event.pod, None)
        self._open.pop(event.pod, None)
