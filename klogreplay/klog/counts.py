"""What became of the physical lines of a log."""

from __future__ import annotations

import re
from bisect import bisect_left

import msgspec

from klogreplay.intake.repairs.damage import DamageLog

_MOST_SHAPES = 1000
_SHAPE_LENGTH = 60
_MOST_HOLES = 100_000
_NO_END = 1 << 62
_DIGITS = re.compile(r"[0-9]+")


class Shape(msgspec.Struct, gc=False):
    """A kind of line that was not understood: its text with digits as "0", how often, and where first."""

    shape: str
    count: int
    first_line: int


class Holes(msgspec.Struct):
    """Places where lines may be missing, as input and line number.

    Where an input has too many to note, one is taken to be everywhere behind the last of them.
    """

    lines: dict[int, list[int]] = {}

    def note(self, source: int, line: int) -> None:
        """One more place; those of an input come in the order of its lines."""
        lines = self.lines.setdefault(source, [])
        if len(lines) <= _MOST_HOLES and (not lines or lines[-1] < line):
            lines.append(line)

    def between(self, first: tuple[int, int], last: tuple[int, int]) -> bool:
        """Whether there is one from `first` to `last`, both included."""
        if not self.lines:
            return False
        if first[0] == last[0]:
            return self._within(first[0], first[1], last[1])
        return (
            self._within(first[0], first[1], _NO_END)
            or self._within(last[0], 0, last[1])
            or any(source in self.lines for source in range(first[0] + 1, last[0]))
        )

    def _within(self, source: int, first: int, last: int) -> bool:
        lines = self.lines.get(source, ())
        at = bisect_left(lines, first)
        return at > _MOST_HOLES or (at < len(lines) and lines[at] <= last)


class Counts(msgspec.Struct, gc=False):
    """Physical lines by what became of them: `records` + `framing` + `unknown` = `total`.

    `framing` are blank lines and those that open and close log files and test runs (see `klogreplay.klog.framing`).
    `dropped` counts, of the lines in records, those of records that nobody wanted, by the label they were dropped with
    (see `klogreplay.klog.fast`). `cut` counts records longer than the limit: the rest is missing from them. `damage` is
    what was mended in single lines, `holes` where lines may be missing.
    """

    total: int = 0
    records: int = 0
    framing: int = 0
    unknown: int = 0
    cut: int = 0
    dropped: dict[str, int] = {}
    shapes: dict[str, Shape] = {}
    damage: DamageLog = msgspec.field(default_factory=DamageLog)
    holes: Holes = msgspec.field(default_factory=Holes)

    def add_unknown(self, text: str, number: int, physical: int = 1) -> None:
        """Count a line that was not understood. Only the first thousand shapes are told apart."""
        self.unknown += physical
        shape = _DIGITS.sub("0", text[:_SHAPE_LENGTH])
        seen = self.shapes.get(shape)
        if seen is not None:
            seen.count += 1
        elif len(self.shapes) < _MOST_SHAPES:
            self.shapes[shape] = Shape(shape, 1, number)

    def commonest(self, most: int = 5) -> list[Shape]:
        """The commonest shapes not understood, the most frequent first."""
        return sorted(self.shapes.values(), key=lambda shape: (-shape.count, shape.first_line))[:most]
