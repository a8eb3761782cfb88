"""Failed pods that the scheduler let go because its informer did not know them, and that nobody had deleted."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

TOGETHER_US = 10_000
"""The two lines belong to one failure when they are closer than this; a log shipper may swap them."""

MOST_RECENT = 64


class Dropped(msgspec.Struct):
    """A failed attempt whose pod was not found, though no line before or after says that it was deleted.

    Nothing more was heard of the pod until the log ended, at `until_t` (microseconds). `deletions_shown`: the log is of
    a level (V3) at which deletions are printed.
    """

    pod: str
    failed: ev.AttemptFailed
    gone: ev.PodGone
    until_t: int = 0
    deletions_shown: bool = False


class DroppedPods(Sensor[Dropped]):
    """Pairs the failure with the line that says that the pod is not there; waits for a deletion or a sign of life."""

    wakers = frozenset({ev.AttemptFailed, ev.PodGone, ev.PodDeleted})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._failed: dict[str, tuple[ev.AttemptFailed, bool]] = {}
        self._gone: dict[str, ev.PodGone] = {}
        self._open: dict[str, Dropped] = {}
        self._t = 0
        self._deletions = False

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Popped: self._popped,
            ev.Attempting: self._popped,
            ev.AttemptFailed: self._fail,
            ev.PodGone: self._not_there,
            ev.PodDeleted: self._deleted,
            ev.PodAdded: lambda e: self._alive(e.pod),
            ev.Moved: lambda e: self._alive(e.pod),
            ev.Bound: self._bound,
        }

    def finish(self) -> list[Dropped]:
        """See `Sensor`."""
        for dropped in self._open.values():
            dropped.until_t = self._t
            dropped.deletions_shown = self._deletions
        return list(self._open.values())

    def _alive(self, pod: str) -> None:
        if self._open:
            self._open.pop(pod, None)

    def _popped(self, event: ev.Popped | ev.Attempting) -> None:
        self._t = event.t
        self._alive(event.pod)

    def _bound(self, event: ev.Bound) -> None:
        self._t = event.t
        self._alive(event.pod)

    def _deleted(self, event: ev.PodDeleted) -> None:
        self._t = event.t
        self._deletions = True
        self._alive(event.pod)

    def _fail(self, event: ev.AttemptFailed) -> None:
        self._t = event.t
        self._alive(event.pod)
        flight = self.flights.of(event.pod)
        deleted = flight is not None and flight.gone
        gone = self._gone.pop(event.pod, None)
        if gone is not None:
            self._pair(event, gone, deleted=deleted)
            return
        self._failed[event.pod] = (event, deleted)
        if len(self._failed) > MOST_RECENT:
            del self._failed[next(iter(self._failed))]

    def _not_there(self, event: ev.PodGone) -> None:
        if event.reason != "not-in-informer" or event.pod is None:
            return
        known = self._failed.pop(event.pod, None)
        if known is not None:
            self._pair(known[0], event, deleted=known[1])
            return
        self._gone[event.pod] = event
        if len(self._gone) > MOST_RECENT:
            del self._gone[next(iter(self._gone))]

    def _pair(self, failed: ev.AttemptFailed, gone: ev.PodGone, *, deleted: bool) -> None:
        if not deleted and abs(gone.t - failed.t) <= TOGETHER_US and len(self._open) < MOST:
            self._open[failed.pod] = Dropped(failed.pod, failed, gone)
            self.awake = True
