"""The whole recorded set: what is understood of it, and that it agrees with what the scheduler's own state was."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from klogreplay.events import types as ev
from klogreplay.events.evidence import is_scheduler_line
from klogreplay.events.extract import classify
from klogreplay.events.fiterror import error_source, parse_fit_error
from tests.events.reading import event_of, records_of
from tests.events.test_releases import OUT_OF_TREE

pytestmark = pytest.mark.recorded

NAMES = ("scheduler.log", "scheduler.log.gz", "scheduler.json.log", "scheduler.ktesting-derived.log")


def logs(recorded: Path, pattern: str) -> Iterator[Path]:
    """The recorded logs under a glob pattern, without the ones made for speed."""
    for path in sorted((recorded / "sched-logs").glob(pattern)):
        if path.name in NAMES and path.parents[1].name != "sched-logs" and "big" not in path.parts:
            yield path


def walk(path: Path) -> None:
    """Check every record of a log: only out-of-tree lines are unknown, every failure's text is told."""
    for record in records_of(path):
        kind = classify(record)
        where = f"{path}:{record.line}: {record.msg[:120]}"
        if kind == "unknown":
            assert record.msg.endswith(OUT_OF_TREE), where
        event = event_of(record)
        assert (event is not None) == (kind == "understood"), where
        if isinstance(event, ev.AttemptFailed):
            fit = parse_fit_error(event.err)
            assert (fit is None) == event.error, where
            assert fit is not None or error_source(event.err) is not None, where


@pytest.mark.parametrize("scenario", ["S03", "S08", "S02", "S06"])
def test_a_scenario_of_every_release(recorded: Path, scenario: str) -> None:
    paths = list(logs(recorded, f"1.*/{scenario}*/seed1-v5/*"))
    assert len(paths) >= 8
    for path in paths:
        walk(path)


@pytest.mark.slow
def test_every_log(recorded: Path) -> None:
    paths = list(logs(recorded, "1.*/**/*"))
    assert len(paths) > 400
    for path in paths:
        walk(path)


def hand_backs(path: Path) -> Counter[tuple[str, frozenset[str]]]:
    """Pod and rejector plugins of each hand-back that the log prints with its plugins."""
    return Counter(
        (event.pod, event.plugins)
        for record in records_of(path)
        if isinstance(event := event_of(record), ev.Moved) and event.plugins is not None
    )


@pytest.mark.parametrize("release", ["1.29.1", "1.30.1", "1.31.1", "1.32.2", "1.33.0", "1.34.1", "1.35.4", "1.36.2"])
def test_the_rejectors_are_those_of_the_queue(recorded: Path, release: str) -> None:
    """From 1.29 each hand-back is printed with the plugins; the harness read the same from the queue's own state."""
    compared = 0
    for path in logs(recorded, f"{release}/S0[0-8]*/**/scheduler.log"):
        truth = path.with_name("truth.json")
        if path.parent.name.endswith("-v2") or not truth.is_file() or "hintsoff" in str(path):
            continue
        held = Counter(
            (attempt["pod"], frozenset(attempt["held"] or ()))
            for attempt in json.loads(truth.read_text())["failedAttempts"]
            if not attempt["queue"].startswith("refused")
        )
        assert hand_backs(path) == held, path
        compared += sum(held.values())
    assert compared > 20


def test_every_log_is_told_to_be_a_schedulers(recorded: Path) -> None:
    for path in logs(recorded, "1.*/S03*/**/*"):
        assert any(is_scheduler_line(record) for record in records_of(path)), path
