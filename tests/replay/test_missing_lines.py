"""Lost lines and lost times: what is not there accuses nobody, and says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.report.model import Analysis, ParkingOut

HEADER = re.compile(r"^[IWEF][0-9]{4} [0-9:.]+ +[0-9]+ [^ ]+:[0-9]+\] ", re.MULTILINE)


def report(tmp_path: Path, text: str) -> Analysis:
    log = tmp_path / "scheduler.log"
    log.write_text(text)
    return analyse(Request(paths=[str(log)]))


def of(analysis: Analysis, pod: str) -> list[ParkingOut]:
    return [parking for parking in analysis.parkings if parking.pod == pod]


def without(text: str, *numbers: int) -> str:
    return "\n".join(line for n, line in enumerate(text.split("\n"), 1) if n not in numbers)


def test_a_log_without_headers_has_no_times_and_proves_no_order(fixtures: Path, tmp_path: Path) -> None:
    text = (fixtures / "analyze" / "missed-events-1.28.0-v5.log").read_text()
    whole = report(tmp_path, text)
    assert [(p.verdict, p.causes) for p in whole.parkings] == [("wrong", ["missed-events"])]
    bare = report(tmp_path, HEADER.sub("", text))
    assert [(p.verdict, p.time, p.concurrent_events) for p in bare.parkings] == [("undecided", None, [])]
    assert any("headers" in need for need in bare.parkings[0].needs)


@pytest.mark.recorded
class TestRecorded:
    def log(self, recorded: Path, name: str) -> str:
        return (recorded / "sched-logs" / name / "scheduler.log").read_text()

    def test_a_lost_refusal_is_no_parking(self, recorded: Path, tmp_path: Path) -> None:
        text = self.log(recorded, "1.34.1/S19/seed1-v4")
        number = next(n for n, line in enumerate(text.split("\n"), 1) if "already present in" in line)
        pod = "default/db-2"
        damaged = report(tmp_path, without(text, number))
        assert {p.verdict for p in of(damaged, pod)} <= {"right", "undecided"}
        assert all(p.needs for p in of(damaged, pod) if p.verdict == "undecided")

    def test_a_lost_rejection_is_suspected_where_the_queue_would_not_have_parked(
        self, recorded: Path, tmp_path: Path
    ) -> None:
        text = self.log(recorded, "1.28.0/S01-default/seed2-v5")
        number = next(n for n, line in enumerate(text.split("\n"), 1) if "no fit; waiting" in line)
        damaged = report(tmp_path, without(text, number))
        wrong = [p for p in damaged.parkings if p.verdict == "wrong"]
        assert wrong
        assert all("stale-plugins" in p.causes for p in wrong)
        assert {f.grade for f in damaged.findings if f.code in ("KR101", "KR110")} == {"suspected"}

    def test_attempts_of_others_within_a_window_mean_that_its_pop_was_lost(
        self, recorded: Path, tmp_path: Path
    ) -> None:
        import gzip

        path = recorded / "sched-logs" / "1.28.0/S15/seed1-v5/scheduler.log.gz"
        text = gzip.decompress(path.read_bytes()).decode()
        pod = "team-b/analytics-26gqrw7hd-qhn82"
        damaged = report(tmp_path, without(text, 2154, 2155, 2657, 2871, 2874, 2875))
        whole = {p.error: p.verdict for p in of(report(tmp_path, text), pod)}
        assert whole
        lost = [p for p in of(damaged, pod) if (p.time or "").endswith("07:37:18.783701")]
        assert [p.verdict for p in lost] == ["undecided"]


def crowd(pods: int) -> str:
    """A 1.28.0 log in which `pods` pods are popped, a node added after each, before the first of them fails."""
    lines = ['server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"']
    lines += ["leaderelection.go:260] successfully acquired lease kube-system/kube-scheduler"]
    for n in range(pods):
        lines.append(f'schedule_one.go:80] "About to try and schedule pod" pod="a/p{n}"')
        lines.append(f'eventhandlers.go:76] "Add event for node" node="n{n}"')
    err = "0/4 nodes are available: 4 Insufficient cpu."
    for n in range(pods):
        lines.append(f'schedule_one.go:967] "Unable to schedule pod; no fit; waiting" pod="a/p{n}" err="{err}"')
        lines.append(
            f'scheduling_queue.go:734] "Pod moved to an internal scheduling queue" pod="a/p{n}" '
            f'event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle={n + 1}'
        )
    return "".join(f"I1201 07:00:{i // 1000:02}.{i % 1000 * 1000:06}       1 {line}\n" for i, line in enumerate(lines))


def test_a_crowd_in_flight_is_no_accusation_and_no_hang(tmp_path: Path) -> None:
    analysis = report(tmp_path, crowd(150))
    assert len(analysis.parkings) == 150
    assert {p.verdict for p in analysis.parkings} <= {"undecided", "right"}
    assert all(p.needs for p in analysis.parkings if p.verdict == "undecided")
