"""Hostile text in every field of a log, on its way out by every command: nothing of it acts, and nothing fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import pipeline
from tests.report.test_sanitize import ATTACKS, visible

STORY = """\
I0831 20:03:46.100000       1 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"
I0831 20:03:47.100000       1 scheduling_queue.go:745] "Pod moved to an internal scheduling queue" pod="ns/{0}" \
event="{0}" queue="Active"
I0831 20:03:47.184243       1 schedule_one.go:80] "About to try and schedule pod" pod="ns/{0}"
I0831 20:03:47.200000       1 eventhandlers.go:69] "Add event for node" node="{0}"
E0831 20:03:47.300000       1 schedule_one.go:983] "Error scheduling pod; retrying" err="running Reserve plugin \
\\"{0}\\": {0}" pod="ns/{0}"
I0831 20:03:47.310000       1 scheduling_queue.go:745] "Pod moved to an internal scheduling queue" pod="ns/{0}" \
event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle=7 hint="{0}" unschedulable plugins={{"{0}":{{}}}}
I0831 20:08:50.310000       1 scheduling_queue.go:1110] "Pod moved to an internal scheduling queue" pod="ns/{0}" \
event="UnschedulableTimeout" queue="Active"
I0831 20:08:51.310000       1 {0}.go:1] "{0}" {0}="{0}"
I0831 20:08:51.310000       1 flags.go:64] FLAG: --feature-gates="{0}=true"
{{"ts":1693512531310.5,"caller":"a.go:1","msg":"Unable to schedule pod; no fit; waiting","pod":{{"name":"{0}",\
"namespace":"\\ud800"}},"err":"0/3 nodes are available: 3 {0}."}}
{0}
"""
HOSTILE = [
    *(attack.encode("utf-8", "surrogatepass") for attack in ATTACKS if attack),
    b"\xff\xfe\x80",
    b"\xed\xa0\x80",
    b"\\ud800\\udc00\\xff",
    b"\0\0",
]


@pytest.fixture(params=range(len(HOSTILE)), ids=lambda n: ascii(HOSTILE[n])[:30])
def log(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KLOGREPLAY_TRACEBACK", "1")
    text = HOSTILE[request.param].decode("utf-8", "surrogateescape")
    name = "".join(char for char in text if char not in "/\0")[:40] or "x"
    path = tmp_path / f"{name}.log"
    path.write_bytes(STORY.format(text).encode("utf-8", "surrogateescape"))
    return path


def test_every_command_shows_it_as_text(log: Path, tmp_path: Path) -> None:
    pipeline.through(log)
    for arguments in pipeline.COMMANDS:
        pipeline.by_command(log, tmp_path, arguments)
        target = tmp_path / "report"
        asked = [str(target) if argument == "report" else argument for argument in arguments]
        ran = pipeline.command(*asked, str(log))
        shown = ran.out.decode() + ran.err + target.read_bytes().decode()
        assert visible(shown.replace("\n", "").replace("\u2060", "")), arguments
