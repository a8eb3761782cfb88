"""Lines broken at a fixed width, in the middle of words, as copies from a terminal are: they are joined.

Only where the text shows a width: no line is longer, and what follows lines that are full begins no record, or what
begins no record follows lines that are full. A blank at the very end of a full line may be lost in copying. A hanging
indent, which all lines that go on have in common, is cut; where it is not in common, no value is put together over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs import torn
from klogreplay.intake.repairs.damage import DamageLog, Mending

JOINED = "lines broken at {width} columns were joined"
APART = "lines broken in the middle of a value go on indented: they were not joined"

_NARROWEST = 40
_FEWEST = 3
_SHARE = 0.9
_WIDEST = 300
"""Few terminals are wider, and lines of one length there may be a record's that is printed often."""
_FULL_SHARE = 0.005
_FULL_SHARE_BEYOND = 0.03
_SAMPLE = 2000
_DEEPEST_HANG = 32
_WORD_BEGINS = re.compile(rb'="[^" ]*\Z')
_WORD_ENDS = re.compile(rb' {2,}[^" ]*"')


class _Width(NamedTuple):
    """A width in columns; whether lines may lack a blank at their end; whether it is that of the physical lines.

    `hang`: the blanks in front of each line that goes on.
    """

    columns: int
    blank_lost: bool
    physical: bool
    hang: bytes = b""


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
        return _with_hang(batch, _Width(*width, True)) if width else None
    width = _common_width([columns(line) for line in batch.lines[:_SAMPLE]], goes_on)
    return _with_hang(batch, _Width(*width, False)) if width else None


def _with_hang(batch: Batch, width: _Width) -> _Width:
    """The width with the indent that all lines have that go on, where no fewer records are whole without it."""
    lines = batch.lines[:_SAMPLE]
    records: list[list[bytes]] = []
    missing = width.columns
    for line, raw in zip(lines, batch.raw or lines, strict=False):
        if records and _is_full(missing, width) and _may_go_on(line):
            records[-1].append(b" " * missing + line)
        else:
            records.append([line])
        missing = width.columns - columns(raw if width.physical else line)
    rests = [part for record in records for part in record[1:]]
    hang = min((len(rest) - len(rest.lstrip(b" ")) for rest in rests), default=0)
    if len(rests) < _FEWEST or not 0 < hang <= _DEEPEST_HANG:
        return width
    broken = [record for record in records if len(record) > 1]
    kept = sum(_is_whole(b"".join(record)) for record in broken)
    cut = sum(_is_whole(b"".join([record[0], *(part[hang:] for part in record[1:])])) for record in broken)
    # A single blank may be the record's own, if lines that are all alike are broken.
    return width._replace(hang=b" " * hang) if cut > kept or (cut == kept and hang > 1) else width


def _is_full(missing: int, width: _Width) -> bool:
    return missing == 0 or (missing == 1 and width.blank_lost)


def _is_whole(line: bytes) -> bool:
    return torn.is_whole(line.decode("utf-8", "replace"))


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
            if self._belongs(line, mark):
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

    def _belongs(self, line: bytes, mark: Mark) -> bool:
        """Whether the line is the rest of the one that is held."""
        if not self._parts or not _is_full(self._missing, self._width) or self._size >= self._limit:
            return False
        if not _may_go_on(line) or not line.startswith(self._width.hang):
            return False
        if not self._width.hang and _WORD_ENDS.match(line) and _WORD_BEGINS.search(self._parts[-1]):
            self._damage.note(APART, mark.number)
            return False
        return True

    def _join(self, line: bytes, mark: Mark) -> None:
        if len(self._parts) == 1:
            self._damage.note(JOINED.format(width=self._width.columns), self._mark.number)
        self._parts[-1] = self._parts[-1].removesuffix(b"\r")
        self._parts.append(b" " * self._missing + line[len(self._width.hang) :])
        self._size += len(line) + 1
        self._mark = Mark(self._mark.number, self._mark.offset, self._mark.physical + mark.physical)

    def _give(self, out: Batch) -> None:
        if self._parts:
            out.add(b"".join(self._parts), self._mark, self._raw)
