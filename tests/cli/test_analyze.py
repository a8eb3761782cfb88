"""The whole way, from a log to the report and the exit code, on recorded logs."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from klogreplay.report.formats import FORMATS
from klogreplay.report.schema import analysis_schema
from tests.cli.conftest import Run

FIRED = {
    "stale-plugins-1.28.0-v6.log": ("default/worker-v2f54w6dc-5fc7c", "KR101", 342),
    "stale-plugins-bind-1.28.0-v5.log": ("default/worker-v2f54w6dc-5fc7c", "KR101", 300),
    "stale-plugins-dra-1.28.0-v5.log": ("default/trainer-ng89tmvc2-v2h9z", "KR101", 307),
    "missed-events-1.28.0-v5.log": ("default/analytics-mmjv9m8lp-xjj9g", "KR102", 352),
    "seed-120334.log": ("test/test-dragxd5c", "KR101", 4),
    "seed-120334-with-rejection.log": ("test/test-dragxd5c", "KR101", 5),
}
QUIET = ["healthy-1.28.3-v5.log", "fixed-1.28.3-v5.log", "no-room-1.28.3-v5.log", "too-quiet-1.28.0-v2.log"]


@pytest.fixture
def logs(fixtures: Path) -> Path:
    return fixtures / "analyze"


def report(run: Run, *arguments: object) -> tuple[int, dict[str, Any]]:
    code, out, err = run("analyze", "--format", "json", *arguments)
    assert err == ""
    loaded = json.loads(out)
    jsonschema.validate(loaded, analysis_schema(), cls=jsonschema.Draft202012Validator)
    return code, loaded


@pytest.mark.parametrize("name", FIRED)
def test_what_is_wrong_is_found(run: Run, logs: Path, name: str) -> None:
    pod, rule, line = FIRED[name]
    code, told = report(run, logs / name)
    assert code == 1
    wrong = [parking for parking in told["parkings"] if parking["verdict"] == "wrong"]
    assert [(parking["pod"], parking["line"]) for parking in wrong] == [(pod, line)]
    findings = [finding for finding in told["findings"] if finding["code"] == rule]
    assert [told["parkings"][finding["parking"]]["pod"] for finding in findings] == [pod]
    text = (logs / name).read_text(encoding="utf-8").split("\n")
    for cited in findings[0]["proof"]:
        assert text[cited["line"] - 1].strip() == cited["text"].strip()


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_accused_where_nothing_is_wrong(run: Run, logs: Path, name: str) -> None:
    code, told = report(run, logs / name)
    assert code == 0
    assert [parking for parking in told["parkings"] if parking["verdict"] == "wrong"] == []
    code, out, err = run("analyze", logs / name)
    assert (code, err) == (0, "")
    assert out.startswith(("Nothing wrong in the queue", "Nothing proven wrong in the queue"))


def test_a_healthy_log_gives_a_short_answer(run: Run, logs: Path) -> None:
    _, out, _ = run("analyze", logs / "healthy-1.28.3-v5.log")
    assert out.startswith("Nothing wrong in the queue: no pod was parked.\n\nWhat was read\n")
    assert out.count("\n") < 15


@pytest.mark.parametrize("name", [*FIRED, *QUIET])
def test_every_line_is_accounted_for(run: Run, logs: Path, name: str) -> None:
    _, told = report(run, logs / name)
    data = (logs / name).read_bytes()
    lines = told["log"]["lines"]
    assert lines["total"] == data.count(b"\n") == told["inputs"][0]["lines"]
    assert lines["understood"] + lines["irrelevant"] + lines["unknown"] == lines["total"]
    assert told["inputs"][0]["bytes"] == len(data)


def test_the_head_of_a_report(run: Run, logs: Path) -> None:
    _, told = report(run, logs / "stale-plugins-dra-1.28.0-v5.log")
    assert told["kubernetes"]["version"] == "1.28.0"
    assert told["kubernetes"]["gates"]["SchedulerQueueingHints"]["value"] is True
    assert told["log"]["verbosity"] == 5
    assert told["log"]["format"] == "klog-text"
    assert told["log"]["processes"] == [
        {
            "id": "5358",
            "pid": 5358,
            "version": "v1.28.0",
            "standby": False,
            "lease_holder": None,
            "first_line": 1,
            "last_line": 544,
        }
    ]


@pytest.mark.parametrize(
    ("name", "option", "code"),
    [
        ("stale-plugins-bind-1.28.0-v5.log", "wrong", 1),
        ("stale-plugins-bind-1.28.0-v5.log", "undecided", 1),
        ("stale-plugins-bind-1.28.0-v5.log", "never", 0),
        ("too-quiet-1.28.0-v2.log", "wrong", 0),
        ("too-quiet-1.28.0-v2.log", "undecided", 1),
        ("too-quiet-1.28.0-v2.log", "never", 0),
        ("no-room-1.28.3-v5.log", "undecided", 0),
    ],
)
def test_fail_on(run: Run, logs: Path, name: str, option: str, code: int) -> None:
    assert run("analyze", logs / name, "--fail-on", option).code == code


def test_pod_narrows_the_report(run: Run, logs: Path) -> None:
    log = logs / "stale-plugins-bind-1.28.0-v5.log"
    _, whole = report(run, log)
    pods = {parking["pod"] for parking in whole["parkings"]}
    pod = "default/worker-v2f54w6dc-5fc7c"
    code, told = report(run, log, "--pod", pod)
    assert code == 1
    assert {parking["pod"] for parking in told["parkings"]} == {pod}
    assert all(told["parkings"][finding["parking"]]["pod"] == pod for finding in told["findings"] if finding["pod"])
    code, told = report(run, log, "--pod", "default/no-such-pod")
    assert (code, told["parkings"]) == (0, [])
    assert told["log"]["warnings"] == ["default/no-such-pod is not in this log"]
    assert pods


def test_pod_lists_its_parkings(run: Run, logs: Path) -> None:
    _, out, _ = run("analyze", logs / "stale-plugins-bind-1.28.0-v5.log", "--pod", "default/worker-v2f54w6dc-5fc7c")
    assert "\nParkings\n  line " in out


def test_version_and_gates_can_be_given(run: Run, logs: Path) -> None:
    log = logs / "seed-120334-with-rejection.log"
    _, told = report(run, log, "--kubernetes-version", "v1.28.0", "--feature-gate", "SchedulerQueueingHints=TRUE")
    assert (told["kubernetes"]["version"], told["kubernetes"]["candidates"]) == ("1.28.0", ["1.28.0"])
    assert told["kubernetes"]["gates"]["SchedulerQueueingHints"] == {
        "value": True,
        "evidence": "given on the command line",
    }


def test_the_year_makes_whole_dates(run: Run, logs: Path) -> None:
    log = logs / "seed-120334.log"
    assert report(run, log)[1]["parkings"][0]["time"] == "08-31T20:03:47.198968"
    assert report(run, log, "--year", "2023")[1]["parkings"][0]["time"] == "2023-08-31T20:03:47.198968"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_file_gets_the_same_bytes(run: Run, logs: Path, tmp_path: Path, name: str) -> None:
    log = logs / "missed-events-1.28.0-v5.log"
    expected = run("analyze", log, "--format", name)
    target = tmp_path / "report"
    assert run("analyze", log, "--format", name, "-o", target) == (1, "", "")
    assert target.read_text(encoding="utf-8") == expected.out


def test_compressed_and_several_inputs(run: Run, logs: Path, tmp_path: Path) -> None:
    text = (logs / "missed-events-1.28.0-v5.log").read_bytes()
    half = text.index(b"\n", len(text) // 2) + 1
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(text[:half]))
    (tmp_path / "b.log").write_bytes(text[half:])
    code, told = report(run, tmp_path)
    assert code == 1
    assert [Path(each["name"]).name for each in told["inputs"]] == ["a.log.gz", "b.log"]
    (wrong,) = [parking for parking in told["parkings"] if parking["verdict"] == "wrong"]
    assert (wrong["pod"], wrong["input"]) == ("default/analytics-mmjv9m8lp-xjj9g", 1)
    assert {cited["input"] for finding in told["findings"] for cited in finding["proof"]} <= {0, 1}


def test_a_name_that_is_no_text_is_no_obstacle(run: Run, logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd\udcff\x1b[31m.log"
    try:
        shutil.copy(logs / "seed-120334.log", path)
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes UTF-8 names only")
    for name in FORMATS:
        code, out, err = run("analyze", path, "--format", name)
        assert (code, err) == (1, "")
        assert "\x1b" not in out


@pytest.mark.recorded
@pytest.mark.slow
def test_no_recorded_log_from_1_29_on_is_accused(run: Run, recorded: Path) -> None:
    """From 1.29 on the recordings hold no wrong parking; nor may the report."""
    logs = [
        log
        for log in sorted((recorded / "sched-logs").glob("1.*/S*/*-v3/scheduler.log"))
        if int(log.parts[-4].split(".")[1]) >= 29
    ]
    assert len(logs) >= 30
    for log in logs:
        _, told = report(run, log)
        assert [parking for parking in told["parkings"] if parking["verdict"] == "wrong"] == [], log
        assert [each for each in told["findings"] if each["code"] in ("KR101", "KR102", "KR103", "KR110")] == [], log


def test_a_pod_that_is_not_in_the_log_is_no_healthy_pod(run: Run, logs: Path) -> None:
    asked = ("analyze", "--pod", "default/nosuch", logs / "fixed-1.28.3-v5.log")
    code, out, _ = run(*asked)
    assert (code, out.split("\n")[0]) == (0, "Nothing can be said: default/nosuch is not in this log.")
    assert run(*asked, "--fail-on", "undecided")[0] == 1
    code, out, _ = run(*asked, "--pod", "default/neither")
    assert out.split("\n")[0] == "Nothing can be said: default/neither, default/nosuch are not in this log."


def test_a_log_that_tells_nothing_is_undecided(run: Run, logs: Path) -> None:
    silent = logs / "start-up-1.29.1-v3.log"
    assert run("analyze", silent)[0] == 0
    assert run("analyze", "--fail-on", "undecided", silent)[0] == 1
    assert run("analyze", "--fail-on", "undecided", logs / "healthy-1.28.3-v5.log")[0] == 0


def test_processes_that_name_different_releases_are_certain_of_them(run: Run, logs: Path) -> None:
    _, out, _ = run("analyze", logs / "stale-plugins-1.28.0-v6.log", logs / "fixed-1.28.3-v5.log")
    assert "The processes are of different releases, v1.28.0, v1.28.3; each is judged as its own." in out
    assert "not certain" not in out


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_only_a_wrong_parking_was_expected_elsewhere(run: Run, logs: Path, form: str) -> None:
    """A finding on a right parking speaks of something else than the queue it went to."""
    _, right, _ = run("analyze", "--format", form, logs / "rescued-1.28.3-v5.log")
    _, wrong, _ = run("analyze", "--format", form, logs / "stale-plugins-1.28.0-v6.log")
    assert "KR113" in right
    assert ("expected" in right.casefold(), "expected" in wrong.casefold()) == (False, True)
