"""Several logs, each by itself: the same bytes, whatever the number of processes."""

from __future__ import annotations

import json
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


def test_a_log_that_cannot_be_read_ends_it(
    capfdbinary: pytest.CaptureFixture[bytes], logs: list[str], tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing.log")
    one = run(capfdbinary, "--jobs", "1", logs[0], missing, logs[1])
    assert one[0] == 3
    assert b"missing.log" in one[2]
    assert one == run(capfdbinary, "--jobs", "3", logs[0], missing, logs[1])


def test_standard_input_is_one_log(capfdbinary: pytest.CaptureFixture[bytes], logs: list[str]) -> None:
    code, out, err = run(capfdbinary, "--jobs", "2", logs[0], "-")
    assert (code, out) == (2, b"")
    assert b"--jobs" in err
