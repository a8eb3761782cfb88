"""The answer for one pod: gates, backoff, slow victims, events that did not help, and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.events import types as ev
from klogreplay.report.formats import Options, render
from klogreplay.report.model import PodOut
from klogreplay.rules.waits.story import Story, tell
from klogreplay.rules.waits.watch import MOST_TRIES, PodWatch
from tests.replay.truth import truths
from tests.rules.eventlog import Log, S
from tests.samples import parking, right, undecided

NO_ROOM = "0/3 nodes are available: 3 Insufficient cpu."


@pytest.fixture
def log() -> Log:
    return Log()


def story(*events: Any, parkings: Any = (), findings: Any = (), end: float = 100, pod: str = "a") -> Story:
    watch = PodWatch([pod])
    for event in events:
        watch.feed(event)
    known: Callable[[str], tuple[str, ...]] = {"Insufficient cpu": ("NodeResourcesFit",)}.get  # type: ignore[assignment]
    return tell(watch.lives[pod], [], parkings, findings, int(end * S), lambda reason: known(reason) or ())


def failure(log: Log, t: float, err: str = NO_ROOM, *, error: bool = False) -> list[Any]:
    failed = log(ev.AttemptFailed, t, pod="a", error=error, err=err)
    return [log(ev.Popped, t, pod="a"), log(ev.Attempting, t, pod="a"), failed]


def moved(log: Log, t: float, event: str, queue: str, **fields: Any) -> Any:
    return log(ev.Moved, t, pod="a", event=event, queue=queue, **fields)


def test_a_pod_that_waits_for_room(log: Log) -> None:
    told = story(
        *failure(log, 1),
        moved(log, 1, "ScheduleAttemptFailure", "Unschedulable"),
        log(ev.EventNotHelping, 2, pod="a", event="NodeAdd"),
        log(ev.EventNotHelping, 3, pod="a", event="NodeAdd"),
        moved(log, 5, "AssignedPodDelete", "Backoff"),
        log(ev.Popped, 6, pod="a"),
        log(ev.Bound, 6, pod="a", node="n1"),
    )
    assert told.right
    assert told.answer == (
        "Nothing wrong in the queue: the pod waited because no node fitted: 3 Insufficient cpu "
        '("NodeResourcesFit"). "AssignedPodDelete" moved it after 5.0 s, and it was bound to n1. '
        "It was asked about 2 events that did not help (NodeAdd)."
    )
    (row,) = told.rows
    assert (row.destination, row.evidence, row.wake_up, row.waited_us, row.plugins) == (
        "unschedulablePods",
        "observed",
        "AssignedPodDelete",
        5 * S,
        ("NodeResourcesFit",),
    )


def test_a_pod_that_no_event_could_have_helped(log: Log) -> None:
    told = story(*failure(log, 1), moved(log, 1, "ScheduleAttemptFailure", "Unschedulable"))
    assert told.answer.endswith(
        '3 Insufficient cpu ("NodeResourcesFit"). Nothing that could help it came before the log ends.'
    )


def test_backoff_that_grows(log: Log) -> None:
    events = []
    for t in (1, 2, 4, 8):
        events += [*failure(log, t, "etcd timeout", error=True), moved(log, t + 0.9, "BackoffComplete", "Active")]
    told = story(*events, log(ev.Popped, 16, pod="a"), log(ev.Bound, 16, pod="a", node="n1"))
    assert (
        "the pod waited because 4 attempts failed with an error and were retried (after 1.0 s, 2.0 s, 4.0 s, 8.0 s); "
        "the last: etcd timeout. "
    ) in told.answer
    assert [(row.destination, row.evidence, row.plugins) for row in told.rows] == [("backoffQ", "derived", None)] * 4


def test_a_gate_kept_on_purpose(log: Log) -> None:
    gated = log(ev.PreEnqueueStatus, 10, pod="a", plugin="SchedulingGates", status="{}")
    told = story(gated, end=40)
    assert told.answer == (
        "Nothing wrong in the queue: the pod waited because it had scheduling gates for 30.0 s "
        "(from line 1, still when the log ends). It was not bound before the log ends."
    )
    opened = moved(log, 20, "PodUpdate", "Active")
    told = story(gated, opened, log(ev.Popped, 20, pod="a"), log(ev.Bound, 20, pod="a", node="n1"))
    assert "for 10.0 s (from line 1, until line 2). It was bound to n1 (line 4)." in told.answer


def test_the_gates_are_named_and_who_puts_them_there(log: Log) -> None:
    status = "waiting for scheduling gates: [kueue.x-k8s.io/admission example.com/quota]"
    told = story(log(ev.PreEnqueueStatus, 10, pod="a", plugin="SchedulingGates", status=status), end=40)
    assert (
        'it had scheduling gates "kueue.x-k8s.io/admission" and "example.com/quota" '
        "(Kueue, until it admits the pod's workload) for 30.0 s"
    ) in told.answer


def test_another_gate_is_named(log: Log) -> None:
    told = story(log(ev.PreEnqueueStatus, 10, pod="a", plugin="DynamicResources", status="no claim"))
    assert 'the PreEnqueue plugin "DynamicResources" kept it out of activeQ for 90.0 s' in told.answer


def test_gates_before_the_first_attempt_are_told_too(log: Log) -> None:
    gated = log(ev.PreEnqueueStatus, 1, pod="a", plugin="SchedulingGates", status="{}")
    told = story(gated, moved(log, 5, "PodUpdate", "Active"), *failure(log, 5))
    assert "Before, it had scheduling gates for 4.0 s (from line 1, until line 2)." in told.answer


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        (40, "It preempted low, which took 30.0 s to go."),
        (None, "It preempted low, which took 90.0 s and was still there when the log ends."),
        (11, "It preempted 1 pod, which went within 5.0 s."),
    ],
)
def test_a_slow_victim(gone: float | None, says: str, log: Log) -> None:
    preempted = log(ev.VictimPreempted, 10, preemptor="a", victim="low", node="n1")
    after = [log(ev.AssignedPodDeleted, gone, pod="low")] if gone else []
    assert says in story(*failure(log, 10), preempted, *after).answer


def test_reasons_that_change(log: Log) -> None:
    told = story(*failure(log, 1, "0/3 nodes are available: 3 Insufficient memory."), *failure(log, 5))
    assert "no node fitted in 2 attempts, for changing reasons, at last: 3 Insufficient cpu" in told.answer
    assert [row.reasons for row in told.rows] == [["3 Insufficient memory"], ["3 Insufficient cpu"]]
    assert told.rows[0].plugins is None


def test_what_is_wrong_comes_first(log: Log) -> None:
    failed = failure(log, 1)
    wrong = parking(pod="a", line=failed[-1].line)
    told = story(*failed, parkings=[wrong])
    assert (told.right, told.answer) == (False, "1 of 1 failed attempt was wrongly parked.")
    assert told.rows[0].verdict == "wrong (proven)"


def test_what_cannot_be_judged_is_not_called_right(log: Log) -> None:
    failed = failure(log, 1)
    told = story(*failed, parkings=[undecided(pod="a", line=failed[-1].line)])
    assert not told.right
    assert told.answer == "Nothing proven wrong in the queue; 1 failed attempt cannot be judged from this log."


def test_other_pods_do_not_count(log: Log) -> None:
    told = story(*failure(log, 1), parkings=[parking(pod="b"), right(pod="c")])
    assert told.right


def test_a_pod_without_attempts(log: Log) -> None:
    told = story(log(ev.PodAdded, 1, pod="a"))
    assert told.answer == (
        "Nothing wrong in the queue: no attempt of the pod is in this log. It was not bound before the log ends."
    )


def test_a_recreated_pod_is_another_one(log: Log) -> None:
    told = story(*failure(log, 1), log(ev.PodDeleted, 2, pod="a"), log(ev.PodAdded, 3, pod="a"))
    assert told.rows == []


def test_a_restart_does_not_forget_the_attempts(log: Log) -> None:
    told = story(*failure(log, 1), log(ev.PodAdded, 3, pod="a"), *failure(log, 4))
    assert len(told.rows) == 2


def test_a_bound_pod_was_not_deleted(log: Log) -> None:
    events = [*failure(log, 1), log(ev.Popped, 2, pod="a"), log(ev.PodDeleted, 3, pod="a")]
    assert "bound to n1" in story(*events, log(ev.Bound, 3, pod="a", node="n1")).answer


def test_attempts_kept_are_bounded(log: Log) -> None:
    events = [event for n in range(MOST_TRIES + 7) for event in failure(log, n)]
    told = story(*events)
    assert (len(told.rows), told.more) == (MOST_TRIES, 7)


def analysed(path: Path, *pods: str) -> Any:
    return analyse(Request(paths=[str(path)], pods=pods))


def test_the_report_on_one_healthy_pod(fixtures: Path) -> None:
    path = fixtures / "rules" / "kr113-near-miss.log"
    told = analysed(path, "default/giant-rqf8drxr7-tmtjt")
    text = render("text", told, Options(details=True, width=200))
    assert text.startswith("Nothing wrong in the queue: the pod waited because no node fitted: 3 Insufficient cpu")
    assert "Attempts of default/giant-rqf8drxr7-tmtjt\n  1. line " in text
    assert "; to unschedulablePods; right (proven)" in text
    markdown = render("markdown", told, Options(details=True))
    assert "### Attempts of `default/giant-rqf8drxr7-tmtjt`\n\n- 1\\. line" in markdown
    (pod,) = json.loads(render("json", told, Options()))["pods"]
    assert (pod["right"], len(pod["attempts"]), pod["attempts"][0]["reasons"]) == (True, 1, ["3 Insufficient cpu"])


def test_same_reasons_are_not_repeated(fixtures: Path) -> None:
    told = analysed(fixtures / "rules" / "kr105-fires.log", "default/upd-flight-z4x8mtr89-qks97")
    text = render("text", told, Options(details=True, width=400))
    assert (
        "3 node(s) didn't match Pod's node affinity/selector, rejected by NodeAffinity; where to is not shown" in text
    )
    assert text.count("3 node(s) didn't match Pod's node affinity/selector, rejected") == 1
    assert ": the same, rejected by NodeAffinity; " in text
    assert "but see KR105 update-in-flight (proven)." in text


def test_without_pods_the_report_has_no_answers(fixtures: Path) -> None:
    told = analysed(fixtures / "rules" / "kr113-near-miss.log")
    assert told.pods == []
    assert "pods" not in json.loads(render("json", told, Options()))


def test_log_text_cannot_break_out(fixtures: Path) -> None:
    told = analysed(fixtures / "rules" / "kr113-near-miss.log", "default/giant-rqf8drxr7-tmtjt")
    attack = "[/x] \x1b[31m`<b>` @team #1 \u202e |\n# no"
    row = (
        told.pods[0]
        .attempts[0]
        .model_copy(update={"reasons": [attack], "wake_up": attack, "rejector_plugins": [attack]})
    )
    told.pods[0] = PodOut(pod=attack, answer=attack, right=False, attempts=[row], more_attempts=3)
    for form in ("text", "markdown"):
        out = render(form, told, Options(details=True))
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "\n# no" not in out


@pytest.mark.recorded
def test_pods_of_healthy_scenarios_get_the_answer_that_nothing_is_wrong(recorded: Path) -> None:
    """Of 1.28.3 without S07: its parked error attempts are wrong in every release before 1.29."""
    told = 0
    healthy = ("S03", "S04", "S05", "S06", "S09", "S12")
    for release, scenarios in (("1.28.3", healthy), ("1.32.2", (*healthy, "S07")), ("1.34.1", (*healthy, "S07"))):
        for scenario in scenarios:
            for directory in sorted((recorded / "sched-logs" / release / scenario).glob("seed*-v5")):
                path = next(directory.glob("scheduler.log*"))
                pods = truths(directory)[0]["pods"]
                names = [each["pod"] for each in pods] if isinstance(pods, list) else list(pods)
                for answer in analysed(path, *names).pods:
                    assert answer.answer.startswith("Nothing wrong in the queue: "), (directory, answer)
                    assert answer.right
                    told += 1
    assert told > 100
