"""Twice the input takes about twice the time, whatever it is made of: no expression, and no table, goes quadratic."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.report.formats import FORMATS, Options, render
from tests.fuzz import growth, patterns

MOST = 2.3
"""The factor of the time where the input is twice as long."""
PUMPED = 1 << 14
ENOUGH_S = 0.02
"""Times below this are not told from noise."""
ENOUGH_LOG_S = 0.15
"""The same for a whole report, of which some is the same for any log."""


def seconds(call: Callable[[Any], object], data: Any, runs: int = 2) -> float:
    best = math.inf
    for _ in range(runs):
        begin = time.process_time()
        call(data)
        best = min(best, time.process_time() - begin)
    return best


def check(
    call: Callable[[Any], object], make: Callable[[int], Any], size: int, what: object, enough_s: float = ENOUGH_S
) -> None:
    """Four times the size takes no more than two doublings; a busy machine may have to be asked again."""
    factor = 0.0
    for _ in range(4):
        large = seconds(call, make(4 * size), 1)
        if large < enough_s:
            return
        factor = math.sqrt(min(large, seconds(call, make(4 * size))) / seconds(call, make(size)))
        if factor <= MOST:
            return
    raise AssertionError(f"{factor:.1f} times the time per doubling: {what!r}")


def run_all(pattern: re.Pattern[Any], methods: tuple[str, ...]) -> Callable[[Any], object]:
    def run(text: Any) -> None:
        for method in methods:
            if method == "sub":
                pattern.sub(text[:0], text)
            elif method == "finditer":
                for _ in pattern.finditer(text):
                    pass
            else:
                getattr(pattern, method)(text)

    return run


ALL = patterns.all_patterns()


@pytest.mark.slow
@pytest.mark.parametrize(
    "used", ALL, ids=[f"{used.name.removeprefix('klogreplay.')}-{n}" for n, used in enumerate(ALL)]
)
def test_no_expression_takes_more_than_its_text(used: patterns.Used) -> None:
    is_bytes = isinstance(used.pattern.pattern, bytes)
    run = run_all(used.pattern, used.methods)
    for before, unit in patterns.attacks(used.pattern):
        for end in ("", "\x00", '"', "\n"):

            def make(size: int, before: str = before, unit: str = unit, end: str = end) -> Any:
                text = before + unit * (size // len(unit)) + end
                return text.encode("latin-1", "replace") if is_bytes else text

            check(run, make, PUMPED, (before, unit, end))


def test_all_expressions_are_found() -> None:
    assert len(ALL) > 80
    packages = {used.name.split(".")[1] for used in ALL}
    assert packages >= {"intake", "klog", "events", "claims", "knowledge", "replay", "report"}
    assert all(patterns.attacks(used.pattern) for used in ALL if used.pattern.pattern)


@pytest.fixture
def analysed(tmp_path: Path) -> Callable[[bytes], object]:
    path = tmp_path / "scheduler.log"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        analysis = analyse(Request(paths=[str(path)]))
        for name in FORMATS:
            for _ in render(name, analysis, Options()):
                pass

    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", growth.STORIES)
def test_many_of_a_kind_take_no_longer_each(name: str, analysed: Callable[[bytes], object]) -> None:
    check(analysed, growth.STORIES[name], growth.SIZES.get(name, 300), name, ENOUGH_LOG_S)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_a_message_again_and_again_takes_no_longer_each(part: int, analysed: Callable[[bytes], object]) -> None:
    for name, line in list(growth.messages().items())[part::8]:
        check(analysed, growth.repeated(line, distinct=True, step_us=1_000), 300, name, ENOUGH_LOG_S)
