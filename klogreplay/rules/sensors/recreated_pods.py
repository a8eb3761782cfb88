"""Pods that were deleted and created anew under their name while an attempt of the old one was under way."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.events.fiterror import error_source
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, FlightBook

AFTERMATH_US = 1_000_000
"""What the queue says of the hand-back follows the failure line within this."""

AFTER_PERMIT = frozenset({"PreBind", "Bind"})


class Recreated(msgspec.Struct):
    """An attempt whose pod was another one by the time it failed.

    `after_permit`: the attempt failed beyond the scheduling cycle, in PreBind or Bind. `refused`: the queue would not
    take the new pod back for the old one's failure. `noticed`: the scheduler saw that it was another pod (1.36).
    """

    pod: str
    popped: ev.SchedulerEvent
    deleted: ev.PodDeleted
    added: ev.PodAdded
    failed: ev.AttemptFailed
    after_permit: bool
    refused: ev.RequeueRefused | None = None
    noticed: ev.PodGone | None = None


class RecreatedPods(Sensor[Recreated]):
    """Watches for Delete and Add of one name between Pop and failure."""

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._deleted: dict[str, Flight] = {}
        self._added: dict[str, tuple[Flight, ev.PodAdded]] = {}
        self._found: list[Recreated] = []
        self._last: dict[str, Recreated] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.PodDeleted: self._delete,
            ev.PodAdded: self._add,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.PodGone: self._gone,
        }

    def finish(self) -> list[Recreated]:
        """See `Sensor`."""
        return self._found

    def _delete(self, event: ev.PodDeleted) -> None:
        flight = self.flights.open.get(event.pod)
        if flight is not None and flight.deleted is event:
            self._deleted.pop(event.pod, None)
            self._deleted[event.pod] = flight
            if len(self._deleted) > MOST:
                del self._deleted[next(iter(self._deleted))]

    def _add(self, event: ev.PodAdded) -> None:
        if not self._deleted:
            return
        flight = self._deleted.pop(event.pod, None)
        if flight is not None and flight is self.flights.open.get(event.pod):
            self._added[event.pod] = flight, event
            if len(self._added) > MOST:
                del self._added[next(iter(self._added))]

    def _failed(self, event: ev.AttemptFailed) -> None:
        if self._deleted:
            self._deleted.pop(event.pod, None)
        flight, added = self._added.pop(event.pod, (None, None)) if self._added else (None, None)
        if flight is None or added is None or flight.deleted is None or flight is not self.flights.of(event.pod):
            return
        if len(self._found) >= MOST:
            return
        source = error_source(event.err) if event.error else None
        late = flight.binding or (source is not None and source.extension_point in AFTER_PERMIT)
        found = Recreated(event.pod, flight.popped, flight.deleted, added, event, late)
        self._found.append(found)
        self._last[event.pod] = found

    def _refused(self, event: ev.RequeueRefused) -> None:
        found = self._just_now(event.pod, event.t)
        if found is not None:
            found.refused = event

    def _gone(self, event: ev.PodGone) -> None:
        if event.reason == "recreated":
            found = self._just_now(event.pod, event.t)
            if found is not None:
                found.noticed = event

    def _just_now(self, pod: str | None, t: int) -> Recreated | None:
        found = self._last.pop(pod, None) if pod is not None else None
        return found if found is not None and t - found.failed.t <= AFTERMATH_US else None
