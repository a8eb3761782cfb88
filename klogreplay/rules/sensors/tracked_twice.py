"""Pods that the scheduler had in two places at once: in flight and in the queue, or in flight twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE, is_own_update
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, FlightBook

LEAST_BACKOFF_US = 900_000
"""A failed pod is not popped again before this, with the default backoff of a second (some events skip backoff)."""

_HANDED_BACK = 64
"""A refusal follows the failure within a few lines: so many failures wait for theirs."""


class Twice(msgspec.Struct):
    """A pod in two places: `first` is the attempt under way (None where its Pop was not seen), `second` the proof.

    `how`: "popped" it was popped again while it was being bound, "assigned" a further attempt found it bound already,
    "refused" the hand-back found the pod queued already, "discarded" the second Pop was noticed (1.32+).
    """

    pod: str
    how: Literal["popped", "assigned", "refused", "discarded"]
    first: ev.SchedulerEvent | None
    second: ev.SchedulerEvent


class TrackedTwice(Sensor[Twice]):
    """Follows attempts from Pop to end.

    A pod that is deleted meanwhile may come back as another one: not counted. Nor are two Pops in a row by themselves,
    since the log may have lost a line; one that was handed back is in the queue rightly. The second one counts where
    the binding of the first goes on behind it, and where it comes earlier than a failed pod could come back, or after
    an update in flight.
    """

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        flights.begun.append(self._begun)
        self._updated: dict[str, Flight] = {}
        self._returned: dict[str, Flight] = {}
        self._second: dict[str, tuple[Flight, Flight]] = {}
        self._found: list[Twice] = []
        self._failed_at: dict[str, ev.SchedulerEvent] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Moved: self._moved,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.DuplicateDiscarded: self._discarded,
            ev.BindAttempted: self._binding,
            ev.PodGone: self._let_go,
        }

    def finish(self) -> list[Twice]:
        """See `Sensor`."""
        return self._found

    def _begun(self, flight: Flight, replaced: Flight | None) -> None:
        if replaced is None:
            return
        pod = flight.popped.pod
        self._second.pop(pod, None)
        updated = self._updated.pop(pod, None) is replaced
        returned = self._returned.pop(pod, None) is replaced
        if replaced.gone or not replaced.attempting or returned:
            return
        if updated or flight.popped.t - replaced.popped.t < LEAST_BACKOFF_US:
            self._second[pod] = flight, replaced
            if len(self._second) > MOST:
                del self._second[next(iter(self._second))]

    def _moved(self, event: ev.Moved) -> None:
        if event.event == FAILURE:
            # The line of the failure itself was lost where the attempt is still open here.
            flight = self.flights.open.get(event.pod)
            if flight is not None:
                self._returned[event.pod] = flight
                if len(self._returned) > MOST:
                    del self._returned[next(iter(self._returned))]
            return
        if event.queue == "Active" and is_own_update(event.event):
            flight = self.flights.open.get(event.pod)
            if flight is not None:
                self._updated[event.pod] = flight
                if len(self._updated) > MOST:
                    del self._updated[next(iter(self._updated))]

    def _binding(self, event: ev.BindAttempted) -> None:
        if not self._second:
            return
        flight, before = self._second.get(event.pod, (None, None))
        if flight is None or before is None or flight is not self.flights.open.get(event.pod):
            return
        if not flight.attempting:
            # The second Pop was let go without a word: an assumed pod is skipped.
            self._find(Twice(event.pod, "popped", before.popped, flight.popped))
            del self._second[event.pod]

    def _let_go(self, event: ev.PodGone) -> None:
        if event.reason == "assigned" and event.pod is not None:
            flight = self.flights.open.get(event.pod)
            first = self._failed_at.get(event.pod) if flight is None else flight.popped
            self._find(Twice(event.pod, "assigned", first, event))

    def _failed(self, event: ev.AttemptFailed) -> None:
        flight = self.flights.open.get(event.pod)
        self._failed_at.pop(event.pod, None)
        if len(self._failed_at) > _HANDED_BACK:
            self._failed_at.clear()
        if flight is not None and not flight.gone:
            self._failed_at[event.pod] = flight.popped

    def _refused(self, event: ev.RequeueRefused) -> None:
        first = self._failed_at.pop(event.pod, None) if event.pod is not None else None
        if event.pod is not None and first is not None:
            self._find(Twice(event.pod, "refused", first, event))

    def _discarded(self, event: ev.DuplicateDiscarded) -> None:
        if event.pod is not None:
            flight = self.flights.open.get(event.pod)
            self._find(Twice(event.pod, "discarded", None if flight is None else flight.popped, event))

    def _find(self, twice: Twice) -> None:
        if len(self._found) < MOST:
            self._found.append(twice)
