"""Lines broken at a fixed width, in the middle of words, as copies from a terminal are: they are joined.

Only where the text shows a width: no line is longer, and what follows lines that are full begins no record, or what
begins no record follows lines that are full. A blank at the very end of a full line may be lost in copying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs.damage import DamageLog, Mending

JOINED = "lines broken at {width} columns were joined"

_NARROWEST = 40
_FEWEST = 3
_SHARE = 0.9
_WIDEST = 300
"""Few terminals are wider, and lines of one length there may be a record's that is printed often."""
_FULL_SHARE = 0.005
_FULL_SHARE_BEYOND = 0.03
_SAMPLE = 2000


class _Width(NamedTuple):
    """A width in columns; whether lines may lack a blank at their end; whether it is that of the physical lines."""

    columns: int
    blank_lost: bool
    physical: bool


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, with broken lines joined where the first batch shows a width."""
    first = next(batches, None)
    if first is None:
        return
    width = _width_of(first)
    if width is None:
        yield first
        yield from batches
        return
    joiner = _Joiner(width, mending.limits.line_bytes, mending.damage)
    yield joiner.batch(first)
    for batch in batches:
        yield joiner.batch(batch)
    yield joiner.rest()


def _width_of(batch: Batch) -> _Width | None:
    """The width, if the lines show one: that of the physical lines, or of what was taken out of them."""
    goes_on = [_may_go_on(line) for line in batch.lines[1:_SAMPLE]]
    width = _common_width([columns(line) for line in (batch.raw or batch.lines)[:_SAMPLE]], goes_on)
    if width or batch.raw is None:
        return _Width(*width, True) if width else None
    width = _common_width([columns(line) for line in batch.lines[:_SAMPLE]], goes_on)
    return _Width(*width, False) if width else None


def _may_go_on(line: bytes) -> bool:
    """Whether a line may be the rest of the one before; those of a block have a tab in front."""
    return not line.startswith((b"\t", b" >", b'{"ts":')) and look(line) is not Look.RECORD


def _common_width(sizes: Sequence[int], goes_on: Sequence[bool]) -> tuple[int, bool] | None:
    """The width at which lines are broken, and whether a blank at their end may be lost."""
    width = max(sizes, default=0)
    if width < _NARROWEST or all(goes_on):
        return None
    pairs = list(zip(sizes, goes_on, strict=False))
    full = [rest for size, rest in pairs if size == width]
    nearly = [rest for size, rest in pairs if size == width - 1]
    share = _FULL_SHARE if width <= _WIDEST else _FULL_SHARE_BEYOND
    broken = sum(full)
    # Records may be as long as the width by chance, and a record's further lines may follow any line: not both often.
    if broken < max(_FEWEST, share * len(sizes)) or broken + sum(nearly) < _SHARE * min(len(full), sum(goes_on)):
        return None
    return width, any(nearly)


def columns(line: bytes) -> int:
    """The width of a line, in characters."""
    text = line.removesuffix(b"\r")
    return len(text) if text.isascii() else len(text.decode("utf-8", "replace"))


class _Joiner:
    """Holds a line until it is known that the next does not belong to it."""

    def __init__(self, width: _Width, limit: int, damage: DamageLog) -> None:
        self._width = width
        self._limit = limit
        self._damage = damage
        self._parts: list[bytes] = []
        self._size = 0
        self._missing = width.columns
        self._mark = Mark(1, 0, 1)
        self._raw = b""

    def batch(self, batch: Batch) -> Batch:
        out = Batch.like(batch)
        for line, mark, raw in zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True):
            if self._parts and self._is_full() and self._size < self._limit and _may_go_on(line):
                self._join(line, mark)
            else:
                self._give(out)
                self._parts, self._size, self._mark = [line], len(line), mark
            self._raw = raw
            self._missing = self._width.columns - columns(raw if self._width.physical else line)
        return out

    def rest(self) -> Batch:
        out = Batch.like(Batch([], self._mark.number, self._mark.offset))
        self._give(out)
        return out

    def _is_full(self) -> bool:
        return self._missing == 0 or (self._missing == 1 and self._width.blank_lost)

    def _join(self, line: bytes, mark: Mark) -> None:
        if len(self._parts) == 1:
            self._damage.note(JOINED.format(width=self._width.columns), self._mark.number)
        self._parts[-1] = self._parts[-1].removesuffix(b"\r")
        self._parts.append(b" " * self._missing + line)
        self._size += len(line) + 1
        self._mark = Mark(self._mark.number, self._mark.offset, self._mark.physical + mark.physical)

    def _give(self, out: Batch) -> None:
        if self._parts:
            out.add(b"".join(self._parts), self._mark, self._raw)
