"""Logs in every form people have them in: the analysis is that of the plain log."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.intake import open_source
from klogreplay.report.model import Analysis
from tests.intake.forms import FORMS, Form

LOGS = ("stale-plugins-bind-1.28.0-v5", "missed-events-1.28.0-v5", "no-room-1.28.3-v5", "too-quiet-1.28.0-v2")
RECORDED = (
    "1.22.6/S03/seed1-v5",
    "1.25.2/S03/seed1-v5",
    "1.28.0/S01-dra/seed1-v6",
    "1.30.1/S10/seed1-v5",
    "1.33.0/S04/seed1-v5",
    "1.36.2/S01-script/seed2-v5",
)


def told(analysis: Analysis) -> dict[str, Any]:
    """What an analysis says of pods, but for line numbers, and times of which the date may be known or not."""
    return {
        "release": analysis.kubernetes.version,
        "gates": {name: gate.value for name, gate in analysis.kubernetes.gates.items()},
        "parkings": [
            {
                **parking.model_dump(exclude={"line", "time", "wake_up", "concurrent_events", "process", "input"}),
                "wake_up": parking.wake_up and parking.wake_up.event,
                "concurrent_events": [
                    event.model_dump(exclude={"line", "time"}) for event in parking.concurrent_events
                ],
            }
            for parking in analysis.parkings
        ],
        "findings": [(finding.code, finding.pod, finding.grade) for finding in analysis.findings],
    }


@cache
def plain(path: Path) -> tuple[list[str], dict[str, Any]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return text.removesuffix("\n").split("\n"), told(analyse(Request(paths=[str(path)])))


def check(form: Form, log: Path, folder: Path) -> None:
    lines, expected = plain(log)
    path = folder / f"{form.name}.log"
    path.write_bytes(form.convert(lines))
    analysis = analyse(Request(paths=[str(path)]))
    assert told(analysis) == expected
    with open_source(path) as source:
        physical = sum(line.physical for line in source)
    (stats,) = source.inputs
    assert physical + stats.framing == stats.lines == analysis.log.lines.total
    assert stats.wrappers == form.wrappers
    assert set(form.also) <= set(stats.also)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("log", LOGS)
def test_the_finding_survives(form: Form, log: str, fixtures: Path, tmp_path: Path) -> None:
    check(form, fixtures / "analyze" / f"{log}.log", tmp_path)


@pytest.mark.slow
@pytest.mark.recorded
@pytest.mark.parametrize("log", RECORDED)
def test_the_findings_of_recorded_logs_survive(log: str, recorded: Path, tmp_path: Path) -> None:
    (path,) = (recorded / "sched-logs" / log).glob("scheduler.log*")
    for form in FORMS:
        check(form, path, tmp_path)
