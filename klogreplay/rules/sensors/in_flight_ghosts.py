"""In-flight entries that outlive their attempt: the queue counts more pods in flight than the log shows."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

SETTLED_US = 2_000_000
"""An attempt whose end was printed longer ago than this is over in the queue's books as well."""


class Ghosts(msgspec.Struct):
    """More pods in flight than the log shows, from `first` to `last`.

    `excess` is by how many at least at the last time, `sightings` how often it was seen. `idle`: a line says that pods
    are in flight while the log shows none, so the excess needs no numbers. `ended` is the end of the attempt before
    `first`. `events` is the largest length of the list of events that was printed with it.
    """

    first: ev.SchedulerEvent
    last: ev.SchedulerEvent
    excess: int
    sightings: int
    idle: ev.EventReceived | None = None
    ended: ev.SchedulerEvent | None = None
    events: int = 0


class InFlightGhosts(Sensor[Ghosts]):
    """Keeps the log's own books of the pods in flight and compares them with the queue's.

    Speaks only of processes whose start the log shows: before the first line anything may be in flight. An end without
    a beginning shows that lines are missing, and that what was seen before it meant nothing.
    """

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._ended: deque[int] = deque()
        self._last: ev.SchedulerEvent | None = None
        self._started = False
        self._ghosts: Ghosts | None = None

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.SchedulerStarted: self._start,
            ev.LeaderElection: self._leader,
            ev.AttemptFailed: self._end,
            ev.AttemptSkipped: self._end,
            ev.Bound: self._end,
            ev.EventReceived: self._received,
            ev.InFlightEventsChecked: self._checked,
        }

    def finish(self) -> list[Ghosts]:
        """See `Sensor`."""
        return [] if self._ghosts is None else [self._ghosts]

    def _start(self, event: ev.SchedulerStarted) -> None:
        self._started = True

    def _leader(self, event: ev.LeaderElection) -> None:
        if event.what == "acquired":
            self._started = True

    def _end(self, event: ev.AttemptFailed | ev.AttemptSkipped | ev.Bound) -> None:
        if event.pod not in self.flights.open:
            last = self._last
            if last is not None and last.t == event.t and last.text == event.text:
                return  # a copied line
            self._ghosts = None
        self._ended.append(event.t)
        self._last = event

    def _settling(self, t: int) -> int:
        """How many attempts ended so recently that the queue may still count them."""
        ended = self._ended
        while ended and t - ended[0] > SETTLED_US:
            ended.popleft()
        return len(ended)

    def _received(self, event: ev.EventReceived) -> None:
        if not self._started:
            return
        known = len(self.flights.open) + self._settling(event.t)
        excess = (1 if event.pods is None else event.pods) - known
        if excess > 0 and (event.pods is not None or not known):
            ghosts = self._see(event, excess)
            if not known and ghosts.idle is None:
                ghosts.idle = event

    def _checked(self, event: ev.InFlightEventsChecked) -> None:
        if not self._started or event.pods_size is None:
            return
        # The pod's own failure was printed before, so it is among those that settle.
        own = 0 if event.pod in self.flights.open else 1
        known = len(self.flights.open) + max(self._settling(event.t), own)
        if event.pods_size > known:
            ghosts = self._see(event, event.pods_size - known)
            ghosts.events = max(ghosts.events, event.events_size or 0)

    def _see(self, event: ev.SchedulerEvent, excess: int) -> Ghosts:
        ghosts = self._ghosts
        if ghosts is None:
            ghosts = self._ghosts = Ghosts(event, event, excess, 0, ended=self._last)
        ghosts.last, ghosts.excess = event, excess
        ghosts.sightings += 1
        return ghosts
