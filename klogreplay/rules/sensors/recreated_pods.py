"""Pods that were deleted and created anew under their name while an attempt of the old one was under way."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.events.fiterror import error_source
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, Flights

AFTERMATH_US = 1_000_000
"""What the queue says of the hand-back follows the failure line within this."""

AFTER_PERMIT = frozenset({"PreBind", "Bind"})


class _Flight(Flight):
    deleted: ev.PodDeleted | None = None
    added: ev.PodAdded | None = None
    binding: bool = False


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

    def __init__(self) -> None:
        self._flights = Flights(_Flight)
        self._found: list[Recreated] = []
        self._last: dict[str, Recreated] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Popped: self._flights.begin,
            ev.Attempting: self._flights.begin,
            ev.PodDeleted: self._deleted,
            ev.PodAdded: self._added,
            ev.BindAttempted: self._binding,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.PodGone: self._gone,
            ev.Bound: lambda e: self._flights.end(e.pod),
            ev.AttemptSkipped: lambda e: self._flights.end(e.pod),
        }

    def finish(self) -> list[Recreated]:
        """See `Sensor`."""
        return self._found

    def _deleted(self, event: ev.PodDeleted) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None and not flight.binding:
            flight.deleted = event

    def _added(self, event: ev.PodAdded) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None and flight.deleted is not None:
            flight.added = event

    def _binding(self, event: ev.BindAttempted) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None:
            flight.binding = True

    def _failed(self, event: ev.AttemptFailed) -> None:
        flight = self._flights.end(event.pod)
        if flight is None or flight.deleted is None or flight.added is None or len(self._found) >= MOST:
            return
        source = error_source(event.err) if event.error else None
        late = flight.binding or (source is not None and source.extension_point in AFTER_PERMIT)
        found = Recreated(event.pod, flight.popped, flight.deleted, flight.added, event, late)
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
            self._flights.end(event.pod)

    def _just_now(self, pod: str | None, t: int) -> Recreated | None:
        found = self._last.pop(pod, None) if pod is not None else None
        return found if found is not None and t - found.failed.t <= AFTERMATH_US else None
