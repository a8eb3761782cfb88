"""Preemptors that were deleted while they were being tried, and whose nomination may have stayed behind."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

TOGETHER_US = 1_000_000
"""The lines of one failed preemption are closer together than this."""

SHORT_OF_ROOM = "Insufficient "


class Phantom(msgspec.Struct):
    """A preemptor that was deleted in its scheduling cycle.

    `missing`: its preemption did not find it any more. `rejected` is the first failure of another pod for want of room
    since, with `rejections` of them; `dump` a later dump of the cache in which the pod still holds a nomination.
    """

    pod: str
    popped: ev.SchedulerEvent
    deleted: ev.PodDeleted
    missing: ev.PreemptorMissing
    failed: ev.AttemptFailed
    rejected: ev.AttemptFailed | None = None
    rejections: int = 0
    dump: ev.NodeDump | None = None


class Phantoms(Sensor[Phantom]):
    """Waits for a preemptor that is not found, and looks whether it had been deleted meanwhile."""

    wakers = frozenset({ev.PreemptorMissing})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._missing: ev.PreemptorMissing | None = None
        self._found: dict[str, Phantom] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.PreemptorMissing: self._not_found,
            ev.AttemptFailed: self._failed,
            ev.NodeDump: self._dumped,
            ev.PodAdded: lambda e: self._found.pop(e.pod, None),
        }

    def finish(self) -> list[Phantom]:
        """See `Sensor`."""
        return list(self._found.values())

    def _not_found(self, event: ev.PreemptorMissing) -> None:
        self._missing = event
        self.awake = True

    def _failed(self, event: ev.AttemptFailed) -> None:
        missing, self._missing = self._missing, None
        if missing is not None and missing.pod in (None, event.pod) and abs(event.t - missing.t) <= TOGETHER_US:
            flight = self.flights.of(event.pod)
            if flight is not None and flight.deleted is not None and len(self._found) < MOST:
                self._found[event.pod] = Phantom(event.pod, flight.popped, flight.deleted, missing, event)
                return
        if SHORT_OF_ROOM not in event.err:
            return
        for phantom in self._found.values():
            if event.pod != phantom.pod:
                phantom.rejected = phantom.rejected or event
                phantom.rejections += 1

    def _dumped(self, event: ev.NodeDump) -> None:
        for pod in event.nominated:
            phantom = self._found.get(pod)
            if phantom is not None:
                phantom.dump = phantom.dump or event
