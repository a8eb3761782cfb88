"""Logs whose newest line comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.intake import InputStats, Limits, LogLine, open_source
from klogreplay.intake.repairs.newest_first import TOO_LARGE, TURNED, is_newest_first


def record(index: int) -> str:
    return f'I0831 20:03:{index // 1000:02}.{index % 1000:06}       1 a.go:1] "m" index={index}'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "0.log"


def read(log: Path, lines: list[str], limits: Limits | None = None) -> tuple[list[LogLine], InputStats]:
    log.write_text("\n".join(lines) + "\n")
    with open_source(log, limits) as source:
        got = list(source)
    return got, source.inputs[0]


def test_lines_are_turned_round_and_counted_from_the_last(log: Path) -> None:
    expected = [record(index) for index in range(3000)]
    lines, stats = read(log, expected[::-1])
    assert [line.text for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, 3001))
    assert (lines[0].offset, lines[-1].offset) == (log.stat().st_size - len(expected[0]) - 1, 0)
    assert stats.warnings == [f"{log}: {TURNED}"]


def test_records_of_several_lines(log: Path) -> None:
    expected = [line for index in range(30) for line in (f"{record(index)} s=<", "\tone", "\ttwo", " >")]
    lines, _ = read(log, expected[::-1])
    assert [line.text for line in lines] == expected


def test_the_parts_of_a_split_line_stay_in_order(log: Path) -> None:
    expected = [record(index) for index in range(30)]
    wrapped = [
        f"2023-08-31T20:03:47Z stderr {tag} {part}"
        for line in expected[::-1]
        for tag, part in (("P", line[:20]), ("F", line[20:]))
    ]
    lines, stats = read(log, wrapped)
    assert [line.text for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, 60, 2))
    assert stats.wrappers == ("cri",)


def test_beyond_the_limit_they_stay_and_it_is_said(log: Path) -> None:
    given = [record(index) for index in range(3000)][::-1]
    lines, stats = read(log, given, Limits(reorder_bytes=100_000))
    assert [line.text for line in lines] == given
    assert stats.warnings == [f"{log}: {TOO_LARGE}"]


def test_a_few_lines_out_of_order_turn_nothing() -> None:
    lines = [record(index).encode() for index in range(20)]
    assert is_newest_first(lines[::-1])
    assert not is_newest_first(lines)
    assert not is_newest_first([lines[0], lines[5], lines[2], lines[7], lines[3], lines[9], lines[8]])
    assert not is_newest_first([lines[3], lines[2], lines[1]])
    assert not is_newest_first([lines[0]] * 50)


def test_a_few_that_are_nearly_at_once_do_not_hinder() -> None:
    lines = [record(index).encode() for index in range(40)][::-1]
    lines[10], lines[11] = lines[11], lines[10]
    lines[20], lines[21] = lines[21], lines[20]
    assert is_newest_first(lines)
