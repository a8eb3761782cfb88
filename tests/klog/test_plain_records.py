"""Formatted text without a header that continues nothing is a record of its own, for those who ask for it."""

from __future__ import annotations

from klogreplay.intake.line import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.reader import read_records

LINES = [
    "plain0",
    '"a" x="1"',
    "plain line",
    '"b" y="2"',
    "",
    'I1201 07:00:00.000001       1 a.go:1] "c" z=1',
    "behind",
]


def test_each_such_line_is_a_record_and_counted_as_unknown() -> None:
    counts = Counts()
    lines = [LogLine(text, n) for n, text in enumerate(LINES, 1)]
    records = list(read_records(lines, counts, keep_plain=True))
    assert [(r.line, r.msg, r.header is None) for r in records] == [
        (1, "plain0", True),
        (2, "a", True),
        (3, "plain line", True),
        (4, "b", True),
        (6, "c", False),
        (7, "behind", True),
    ]
    assert counts.total == len(LINES)
    assert counts.records == 3


def test_they_are_left_out_otherwise() -> None:
    records = read_records([LogLine(text, n) for n, text in enumerate(LINES, 1)])
    assert [r.msg for r in records] == ["a", "b", "c"]
