"""Pods that the scheduler had in two places at once: in flight and in the queue, or in flight twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import is_own_update
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, Flights

LEAST_BACKOFF_US = 900_000
"""A failed pod is not popped again before this, with the default backoff of a second (some events skip backoff)."""

_HANDED_BACK = 64
"""A refusal follows the failure within a few lines: so many failures wait for theirs."""


class _Flight(Flight):
    gone: bool = False
    updated: bool = False
    before: Flight | None = None


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
    since the log may have lost a line. The second one counts where the binding of the first goes on behind it, and
    where it comes earlier than a failed pod could come back, or after an update in flight.
    """

    def __init__(self) -> None:
        self._flights = Flights(_Flight)
        self._found: list[Twice] = []
        self._failed_at: dict[str, ev.SchedulerEvent] = {}

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Popped: self._begin,
            ev.Attempting: self._begin,
            ev.PodDeleted: self._deleted,
            ev.Moved: self._moved,
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.DuplicateDiscarded: self._discarded,
            ev.BindAttempted: self._binding,
            ev.Bound: lambda e: self._flights.end(e.pod),
            ev.AttemptSkipped: lambda e: self._flights.end(e.pod),
            ev.PodGone: self._let_go,
        }

    def finish(self) -> list[Twice]:
        """See `Sensor`."""
        return self._found

    def _begin(self, event: ev.Popped | ev.Attempting) -> None:
        replaced = self._flights.begin(event)
        if replaced is None or replaced.gone or not replaced.attempting:
            return
        if replaced.updated or event.t - replaced.popped.t < LEAST_BACKOFF_US:
            self._flights.open[event.pod].before = replaced

    def _moved(self, event: ev.Moved) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None and event.queue == "Active" and is_own_update(event.event):
            flight.updated = True

    def _binding(self, event: ev.BindAttempted) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None and flight.before is not None and not flight.attempting:
            # The second Pop was let go without a word: an assumed pod is skipped.
            self._find(Twice(event.pod, "popped", flight.before.popped, flight.popped))
            flight.before = None

    def _let_go(self, event: ev.PodGone) -> None:
        flight = self._flights.end(event.pod)
        first = self._failed_at.get(event.pod or "") if flight is None else flight.popped
        if event.reason == "assigned" and event.pod is not None:
            self._find(Twice(event.pod, "assigned", first, event))

    def _deleted(self, event: ev.PodDeleted) -> None:
        flight = self._flights.open.get(event.pod)
        if flight is not None:
            flight.gone = True

    def _failed(self, event: ev.AttemptFailed) -> None:
        flight = self._flights.end(event.pod)
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
            flight = self._flights.open.get(event.pod)
            self._find(Twice(event.pod, "discarded", None if flight is None else flight.popped, event))

    def _find(self, twice: Twice) -> None:
        if len(self._found) < MOST:
            self._found.append(twice)
