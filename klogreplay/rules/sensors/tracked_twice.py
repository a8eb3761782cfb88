"""Pods that the scheduler had in two places at once: in flight and in the queue, or in flight twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import Flight, Flights

_HANDED_BACK = 64
"""A refusal follows the failure within a few lines: so many failures wait for theirs."""


class _Flight(Flight):
    gone: bool = False


class Twice(msgspec.Struct):
    """A pod in two places: `first` is the attempt under way (None where its Pop was not seen), `second` the proof.

    `how`: "attempted" a second attempt began, "refused" the hand-back found the pod queued already, "discarded" the
    scheduler noticed it at the second Pop (1.32+).
    """

    pod: str
    how: Literal["attempted", "refused", "discarded"]
    first: ev.SchedulerEvent | None
    second: ev.SchedulerEvent


class TrackedTwice(Sensor[Twice]):
    """Follows attempts from Pop to end. A pod that is deleted meanwhile may come back as another one: not counted."""

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
            ev.AttemptFailed: self._failed,
            ev.RequeueRefused: self._refused,
            ev.DuplicateDiscarded: self._discarded,
            ev.Bound: lambda e: self._flights.end(e.pod),
            ev.AttemptSkipped: lambda e: self._flights.end(e.pod),
            ev.PodGone: lambda e: self._flights.end(e.pod),
        }

    def finish(self) -> list[Twice]:
        """See `Sensor`."""
        return self._found

    def _begin(self, event: ev.Popped | ev.Attempting) -> None:
        replaced = self._flights.begin(event)
        if replaced is not None and not replaced.gone:
            self._find(Twice(event.pod, "attempted", replaced.popped, event))

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
