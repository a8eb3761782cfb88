"""Several logs, each by itself: the same bytes, whatever the number of processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from klogreplay.cli import main

NAMES = ("healthy-1.28.3-v5", "stale-plugins-1.28.0-v6", "missed-events-1.28.0-v5")


def run(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, bytes, bytes]:
    code = main(["analyze", *arguments])
    seen = capfdbinary.readouterr()
    return code, seen.out, seen.err


@pytest.fixture
def logs(fixtures: Path) -> list[str]:
    return [str(fixtures / "analyze" / f"{name}.log") for name in NAMES]


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_one_process_or_several(capfdbinary: pytest.CaptureFixture[bytes], logs: list[str], form: str) -> None:
    alone = [run(capfdbinary, "-f", form, log) for log in logs]
    one = run(capfdbinary, "-f", form, "--jobs", "1", *logs)
    assert one == run(capfdbinary, "-f", form, "--jobs", "2", *logs)
    assert one == (1, b"".join(out for _, out, _ in alone), b"")
    assert [code for code, _, _ in alone] == [0, 1, 1]


def test_each_log_has_a_report(capfdbinary: pytest.CaptureFixture[bytes], logs: list[str]) -> None:
    _, out, _ = run(capfdbinary, "-f", "json", "--jobs", "2", *logs)
    decoder, text, names = json.JSONDecoder(), out.decode().strip(), []
    while text:
        report, end = decoder.raw_decode(text)
        names += [one["name"] for one in report["inputs"]]
        text = text[end:].lstrip()
    assert names == logs


@pytest.fixture
def unusable(tmp_path: Path) -> list[str]:
    """A log of each kind that gets no report."""
    made = {
        "empty.log": b"",
        "binary.log": bytes(range(256)) * 40,
        "other.log": b"I1201 07:25:42.039520    9922 kubelet.go:1] hello\n",
        "broken.log.gz": b"\x1f\x8b\x08\x00broken",
    }
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    return [str(tmp_path / name) for name in ("missing.log", *made)]


def test_logs_that_cannot_be_read_leave_the_others_their_reports(
    capfdbinary: pytest.CaptureFixture[bytes], logs: list[str], unusable: list[str]
) -> None:
    alone = [run(capfdbinary, log) for log in (*logs, *unusable)]
    mixed = [unusable[0], logs[0], *unusable[1:4], logs[1], logs[2], unusable[4]]
    one = run(capfdbinary, "--jobs", "1", *mixed)
    assert one[0] == 3
    assert one[1] == b"".join(out for _, out, _ in alone)
    assert one[2] == b"".join(err for _, _, err in alone)
    assert one[2].count(b"\n") == len(unusable)
    for jobs in ("2", "3", "8"):
        assert run(capfdbinary, "--jobs", jobs, *mixed) == one


def test_the_exit_code_is_the_worst(
    capfdbinary: pytest.CaptureFixture[bytes], logs: list[str], unusable: list[str]
) -> None:
    for jobs in ("1", "2"):
        assert run(capfdbinary, "--jobs", jobs, logs[0], logs[0])[0] == 0
        assert run(capfdbinary, "--jobs", jobs, logs[1], logs[0])[0] == 1
        assert run(capfdbinary, "--jobs", jobs, unusable[0], logs[1], logs[0])[0] == 3
        assert run(capfdbinary, "--jobs", jobs, "--fail-on", "never", logs[1], unusable[1])[0] == 3


def test_what_is_wrong_for_all_logs_is_said_once(
    capfdbinary: pytest.CaptureFixture[bytes], logs: list[str], tmp_path: Path
) -> None:
    for option in ("--objects", "--plugins"):
        single = run(capfdbinary, option, str(tmp_path / "missing.json"), logs[0])
        assert single[0] == 3
        for jobs in ("1", "2"):
            assert run(capfdbinary, option, str(tmp_path / "missing.json"), "--jobs", jobs, *logs) == single


def test_errors_stand_in_their_place_where_both_outputs_are_one(logs: list[str], unusable: list[str]) -> None:
    order = (unusable[0], logs[1], unusable[1], logs[0], unusable[2])
    both = [
        subprocess.run(
            [sys.executable, "-m", "klogreplay", "analyze", "--jobs", jobs, *order],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        ).stdout.decode()
        for jobs in ("1", "2")
    ]
    assert both[0] == both[1]
    places = [both[0].index(Path(name).name) for name in order]
    assert places == sorted(places)


def test_standard_input_is_one_log(capfdbinary: pytest.CaptureFixture[bytes], logs: list[str]) -> None:
    code, out, err = run(capfdbinary, "--jobs", "2", logs[0], "-")
    assert (code, out) == (2, b"")
    assert b"--jobs" in err
