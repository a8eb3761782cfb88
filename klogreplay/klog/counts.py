"""What became of the physical lines of a log."""

from __future__ import annotations

import re

import msgspec

from klogreplay.intake.repairs.damage import DamageLog

_MOST_SHAPES = 1000
_SHAPE_LENGTH = 60
_DIGITS = re.compile(r"[0-9]+")


class Shape(msgspec.Struct, gc=False):
    """A kind of line that was not understood: its text with digits as "0", how often, and where first."""

    shape: str
    count: int
    first_line: int


class Counts(msgspec.Struct, gc=False):
    """Physical lines by what became of them: `records` + `framing` + `unknown` = `total`.

    `framing` are blank lines and those that open and close log files and test runs (see `klogreplay.klog.framing`).
    `dropped` counts, of the lines in records, those of records that nobody wanted, by the label they were dropped with
    (see `klogreplay.klog.fast`). `cut` counts records longer than the limit: the rest is missing from them. `damage` is
    what was mended in single lines.
    """

    total: int = 0
    records: int = 0
    framing: int = 0
    unknown: int = 0
    cut: int = 0
    dropped: dict[str, int] = {}
    shapes: dict[str, Shape] = {}
    damage: DamageLog = msgspec.field(default_factory=DamageLog)

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
