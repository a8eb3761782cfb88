"""The longest silences of each log: when nothing was printed, or what was printed is missing.

The times of a batch's first and last line tell whether there may be one inside, so that few lines are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from klogreplay.intake.batch import Batch
from klogreplay.intake.order_times import SECOND_US, YEAR_US, begins_record, moment

MOST = 3
"""Silences kept of one log."""

SHORTEST_US = 10 * SECOND_US
"""A scheduler at -v=5 renews its lease every two seconds by default, and says so."""


class Silence(msgspec.Struct, frozen=True):
    """From the record at `line` of input `source` to the next, `us` microseconds later."""

    us: int
    source: int
    line: int
    next_source: int
    next_line: int


class _Timed(msgspec.Struct):
    """A record's first line: its time in the year, input and number, and its place in the batch."""

    time: int
    source: int
    line: int
    index: int = 0


class Silences:
    """Looks at the batches of several logs, those of each in their order."""

    def __init__(self) -> None:
        self._last: dict[int, _Timed] = {}
        self._found: dict[int, list[Silence]] = {}

    def of(self, log: int) -> list[Silence]:
        """The longest silences of a log, the longest first."""
        return sorted(self._found.get(log, ()), key=lambda one: (-one.us, one.source, one.line))

    @property
    def logs(self) -> list[int]:
        """The logs that have some, in the order of their numbers."""
        return sorted(self._found)

    def look(self, log: int, source: int, batch: Batch) -> None:
        """Take the next batch of a log; `source` is its input."""
        lines = batch.lines
        first = _timed(lines, range(len(lines)), source)
        if first is None:
            return
        last = _timed(lines, range(len(lines) - 1, first.index, -1), source) or first
        for one in (first, last):
            one.line = _number(batch, one.index)
        before = self._last.get(log)
        if before is not None:
            self._between(log, before, first)
        self._within(log, batch, first, last)
        self._last[log] = last

    def _within(self, log: int, batch: Batch, first: _Timed, last: _Timed) -> None:
        """Halve the batch where it may hold a silence that counts."""
        spans = [(first, last)]
        while spans:
            begin, end = spans.pop()
            if _span(begin, end) < self._least(log):
                continue
            middle = _timed(batch.lines, range((begin.index + end.index + 1) // 2, end.index), begin.source)
            if middle is None:
                middle = _timed(batch.lines, range((begin.index + end.index) // 2, begin.index, -1), begin.source)
            if middle is None:
                self._between(log, begin, end)
                continue
            middle.line = _number(batch, middle.index)
            spans += [(middle, end), (begin, middle)]

    def _least(self, log: int) -> int:
        found = self._found.get(log, ())
        return SHORTEST_US if len(found) < MOST else min(one.us for one in found) + 1

    def _between(self, log: int, before: _Timed, after: _Timed) -> None:
        us = _span(before, after)
        if us < self._least(log):
            return
        found = self._found.setdefault(log, [])
        if len(found) >= MOST:
            found.remove(min(found, key=lambda one: one.us))
        found.append(Silence(us, before.source, before.line, after.source, after.line))


def _timed(lines: Sequence[bytes], indexes: range, source: int) -> _Timed | None:
    """The first of these lines that begins a record and has a time."""
    for index in indexes:
        time = moment(lines[index]) if begins_record(lines[index]) else None
        if time is not None:
            return _Timed(time, source, 0, index)
    return None


def _number(batch: Batch, index: int) -> int:
    return batch.number + index if batch.marks is None else batch.marks[index].number


def _span(before: _Timed, after: _Timed) -> int:
    """Microseconds from one to the other, over New Year too; negative where they are out of order."""
    return (after.time - before.time + YEAR_US // 2) % YEAR_US - YEAR_US // 2
