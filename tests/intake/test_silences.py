"""The longest silences: told as a look at every line would tell them, from few lines."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.intake import open_source, silences
from klogreplay.intake.batch import Batch
from klogreplay.intake.silences import MOST, SHORTEST_US, Silence, Silences
from tests.intake.test_several import line, log, write

S = 1_000_000


def batches(seconds: list[float], size: int, between: bytes | None = None) -> list[Batch]:
    rows = [line(second, "m").encode() for second in seconds]
    if between is not None:
        rows = [row for each in rows for row in (each, between)]
    return [Batch(rows[n : n + size], n + 1, 0) for n in range(0, len(rows), size)]


def longest(seconds: list[float]) -> list[tuple[int, int]]:
    """Every gap by a look at every line: its length and the line before it."""
    spans = [(round((b - a) * S), n) for n, (a, b) in enumerate(pairwise(seconds), 1)]
    return sorted((span for span in spans if span[0] >= SHORTEST_US), key=lambda span: -span[0])[:MOST]


@given(st.lists(st.integers(0, 40), min_size=2, max_size=60), st.integers(1, 20))
def test_the_longest_are_found(steps: list[int], size: int) -> None:
    seconds = [float(sum(steps[:n])) for n in range(len(steps))]
    found = Silences()
    for batch in batches(seconds, size):
        found.look(0, 0, batch)
    expected = longest(seconds)
    assert [one.us for one in found.of(0)] == [us for us, _ in expected]
    for one in found.of(0):
        assert one.next_line == one.line + 1
        assert round((seconds[one.line] - seconds[one.line - 1]) * S) == one.us


@given(st.lists(st.integers(0, 40), min_size=2, max_size=30), st.integers(1, 20))
def test_lines_without_a_time_are_passed_over(steps: list[int], size: int) -> None:
    seconds = [float(sum(steps[:n])) for n in range(len(steps))]
    found = Silences()
    for batch in batches(seconds, size, b"\tof the record before"):
        found.look(0, 0, batch)
    assert [one.us for one in found.of(0)] == [us for us, _ in longest(seconds)]
    assert all(one.next_line == one.line + 2 for one in found.of(0))


def test_few_lines_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    real = silences.moment
    monkeypatch.setattr(silences, "moment", lambda text: looked.append(text) or real(text))
    found = Silences()
    for batch in batches([n / 100 for n in range(20_000)], 500):
        found.look(0, 0, batch)
    assert found.logs == []
    assert len(looked) <= 2 * 40


def test_over_new_year_and_out_of_order() -> None:
    found = Silences()
    rows = [line(second, "m", start=datetime(2026, 12, 31, 23, 59, 50)).encode() for second in (0, 5, 25, 24, 26)]
    found.look(3, 7, Batch(rows, 1, 0))
    assert found.of(3) == [Silence(20 * S, 7, 2, 7, 3)]
    assert (found.logs, found.of(0)) == ([3], [])


def test_of_each_log_by_itself_and_over_a_rotation(tmp_path: Path) -> None:
    old = write(tmp_path / "a" / "s.log.1", log([0, 1, 2, 30], "a"))
    new = write(tmp_path / "a" / "s.log", log([80, 81], "a"))
    other = write(tmp_path / "b" / "s.log", log([0.5, 20.5], "b"))
    with open_source([str(path) for path in (new, other, old)]) as source:
        assert sum(1 for _ in source) == 8
        told = {source.label_of(n): source.silences.of(n) for n in source.silences.logs}
        names = [each.name.rpartition("/")[2] for each in source.inputs]
    assert {label: [one.us // S for one in found] for label, found in told.items()} == {
        "a/s.log.1": [50, 28],
        "b/s.log": [20],
    }
    across = told["a/s.log.1"][0]
    assert [names[across.source], names[across.next_source]] == ["s.log.1", "s.log"]
    assert (across.line, across.next_line) == (4, 1)


def test_in_json(tmp_path: Path) -> None:
    start = datetime(2026, 12, 1, 8)
    rows = [
        f'{{"ts":{(start + timedelta(seconds=s)).timestamp() * 1000:.3f},"caller":"a.go:1","msg":"m","v":2}}\n'
        for s in (0, 1, 14)
    ]
    path = write(tmp_path / "s.log", "".join(rows))
    with open_source([str(path)]) as source:
        assert sum(1 for _ in source) == 3
        assert source.silences.of(0) == [Silence(13 * S, 0, 2, 0, 3)]
