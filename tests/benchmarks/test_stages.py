"""What each stage takes, so that a regression shows: `pytest tests/benchmarks --benchmark-only --benchmark-autosave`.

CI runs them without measuring (`--benchmark-disable`). The queue's own cases are in tests/queue/test_speed.py.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import logs
from klogreplay.cli.reading import Reading
from klogreplay.cli.run import Request, analyse
from klogreplay.events.extract import extract
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import KlogRecord
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.report.formats import FORMATS, render
from klogreplay.report.formats import Options as Rendering
from tests.conftest import FIXTURES

LOG = FIXTURES / "analyze" / "healthy-1.28.3-v5.log"
ROUNDS = 3


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return logs.make(tmp_path_factory.mktemp("stages") / "log", LOG.read_bytes(), 2_000_000)


@pytest.fixture(scope="module")
def lines() -> list[LogLine]:
    return [LogLine(line, number) for number, line in enumerate(LOG.read_text("utf-8").splitlines(), 1)]


def once(benchmark: Any, work: Any, *given: Any) -> Any:
    return benchmark.pedantic(work, args=given, rounds=ROUNDS, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("engine", ["lark", "fast"])
def test_grammar_and_tokenizer(benchmark: Any, lines: list[LogLine], engine: Any) -> None:
    records: list[KlogRecord] = once(benchmark, lambda: list(read_records(iter(lines), Counts(), engine=engine)))
    assert sum(record.lines for record in records) == len(lines)


def events_of(path: Path) -> list[SchedulerEvent]:
    with Reading([str(path)]) as reading:
        return list(reading.events())


@pytest.mark.parametrize(
    "form", [bytes, logs.escaped, logs.in_json, logs.in_cri], ids=["plain", "escaped", "json", "cri"]
)
def test_fast_path(benchmark: Any, log: Path, tmp_path: Path, form: Any) -> None:
    path = tmp_path / "log"
    path.write_bytes(form(log.read_bytes()))
    events = once(benchmark, events_of, path)
    assert Counter(map(type, events)) == Counter(map(type, events_of(log)))


def test_events(benchmark: Any, lines: list[LogLine]) -> None:
    records = list(read_records(iter(lines), Counts()))
    events = once(benchmark, lambda: [extract(record, lambda _header: 0) for record in records])
    assert sum(event is not None for event in events) == len(events_of(LOG))


def test_replay(benchmark: Any, log: Path) -> None:
    with Reading([str(log)]) as reading:
        events = list(reading.events())
        options = Options(identified=reading, origins=reading)
        result = once(benchmark, lambda: analyze_events(iter(events), options))
    assert result.attempts > 100


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_report(benchmark: Any, form: str) -> None:
    analysis = analyse(Request(paths=[str(FIXTURES / "analyze" / "missed-events-1.28.0-v5.log")]))
    assert once(benchmark, render, form, analysis, Rendering())


def test_the_whole_analysis(benchmark: Any, log: Path) -> None:
    analysis = once(benchmark, analyse, Request(paths=[str(log)]))
    assert analysis.log.lines.unknown == 0
