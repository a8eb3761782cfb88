"""Whatever is handed in: a report or a refusal, in little time, and no line lost.

Ten thousand cases of it, the same each time. The long run takes other cases each time: `pytest -m fuzz tests/fuzz`,
as many as KLOGREPLAY_FUZZ_CASES says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis import strategies as st

from tests.fuzz import cases, pipeline

KINDS: dict[str, tuple[st.SearchStrategy[bytes], int]] = {
    "raw": (cases.raw, 700),
    "tokens": (cases.tokens, 1_300),
    "lines": (cases.lines, 3_000),
    "mutated": (cases.mutated, 3_500),
    "packed": (cases.packed, 1_500),
}
"""Each kind of input, and how many of it the tests take."""
PARTS = 2
"""Each kind is tested in parts, so that several processors have something to do."""
BY_COMMAND = 420
LONG = int(os.environ.get("KLOGREPLAY_FUZZ_CASES", "200000"))

assert sum(count for _, count in KINDS.values()) >= 10_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KLOGREPLAY_TRACEBACK", "1")
    return tmp_path


def chosen(count: int) -> settings:
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def goes_through(folder: Path, data: bytes) -> None:
    note(f"input: {data!r}")
    path = folder / "scheduler.log"
    path.write_bytes(data)
    went = pipeline.through(path)
    pipeline.pieces_are_the_input(data, path)
    if went.reports and len(data) % 16 == 0:
        pipeline.valid_report(went.reports["json"])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_any_input_goes_through(kind: str, part: int, folder: Path) -> None:
    inputs, count = KINDS[kind]

    @seed(part)
    @chosen(count // PARTS)
    @given(inputs)
    def run(data: bytes) -> None:
        goes_through(folder, data)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("arguments", pipeline.COMMANDS, ids=" ".join)
def test_every_command_takes_any_input_and_says_the_same_twice(arguments: tuple[str, ...], folder: Path) -> None:
    @seed(0)
    @chosen(BY_COMMAND // len(pipeline.COMMANDS))
    @given(st.one_of(*(inputs for inputs, _ in KINDS.values())))
    def run(data: bytes) -> None:
        note(f"input: {data!r}")
        path = folder / "scheduler.log"
        path.write_bytes(data)
        pipeline.by_command(path, folder, arguments)

    run()


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("kind", KINDS)
def test_many_more_of_them(kind: str, folder: Path) -> None:
    inputs, count = KINDS[kind]

    @chosen(LONG * count // sum(count for _, count in KINDS.values()))
    @given(inputs, st.integers(0, 20 * len(pipeline.COMMANDS)))
    def run(data: bytes, by: int) -> None:
        goes_through(folder, data)
        if by < len(pipeline.COMMANDS):
            pipeline.by_command(folder / "scheduler.log", folder, pipeline.COMMANDS[by])

    run()
