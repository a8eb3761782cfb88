"""The report is the same whether the grammar reads every line or only what the quick ways leave to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

FIXTURES = ["missed-events-1.28.0-v5", "stale-plugins-dra-1.28.0-v5", "healthy-1.28.3-v5", "start-up-1.29.1-v3"]


def same_report(run: Run, *logs: Path) -> None:
    given = ["analyze", "--format", "json", "--fail-on", "never", *logs]
    fast, lark = run(*given), run(*given, "--engine", "lark")
    assert fast.out.startswith("{")
    assert fast == lark


@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures(run: Run, fixtures: Path, name: str) -> None:
    same_report(run, fixtures / "analyze" / f"{name}.log")


@pytest.mark.parametrize("name", ["1.36.2-json", "1.28.0-ktesting", "1.22.6"])
def test_dialects(run: Run, fixtures: Path, name: str) -> None:
    same_report(run, fixtures / "events" / f"{name}.log")


def test_several_logs(run: Run, fixtures: Path) -> None:
    same_report(run, *(fixtures / "analyze" / f"{name}.log" for name in FIXTURES[:2]))


@pytest.mark.recorded
def test_recorded_logs(run: Run, recorded: Path) -> None:
    logs = sorted((recorded / "sched-logs").glob("1.*/S02*/seed1-v5/scheduler*.log*"))
    assert {log.name.removesuffix(".gz") for log in logs} >= {"scheduler.log", "scheduler.json.log"}
    for log in logs:
        same_report(run, log)


def test_the_option_is_not_advertised(run: Run) -> None:
    assert "--engine" not in run("analyze", "--help").out
    assert run("analyze", "x", "--engine", "other").code == 2
