"""Updates of a pod that came while it was being tried, and what the queue made of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE, is_own_update
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, Flights

OWN_PATCH_US = 2_000_000
"""The scheduler's own update of the pod's status comes back within this after a failure."""

POP_LINE_LATE_US = 5_000
"""A Pop is earlier than its line by up to this: an update queued just before the line may have found it in flight."""

MOST_RECENT = 64
MOST_FAILED = 1_000
"""Failed pods whose own status update may still be on its way."""


class _Flight(Flight):
    updated: ev.PodUpdated | None = None
    queued_again: ev.Moved | None = None
    queued_before: ev.Moved | None = None
    recorded: bool = False
    own: bool = False
    failed: ev.AttemptFailed | None = None


class UpdatedInFlight(msgspec.Struct):
    """An attempt during which its pod was updated.

    `queued_again`: the update put the pod into activeQ a second time. `refused`: the queue would not take it back.
    `parked`: it went to unschedulablePods, and the queue had neither recorded the update nor queued the pod. That is
    not told of an update that is the scheduler's own note of the failure before.
    """

    pod: str
    popped: ev.SchedulerEvent
    failed: ev.AttemptFailed
    updated: ev.PodUpdated | None
    queued_again: ev.Moved | None
    refused: ev.RequeueRefused | None
    parked: ev.Moved | None


class UpdatesInFlight(Sensor[UpdatedInFlight]):
    """Follows each attempt from Pop to hand-back."""

    def __init__(self) -> None:
        self._flights = Flights(_Flight)
        self._found: list[UpdatedInFlight] = []
        self._last_failed: dict[str, int] = {}
        self._queued: dict[str, ev.Moved] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Popped: self._begin,
            ev.Attempting: self._begin,
            ev.PodUpdated: self._updated,
            ev.UpdateNotQueued: self._recorded,
            ev.InFlightEventChecked: self._checked,
            ev.Moved: self._moved,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.PodDeleted: lambda e: self._gone(e.pod),
            ev.PodGone: lambda e: self._gone(e.pod),
            ev.Bound: lambda e: self._gone(e.pod),
            ev.AttemptSkipped: lambda e: self._flights.end(e.pod),
        }

    def finish(self) -> list[UpdatedInFlight]:
        """See `Sensor`."""
        return self._found

    def _begin(self, event: ev.Popped | ev.Attempting) -> None:
        self._flights.begin(event)
        queued = self._queued.pop(event.pod, None)
        if queued is not None and event.t - queued.t <= POP_LINE_LATE_US:
            self._flights.open[event.pod].queued_before = queued

    def _updated(self, event: ev.PodUpdated) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None and flight.failed is None and flight.updated is None:
            flight.updated = event
            failed = self._last_failed.get(event.pod)
            flight.own = failed is not None and event.t - failed < OWN_PATCH_US

    def _gone(self, pod: str | None) -> None:
        self._flights.end(pod)
        if pod is not None:
            self._last_failed.pop(pod, None)

    def _recorded(self, event: ev.UpdateNotQueued) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None:
            flight.recorded = True

    def _checked(self, event: ev.InFlightEventChecked) -> None:
        if is_own_update(event.event):
            flight = self._flights.open.get(event.pod)
            if flight is not None:
                flight.recorded = True

    def _moved(self, event: ev.Moved) -> None:
        flight = self._flights.open.get(event.pod)
        if is_own_update(event.event) and event.queue == "Active":
            if flight is not None and flight.failed is None:
                flight.queued_again = event
            else:
                self._queue(event)
        elif event.event == FAILURE and flight is not None:
            self._flights.end(event.pod)
            kept = flight.recorded or flight.own or flight.queued_again is not None
            if flight.updated is not None and not kept and event.queue == "Unschedulable":
                self._find(flight, None, event)

    def _queue(self, event: ev.Moved) -> None:
        self._queued[event.pod] = event
        if len(self._queued) > MOST_RECENT:
            del self._queued[next(iter(self._queued))]

    def _failed(self, event: ev.AttemptFailed) -> None:
        self._last_failed.pop(event.pod, None)
        self._last_failed[event.pod] = event.t
        if len(self._last_failed) > MOST_FAILED:
            del self._last_failed[next(iter(self._last_failed))]
        flight = self._flights.open.get(event.pod)
        if flight is not None:
            if flight.updated is None and flight.queued_again is None and flight.queued_before is None:
                self._flights.end(event.pod)
            else:
                flight.failed = event

    def _refused(self, event: ev.RequeueRefused) -> None:
        flight = self._flights.end(event.pod)
        if flight is not None:
            self._find(flight, event, None)

    def _find(self, flight: _Flight, refused: ev.RequeueRefused | None, parked: ev.Moved | None) -> None:
        if flight.failed is not None and len(self._found) < MOST:
            self._found.append(
                UpdatedInFlight(
                    flight.failed.pod,
                    flight.popped,
                    flight.failed,
                    flight.updated,
                    flight.queued_again or (flight.queued_before if refused is not None else None),
                    refused,
                    parked,
                )
            )
