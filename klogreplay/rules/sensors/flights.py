"""Attempts that are under way, as several sensors follow them: from the Pop's line to the line of the end."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from klogreplay.events import types as ev


class Flight(msgspec.Struct):
    """One attempt under way: the line that shows the Pop, and whether "Attempting to schedule pod" was seen.

    `last_t` is the time of the latest of these lines, in microseconds.
    """

    popped: ev.SchedulerEvent
    attempting: bool = False
    last_t: int = 0


F = TypeVar("F", bound=Flight)


class Flights(Generic[F]):
    """The attempts under way, by pod. `kind` makes the state of a new one from its first line."""

    def __init__(self, kind: type[F]) -> None:
        self._kind = kind
        self.open: dict[str, F] = {}

    def begin(self, event: ev.Popped | ev.Attempting) -> F | None:
        """Take a line that begins an attempt; gives the attempt of that pod which it replaces, if one is open.

        "About to try" and the "Attempting" that follows are of one attempt; a line that is not later than the one
        before is a copy.
        """
        attempting = isinstance(event, ev.Attempting)
        known = self.open.get(event.pod)
        if known is not None:
            copied = event.t <= known.last_t
            follows = attempting and not known.attempting
            if copied or follows:
                known.attempting = known.attempting or attempting
                known.last_t = max(known.last_t, event.t)
                return None
        self.open[event.pod] = self._kind(event, attempting, event.t)
        return known

    def end(self, pod: str | None) -> F | None:
        """The attempt of `pod` is over; gives it."""
        return None if pod is None else self.open.pop(pod, None)
