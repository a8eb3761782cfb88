"""What a dialect of klog output has to offer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from klogreplay.klog.record import Dialect as DialectName
from klogreplay.klog.record import KlogRecord


class Mode(Enum):
    """What may follow the lines of a record seen so far."""

    CLOSED = "nothing: the record is complete"
    TEXT = "any line that begins no record: printf text over several lines"
    VALUE = "any line that begins no record: an unquoted value over several lines"
    BLOCK = "the lines of a block, up to its end mark"


class Dialect(Protocol):
    """One way klog records are written. Lines come without their line break; see `klogreplay.klog.reader`."""

    name: DialectName

    def starts(self, line: str) -> bool:
        """Whether the line is the first of a record of this dialect."""

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record these physical lines make; the first of them satisfies `starts`. Never fails."""

    def first_mode(self, record: KlogRecord) -> Mode:
        """What may follow the first line, given the record it makes alone."""

    def next_mode(self, mode: Mode, first: str, line: str) -> Mode | None:
        """The mode after one more line; None where the line is no part of the record that `first` began."""
