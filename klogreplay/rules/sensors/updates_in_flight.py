"""Updates of a pod that came while it was being tried, and what the queue made of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE, is_own_update
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, FlightBook

OWN_PATCH_US = 2_000_000
"""The scheduler's own update of the pod's status comes back within this after a failure."""

POP_LINE_LATE_US = 5_000
"""A Pop is earlier than its line by up to this: an update queued just before the line may have found it in flight."""

MOST_RECENT = 64
MOST_FAILED = 1_000
"""Failed pods whose own status update may still be on its way."""


class _Update(msgspec.Struct):
    flight: Flight
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
    """Follows each attempt that anything is told of beside its Pop, until its hand-back."""

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        flights.begun.append(self._begun)
        self._found: list[UpdatedInFlight] = []
        self._last_failed: dict[str, int] = {}
        self._queued: dict[str, ev.Moved] = {}
        self._updates: dict[str, _Update] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.PodUpdated: self._updated,
            ev.UpdateNotQueued: self._recorded,
            ev.InFlightEventChecked: self._checked,
            ev.Moved: self._moved,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.PodDeleted: self._gone,
            ev.PodGone: self._gone,
            ev.Bound: self._gone,
            ev.AttemptSkipped: self._skipped,
        }

    def finish(self) -> list[UpdatedInFlight]:
        """See `Sensor`."""
        return self._found

    def _of(self, pod: str) -> _Update | None:
        """What is told of the pod's attempt under way; None where none is, or its pod was deleted."""
        known = self._updates.get(pod)
        if known is not None:
            return known
        flight = self.flights.open.get(pod)
        if flight is None or flight.gone:
            return None
        known = self._updates[pod] = _Update(flight)
        if len(self._updates) > MOST:
            del self._updates[next(iter(self._updates))]
        return known

    def _begun(self, flight: Flight, _replaced: Flight | None) -> None:
        if self._updates:
            self._updates.pop(flight.popped.pod, None)
        if self._queued:
            queued = self._queued.pop(flight.popped.pod, None)
            if queued is not None and flight.popped.t - queued.t <= POP_LINE_LATE_US:
                self._updates[flight.popped.pod] = _Update(flight, queued_before=queued)

    def _updated(self, event: ev.PodUpdated) -> None:
        update = self._of(event.pod)
        if update is not None and update.failed is None and update.updated is None:
            update.updated = event
            failed = self._last_failed.get(event.pod)
            update.own = failed is not None and event.t - failed < OWN_PATCH_US

    def _gone(self, event: ev.PodDeleted | ev.PodGone | ev.Bound) -> None:
        if event.pod is not None:
            if self._updates:
                self._updates.pop(event.pod, None)
            self._last_failed.pop(event.pod, None)

    def _skipped(self, event: ev.AttemptSkipped) -> None:
        self._updates.pop(event.pod, None)

    def _recorded(self, event: ev.UpdateNotQueued) -> None:
        update = self._of(event.pod)
        if update is not None:
            update.recorded = True

    def _checked(self, event: ev.InFlightEventChecked) -> None:
        if is_own_update(event.event):
            update = self._of(event.pod)
            if update is not None:
                update.recorded = True

    def _moved(self, event: ev.Moved) -> None:
        if event.event == FAILURE:
            update = self._updates.pop(event.pod, None) if self._updates else None
            if update is None:
                return
            kept = update.recorded or update.own or update.queued_again is not None
            if update.updated is not None and not kept and event.queue == "Unschedulable":
                self._find(update, None, event)
        elif event.queue == "Active" and is_own_update(event.event):
            update = self._of(event.pod)
            if update is not None and update.failed is None:
                update.queued_again = event
            else:
                self._queue(event)

    def _queue(self, event: ev.Moved) -> None:
        self._queued[event.pod] = event
        if len(self._queued) > MOST_RECENT:
            del self._queued[next(iter(self._queued))]

    def _failed(self, event: ev.AttemptFailed) -> None:
        self._last_failed.pop(event.pod, None)
        self._last_failed[event.pod] = event.t
        if len(self._last_failed) > MOST_FAILED:
            del self._last_failed[next(iter(self._last_failed))]
        update = self._updates.get(event.pod) if self._updates else None
        if update is not None:
            if update.updated is None and update.queued_again is None and update.queued_before is None:
                del self._updates[event.pod]
            else:
                update.failed = event

    def _refused(self, event: ev.RequeueRefused) -> None:
        update = self._updates.pop(event.pod, None) if event.pod is not None else None
        if update is not None:
            self._find(update, event, None)

    def _find(self, update: _Update, refused: ev.RequeueRefused | None, parked: ev.Moved | None) -> None:
        if update.failed is not None and len(self._found) < MOST:
            self._found.append(
                UpdatedInFlight(
                    update.failed.pod,
                    update.flight.popped,
                    update.failed,
                    update.updated,
                    update.queued_again or (update.queued_before if refused is not None else None),
                    refused,
                    parked,
                )
            )
