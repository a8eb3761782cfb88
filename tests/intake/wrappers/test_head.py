"""What the commands say of an input: its form, what became of its lines, what was mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.report.lines import head
from tests.cli.conftest import Run, run

__all__ = ["run"]
ODD = [f"2023-08-31T20:03:47Z stderr F some other text {index}" for index in range(7)] + ["no wrapper", "..."]
LEFT_OUT = "lines were left out where the log has “...”; what they say is missing (1: line 52)"


@pytest.fixture
def log(fixtures: Path, tmp_path: Path) -> Path:
    path = tmp_path / "odd.log"
    path.write_text((fixtures / "inputs" / "cri.log").read_text() + "\n".join(ODD) + "\n")
    return path


def test_the_head_of_the_report(log: Path) -> None:
    analysis = analyse(Request(paths=[str(log)]))
    rows = [(label, text.partition(", ")[0] if label == "input" else text) for label, text in head(analysis)]
    assert rows[:5] == [
        ("input", f"{log}: 52 lines in cri"),
        ("lines", "52 read: 39 understood, 5 irrelevant, 8 unknown"),
        ("unknown", "line 44: some other text 0 (first of 7 such lines, without a klog header)"),
        ("unknown", "line 51: no wrapper (first of 1 such line, without a klog header)"),
        ("format", "klog-text in cri"),
    ]
    assert analysis.log.warnings == [LEFT_OUT]


def test_several_inputs_each_have_their_form(fixtures: Path) -> None:
    names = ["gke-json.log", "docker-in-journald.log", "plain.log"]
    analysis = analyse(Request(paths=[str(fixtures / "inputs" / name) for name in names]))
    assert sorted((Path(each.name).name, each.form) for each in analysis.inputs) == [
        ("docker-in-journald.log", "docker-json in journald-json"),
        ("gke-json.log", "cloud-logging"),
        ("plain.log", "plain"),
    ]


@pytest.mark.parametrize("command", ["parse", "events"])
def test_other_commands_say_it_on_standard_error(command: str, log: Path, run: Run) -> None:
    done = run(command, str(log))
    assert done.code == 0
    assert done.err.splitlines() == [
        f"klogreplay: {log}: 52 lines in cri",
        f"klogreplay: {LEFT_OUT}",
    ]


@pytest.mark.parametrize("command", ["parse", "events"])
def test_of_a_plain_log_they_say_nothing(command: str, fixtures: Path, run: Run) -> None:
    done = run(command, str(fixtures / "inputs" / "plain.log"))
    assert (done.code, done.err) == (0, "")
