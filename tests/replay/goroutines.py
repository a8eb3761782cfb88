"""Goroutines that take turns as drawn: generators that do one step at a time, and one clock for all of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

SECOND: Final = 1_000_000
FOREVER: Final = 1 << 60
Step = tuple[int, int]
"""When the next step of a goroutine comes, at the earliest and at the latest, in microseconds from now."""
Goroutine = Generator[Step, None, None]


class Draw:
    """The choices of one schedule: draws numbers below a bound from a given sequence, then only zeros."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = iter(numbers)
        self.spent = False

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        number = next(self._numbers, None)
        if number is None:
            self.spent = True
            return 0
        return number % n


@dataclass
class _Running:
    goroutine: Goroutine
    earliest: int
    latest: int


class Goroutines:
    """Those that run, and the time (microseconds).

    One that yields FOREVER as its earliest moment sleeps until a step of another one is done, and is then asked again.
    """

    def __init__(self, draw: Draw, now: int) -> None:
        self.draw = draw
        self.now = now
        self._running: list[_Running] = []

    def run(self, steps: int, until: int = FOREVER) -> None:
        """Let the goroutines make so many steps, or run until that moment (microseconds)."""
        for _ in range(steps):
            if self.now >= until:
                return
            self._step()

    def _step(self) -> None:
        ready = [r for r in self._running if r.earliest < FOREVER]
        chosen = ready[self.draw.below(len(ready))]
        pace = (1, 7, 40, 300, 1_500, 9_000, 60_000, 400_000)[self.draw.below(8)]
        moment = max(self.now + 1, chosen.earliest) + pace
        hurried = min(ready, key=lambda r: r.latest)
        if moment > hurried.latest:
            chosen = hurried
            moment = max(self.now + 1, chosen.earliest)
        self.now = min(moment, max(chosen.latest, self.now + 1))
        self._resume(chosen)
        for running in list(self._running):
            if running.earliest == FOREVER:
                self._resume(running)

    def _resume(self, running: _Running) -> None:
        try:
            earliest, latest = next(running.goroutine)
        except StopIteration:
            self._running.remove(running)
            return
        running.earliest = self.now + earliest if earliest < FOREVER else FOREVER
        running.latest = self.now + latest if latest < FOREVER else FOREVER

    def spawn(self, goroutine: Goroutine) -> None:
        """Start one; it makes its first step at once."""
        running = _Running(goroutine, self.now, FOREVER)
        self._running.append(running)
        self._resume(running)
