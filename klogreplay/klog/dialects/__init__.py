"""The dialects of klog output, in the order in which a line is tried."""

from __future__ import annotations

from klogreplay.klog.dialects.base import Dialect, Mode
from klogreplay.klog.dialects.json import JsonDialect
from klogreplay.klog.dialects.ktesting import KtestingDialect
from klogreplay.klog.dialects.text import TextDialect

TEXT = TextDialect()
KTESTING = KtestingDialect()
JSON = JsonDialect()

DIALECTS: tuple[Dialect, ...] = (TEXT, JSON, KTESTING)

__all__ = ["DIALECTS", "JSON", "KTESTING", "TEXT", "Dialect", "Mode", "detect"]


def detect(line: str) -> Dialect | None:
    """The dialect of which this line begins a record; None where it begins none."""
    for dialect in DIALECTS:
        if dialect.starts(line):
            return dialect
    return None
