"""`klogreplay identify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli.identify import as_json, as_text
from klogreplay.cli.reading import Reading
from klogreplay.knowledge import Identification, Identifier
from tests.knowledge.shapes import observed


def read(path: Path) -> Identification:
    """What the command's own way of reading finds."""
    with Reading([str(path)]) as reading:
        for _ in reading.events():
            pass
    return reading.identifier.result()


def told(found: Identification) -> dict[str, Any]:
    answer = json.loads(as_json(found))
    assert isinstance(answer, dict)
    return answer


def test_json_has_what_was_found(fixtures: Path) -> None:
    found = told(read(fixtures / "knowledge" / "logs" / "1.28.0.log"))
    assert list(found) == ["version", "candidates", "range", "nearest", "vendor", "gates", "evidence"]
    assert (found["version"], found["candidates"], found["range"]) == ("1.28.0", ["1.28.0"], ["1.28.0", "1.28.0"])
    assert (found["nearest"], found["vendor"]) == (None, False)
    assert found["gates"]["SchedulerQueueingHints"]["value"] is True
    assert set(found["evidence"][0]) == {"line", "text", "says"}


@pytest.mark.parametrize("name", ["1.22.6", "1.26.1", "1.28.0-hintsoff", "1.28.3", "1.31.1", "1.36.2"])
def test_the_command_reads_what_a_simple_reader_reads(fixtures: Path, name: str) -> None:
    path = fixtures / "knowledge" / "logs" / f"{name}.log"
    assert read(path).candidates == observed(path).result().candidates


def test_a_whole_log_tells_its_version_and_gates(tmp_path: Path) -> None:
    log = tmp_path / "scheduler.log"
    log.write_text(
        'I1201 07:36:21.907765    5670 flags.go:64] FLAG: --feature-gates=":SchedulerQueueingHints=false"\n'
        'I1201 07:36:21.910522    5670 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"\n'
    )
    found = told(read(log))
    assert found["version"] == "1.28.0"
    gate = found["gates"]["SchedulerQueueingHints"]
    assert gate == {"value": False, "evidence": "--feature-gates (line 1)"}
    assert (found["evidence"][-1]["line"], found["evidence"][-1]["says"]) == (
        2,
        "the scheduler names its version: 1.28.0",
    )


def test_text_for_people(fixtures: Path) -> None:
    text = as_text(read(fixtures / "knowledge" / "logs" / "1.31.1.log"))
    assert text.startswith("Kubernetes 1.31.0, 1.31.1, 1.31.2 (closest: 1.31.1)\n\nFeature gates\n")
    assert "\n  SchedulerQueueingHints" in text
    assert "\n  line " in text


def test_hostile_lines_reach_no_terminal() -> None:
    identifier = Identifier()
    text = "\x1b[31mabout\u202e to try\udc80"
    identifier.observe("schedule_one.go:107", "About to try and schedule pod", (), True, line=1, text=text)
    found = identifier.result()
    assert as_text(found).isprintable() or not set(as_text(found)) & set("\x1b\u202e\udc80")
    assert as_json(found).isascii()
    assert told(found)["evidence"][0]["text"] == text.replace("\udc80", "\ufffd")


def test_a_log_that_fits_nothing_says_so(fixtures: Path) -> None:
    identifier = observed(fixtures / "knowledge" / "logs" / "1.28.0.log")
    identifier.observe("schedule_one.go:5", "Attempting to schedule pod", ("pod",), True)
    assert "Some lines are printed like that by no known release" in as_text(identifier.result())


def test_nothing_known_is_a_range() -> None:
    assert as_text(Identifier().result()).startswith("Kubernetes 1.18.2 to 1.36.2 (closest: 1.36.2)\n")


@pytest.mark.recorded
def test_logs_in_other_dialects_are_identified(recorded: Path) -> None:
    """JSON, ktesting and CRI logs, by their call sites alone."""
    logs = [
        path
        for path in sorted((recorded / "sched-logs").glob("1.*/**/scheduler.*log*"))
        if path.name not in {"scheduler.log", "scheduler.log.gz"}
    ]
    assert len({path.name.removesuffix(".gz") for path in logs}) == 3
    for path in logs:
        identifier = Identifier()
        with Reading([str(path)]) as reading:
            for record in reading.records():
                if record.header is None or record.header.file == "server.go":
                    continue
                site = f"{record.header.file}:{record.header.line}"
                identifier.observe(site, record.msg, list(record.values), record.structured)
        found = identifier.result()
        assert path.relative_to(recorded / "sched-logs").parts[0] in found.candidates, path
        assert len(found.candidates) <= 2, path
        assert not found.vendor, path
