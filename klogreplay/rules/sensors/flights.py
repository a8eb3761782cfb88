"""Attempts that are under way, as the sensors of a process follow them: from the Pop's line to the line of the end."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from klogreplay.events import types as ev

MOST_RECENT = 64
"""Attempts over that are remembered; what the queue says of an end follows within a few lines."""

Begun = Callable[["Flight", "Flight | None"], object]
"""Takes a new attempt, and the one of the same pod that it replaces, if one was open."""


class Flight(msgspec.Struct, eq=False):
    """One attempt under way: the line that shows the Pop, and whether "Attempting to schedule pod" was seen.

    `last_t` is the time of the latest of these lines, in microseconds. `binding`: its binding cycle has begun. `gone`:
    the pod was deleted meanwhile; `deleted` is the line of that, where it came before the binding cycle.
    """

    popped: ev.Popped | ev.Attempting
    attempting: bool = False
    last_t: int = 0
    binding: bool = False
    gone: bool = False
    deleted: ev.PodDeleted | None = None


class FlightBook:
    """The attempts under way in one process, by pod, and the latest that are over.

    The bank keeps it: it takes the line of a Pop before the sensors do, and the line of an end after them, so that they
    find the attempt that ends in `open`. `begun` are told of each new attempt. `recent` has those that ended otherwise
    than by a binding; a log shipper may swap the lines that say so.
    """

    def __init__(self) -> None:
        self.open: dict[str, Flight] = {}
        self.recent: dict[str, Flight] = {}
        self.begun: list[Begun] = []

    def begin(self, event: ev.Popped | ev.Attempting) -> None:
        """Take a line that begins an attempt.

        "About to try" and the "Attempting" that follows are of one attempt; a line that is not later than the one
        before is a copy.
        """
        attempting = event.__class__ is ev.Attempting
        known = self.open.get(event.pod)
        if known is not None and (event.t <= known.last_t or (attempting and not known.attempting)):
            known.attempting = known.attempting or attempting
            known.last_t = max(known.last_t, event.t)
            return
        flight = self.open[event.pod] = Flight(event, attempting, event.t)
        for begun in self.begun:
            begun(flight, known)

    def of(self, pod: str) -> Flight | None:
        """The attempt of the pod that is under way, else its latest one if that ended just now without a binding."""
        return self.open.get(pod) or self.recent.get(pod)

    def bind(self, event: ev.BindAttempted) -> None:
        """The binding cycle of an attempt has begun."""
        flight = self.open.get(event.pod)
        if flight is not None:
            flight.binding = True

    def delete(self, event: ev.PodDeleted) -> None:
        """A pod is gone from the informer of unscheduled pods, which a bound pod leaves, too."""
        flight = self.open.get(event.pod)
        if flight is not None:
            flight.gone = True
            if not flight.binding:
                flight.deleted = event

    def end(self, event: ev.Bound | ev.AttemptSkipped) -> None:
        """An attempt is over and its pod does not come back to the queue."""
        self.open.pop(event.pod, None)

    def give_up(self, event: ev.AttemptFailed | ev.PodGone | ev.DuplicateDiscarded) -> None:
        """An attempt is over without a binding."""
        flight = None if event.pod is None else self.open.pop(event.pod, None)
        if flight is not None and event.pod is not None:
            self.recent.pop(event.pod, None)
            self.recent[event.pod] = flight
            if len(self.recent) > MOST_RECENT:
                del self.recent[next(iter(self.recent))]
