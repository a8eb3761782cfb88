"""Pieces of a log that stand in it twice are read once; nothing else is left out."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.cli.run import Request, analyse
from klogreplay.intake.batch import Batch
from klogreplay.intake.limits import Limits
from klogreplay.intake.repairs import Mending, copied_blocks
from klogreplay.intake.repairs.copied_blocks import READ_ONCE
from tests.conftest import FIXTURES

START = datetime(2026, 12, 1, 8)


def rows(count: int, every_s: float = 0.01, first: int = 0) -> list[bytes]:
    return [
        f'I{START + timedelta(seconds=n * every_s):%m%d %H:%M:%S.%f}       1 a.go:1] "m" n="{n}"'.encode()
        for n in range(first, first + count)
    ]


def read(lines: list[bytes], size: int = 400) -> tuple[list[bytes], Mending]:
    mending = Mending(Limits())
    batches = iter([Batch(lines[n : n + size], n + 1, 0) for n in range(0, len(lines), size)])
    return [line for batch in copied_blocks.repair(batches, mending) for line in batch.lines], mending


@pytest.mark.parametrize(("first", "last", "at"), [(10, 13, 60), (0, 100, 100), (50, 90, 90), (20, 80, 95)])
def test_a_piece_that_stands_there_again(first: int, last: int, at: int) -> None:
    whole = rows(100)
    out, mending = read([*whole[:at], *whole[first:last], *whole[at:]])
    assert out == whole
    assert [str(kind) for kind in mending.damage.all()] == [f"{READ_ONCE} (1: line {at + 1})"]
    assert mending.damage.dropped == last - first


def test_a_whole_log_twice_over_many_batches() -> None:
    whole = rows(5000)
    out, mending = read(whole + whole)
    assert out == whole
    assert mending.damage.dropped == 5000


def test_a_piece_deep_in_a_log_over_a_batch() -> None:
    whole = rows(20_000)
    out, _ = read([*whole[:15_100], *whole[14_000:15_100], *whole[15_100:]])
    assert out == whole


def test_lines_of_a_record_go_with_it() -> None:
    whole = [row for n in range(20) for row in (rows(1, first=n)[0] + b" err=<", b"\tmore", b" >")]
    out, _ = read([*whole[:45], *whole[15:33], *whole[45:]])
    assert out == whole


def test_records_a_little_out_of_order_are_no_copies() -> None:
    lines = rows(1000)
    for n in range(0, 1000, 7):
        lines[n : n + 2] = lines[n : n + 2][::-1]
    assert read(lines)[0] == lines


def test_another_log_of_the_same_time_is_no_copy() -> None:
    one = rows(300)
    other = [line.replace(b" 1 a.go", b" 2 a.go") for line in one]
    assert read(one + other)[0] == one + other


def test_the_same_record_again_and_again_is_none() -> None:
    """In JSON a time may have no more than milliseconds."""
    record = json.dumps({"ts": 1796112000184.0, "caller": "a.go:1", "msg": "m", "v": 2}).encode()
    assert read([record] * 50)[0] == [record] * 50


def test_two_lines_in_common_are_too_few() -> None:
    whole = rows(50)
    lines = [*whole[:30], *whole[5:7], *whole[30:]]
    assert read(lines)[0] == lines


@given(st.lists(st.sampled_from([*rows(6), b"\tx", b"plain", b"{"]), max_size=40), st.integers(1, 12))
def test_what_is_left_out_is_there(lines: list[bytes], size: int) -> None:
    out, mending = read(lines, size)
    assert len(out) + mending.damage.dropped == len(lines)
    assert set(out) == set(lines)
    rest = iter(lines)
    assert all(line in rest for line in out)


def test_a_log_whose_times_go_back_again_and_again_takes_no_longer() -> None:
    def seconds(count: int) -> float:
        lines = [row for n in range(count) for row in rows(20, every_s=1, first=n % 7)[::-1]]
        begun = time.process_time()
        read(lines)
        return time.process_time() - begun

    seconds(200)
    assert min(seconds(8000) for _ in range(3)) < 8 * min(seconds(2000) for _ in range(3))


def test_no_parking_is_listed_twice(tmp_path: Path) -> None:
    text = (FIXTURES / "analyze" / "stale-plugins-dra-1.28.0-v5.log").read_text().splitlines(keepends=True)
    path = tmp_path / "s.log"

    def told(lines: list[str]) -> tuple[object, ...]:
        path.write_text("".join(lines))
        analysis = analyse(Request(paths=[str(path)]))
        found = [(p.pod, p.attempt, p.time, p.verdict, p.causes, p.parked_seconds) for p in analysis.parkings]
        return found, [(f.code, f.pod, f.grade) for f in analysis.findings], analysis.log.lines.understood

    assert told([*text[:320], *text[280:320], *text[320:]]) == told(text)
    assert told(text + text) == told(text)
