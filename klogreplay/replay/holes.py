"""Signs that lines of a log are missing: then silence proves nothing.

Three kinds: places where reading met damage (handed in), a heartbeat that stopped (the lease is renewed at a steady
pace, printed at -v=5), and lines that could not have come without others before them (`Follower.lost`).
"""

from __future__ import annotations

from typing import Protocol

from klogreplay.replay.sources import split

MISSED_BEATS = 2.5
"""So many usual intervals without a renewal are a hole: one late renewal is none (RenewDeadline is 5 RetryPeriods, but
what is not renewed within two of them is rare)."""

LOST_NEAR_US = 30_000_000
"""For so long after lines that came without others before them nothing is proven by what is not there."""

SHORTEST_BEAT_US = 500_000
"""Renewals nearer to each other are retries, not the pace."""

_NEVER = 1 << 62


class Damage(Protocol):
    """Where reading met damage behind which lines may be missing."""

    def damaged_between(self, first: tuple[int, int], last: tuple[int, int]) -> bool:
        """Whether there is some from one line to another, each given as input and line number."""


class Undamaged:
    """No damage is known of."""

    def damaged_between(self, first: tuple[int, int], last: tuple[int, int]) -> bool:
        """See `Damage`."""
        return False


class Holes:
    """What is known of missing lines in the log of one process.

    Times are in microseconds, lines are numbered as the follower knows them. `damage` is what reading met.
    """

    def __init__(self) -> None:
        self.damage: Damage = Undamaged()
        self._beat_t: int | None = None
        self._pace_us = _NEVER
        self._over_t = self._lost_t = -_NEVER

    def beat(self, t: int) -> None:
        """The lease was renewed."""
        if self._beat_t is not None:
            interval = t - self._beat_t
            if self._missed(t):
                self._over_t = t
            elif interval >= SHORTEST_BEAT_US:
                self._pace_us = min(self._pace_us, interval)
        self._beat_t = t

    def rest(self) -> None:
        """The lease is not this process' any more, or not yet: nothing beats."""
        self._beat_t = None

    def lost(self, t: int) -> None:
        """A line came that others had to come before, which did not."""
        self._over_t = self._lost_t = t

    def lost_near(self, t: int) -> bool:
        """Whether such a line came shortly before, or comes later."""
        return t - self._lost_t < LOST_NEAR_US

    def between(self, first: int, last: int, since: int, now: int) -> bool:
        """Whether lines may be missing between two lines, of the times `since` and `now`."""
        return self._over_t > since or self._missed(now) or self.damage.damaged_between(split(first), split(last))

    def _missed(self, t: int) -> bool:
        return self._beat_t is not None and t - self._beat_t > MISSED_BEATS * self._pace_us
