"""`analyze --follow`: findings while the log is written, and at its end the report of what was read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import Run, program
from tests.conftest import FIXTURES, ROOT

LOG = FIXTURES / "analyze" / "stale-plugins-dra-1.28.0-v5.log"
CODES = ["KR101", "KR306"]
"""The findings about its one wrong parking."""


class Following:
    """A program that follows a log; what it printed so far goes to a file."""

    def __init__(self, folder: Path, *arguments: str, stdin: int | IO[bytes] = subprocess.DEVNULL) -> None:
        self._out, self._err = folder / "out", folder / "err"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "klogreplay", "analyze", "--follow", *arguments],
            stdin=stdin,
            stdout=self._out.open("wb"),
            stderr=self._err.open("wb"),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def wait_for(self, done: Callable[[str], bool], seconds: float = 60) -> str:
        """What it printed, as soon as `done` says so."""
        end = time.monotonic() + seconds
        while not done(self.out):
            assert self.process.poll() is None, self.err
            assert time.monotonic() < end, self.out
            time.sleep(0.05)
        return self.out

    def settle(self, seconds: float = 60) -> None:
        """Wait until it listens to signals and has nothing more to do (elsewhere than on Linux: a while)."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            time.sleep(10)
            return
        end = time.monotonic() + seconds
        while not self._catches(status, signal.SIGTERM):
            assert self.process.poll() is None, self.err
            assert time.monotonic() < end
            time.sleep(0.05)
        used, since = -1.0, time.monotonic()
        while time.monotonic() - since < 2:
            assert time.monotonic() < end
            now = self._used()
            if now - used > 0.02:
                used, since = now, time.monotonic()
            time.sleep(0.2)

    @staticmethod
    def _catches(status: Path, number: int) -> bool:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) >> (number - 1) & 1)

    def _used(self) -> float:
        """Its processor time in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@pytest.fixture
def following(tmp_path: Path) -> Iterator[Callable[..., Following]]:
    begun: list[Following] = []

    def begin(*arguments: str, stdin: int | IO[bytes] = subprocess.DEVNULL) -> Following:
        begun.append(Following(tmp_path, *arguments, stdin=stdin))
        return begun[-1]

    yield begin
    for one in begun:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return LOG.read_text().splitlines(keepends=True)


def plain(path: Path, *arguments: str) -> str:
    return program("analyze", *arguments, str(path)).stdout.decode()


def append(path: Path, lines: list[str]) -> None:
    with path.open("a") as file:
        file.writelines(lines)


def test_findings_while_a_file_grows_and_the_report_on_ctrl_c(
    tmp_path: Path, following: Callable[..., Following], lines: list[str]
) -> None:
    path = tmp_path / "s.log"
    append(path, lines[:60])
    one = following(str(path))
    time.sleep(1)
    assert one.out == ""
    append(path, lines[60:])
    (found,) = [line for line in one.wait_for(lambda out: "\n" in out).splitlines() if "KR101" in line]
    assert " KR101 stale-plugins proven " in found
    assert "was parked as if" in found
    assert one.end() == 1
    assert one.out.startswith(found)
    assert one.out.endswith(plain(path))
    assert one.out.count(" KR101 stale-plugins proven ") == 1
    assert one.err == ""


def test_json_lines(tmp_path: Path, following: Callable[..., Following], lines: list[str]) -> None:
    path = tmp_path / "s.log"
    append(path, lines)
    one = following(str(path), "--format", "json")
    one.wait_for(lambda out: "\n" in out)
    assert one.end(signal.SIGTERM) == 1
    told = [json.loads(line) for line in one.out.splitlines()]
    assert [sorted(each) for each in told] == [["finding", "parking"]] * len(CODES) + [["report"]]
    assert [each["finding"]["code"] for each in told[:-1]] == CODES
    assert told[0]["parking"]["verdict"] == "wrong"
    assert told[-1]["report"] == json.loads(plain(path, "--format", "json"))


@pytest.mark.parametrize("how", ["renamed", "truncated"])
def test_a_rotation_is_followed(
    tmp_path: Path, following: Callable[..., Following], lines: list[str], how: str
) -> None:
    path = tmp_path / "s.log"
    append(path, lines[:500])
    one = following(str(path), "--format", "json")
    one.wait_for(lambda out: out.count("\n") == len(CODES))
    if how == "renamed":
        path.rename(tmp_path / "s.log.1")
        append(tmp_path / "s.log.1", lines[500:510])
        time.sleep(1)
    else:
        append(path, lines[500:510])
        time.sleep(2)
        path.write_text("")
        time.sleep(1)
    append(path, lines[510:])
    time.sleep(1)
    one.settle()
    assert one.end() == 1
    report = json.loads(one.out.splitlines()[-1])["report"]
    assert [(Path(each["name"]).name, each["lines"]) for each in report["inputs"]] == [
        ("s.log", 510),
        ("s.log (2)", len(lines) - 510),
    ]
    assert len(report["log"]["processes"]) == 1
    whole = tmp_path / "whole.log"
    whole.write_text("".join(lines))
    expected = json.loads(plain(whole, "--format", "json"))
    said = [(p["pod"], p["verdict"], p["causes"], p["parked_seconds"]) for p in report["parkings"]]
    assert said == [(p["pod"], p["verdict"], p["causes"], p["parked_seconds"]) for p in expected["parkings"]]


def test_a_pipe_is_followed_to_its_end(tmp_path: Path, following: Callable[..., Following], lines: list[str]) -> None:
    read, write = os.pipe()
    one = following("-", stdin=read)
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        pipe.writelines(lines)
        pipe.flush()
        one.wait_for(lambda out: " KR101 " in out)
    assert one.process.wait(timeout=60) == 1
    path = tmp_path / "s.log"
    path.write_text("".join(lines))
    assert one.out.splitlines()[len(CODES) :] == plain(path).replace(str(path), "-").splitlines()


def test_ctrl_c_while_a_pipe_is_silent(tmp_path: Path, following: Callable[..., Following], lines: list[str]) -> None:
    read, write = os.pipe()
    one = following("-", "--output", str(tmp_path / "report.md"), "--format", "markdown", stdin=read)
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        pipe.writelines(lines)
        pipe.flush()
        one.wait_for(lambda out: " KR101 " in out)
        assert one.end() == 1
    assert one.out.count("\n") == len(CODES)
    assert (tmp_path / "report.md").read_text().startswith("**1 pod was wrongly parked")


def test_only_the_pods_asked_for(tmp_path: Path, following: Callable[..., Following], lines: list[str]) -> None:
    path = tmp_path / "s.log"
    append(path, lines)
    one = following(str(path), "--pod", "default/nobody", "--fail-on", "never")
    one.settle()
    assert one.end() == 0
    assert " KR101 " not in one.out


def test_nothing_to_read_until_ctrl_c(tmp_path: Path, following: Callable[..., Following]) -> None:
    path = tmp_path / "s.log"
    path.touch()
    one = following(str(path))
    one.settle()
    assert one.end() == 3
    assert (one.out, one.err) == ("", f"klogreplay: {path}: the input is empty\n")


@pytest.mark.parametrize("arguments", [("a.log", "b.log"), (".",), ("a.log", "--jobs", "2")])
def test_only_one_log_is_followed(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run("analyze", "--follow", *arguments)
    assert (code, out) == (2, "")
    assert "--follow is for one log" in err


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    code, out, err = run("analyze", "--follow", tmp_path / "nowhere.log")
    assert (code, out) == (3, "")
    assert err.endswith("nowhere.log: no such file\n")
