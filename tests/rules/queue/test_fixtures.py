"""Each rule on upstream bugs has a log that fires it and a near miss that does not; what the findings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.rules.types import Finding
from tests.conftest import FIXTURES

from .build import QUEUE_RULES, findings, findings_of

LOGS = FIXTURES / "rules"
NEAR_MISS = {"KR202": "kr201-near-miss.log", "KR203": "kr201-fires.log"}
"""Those that need no log of their own: the same pods, recreated instead of leaking or updated."""

GRADES = {
    "KR104": "likely",
    "KR105": "proven",
    "KR106": "likely",
    "KR107": "likely",
    "KR108": "proven",
    "KR109": "likely",
    "KR111": "proven",
    "KR112": "proven",
    "KR113": "likely",
    "KR114": "likely",
    "KR115": "likely",
    "KR116": "suspected",
    "KR117": "suspected",
    "KR120": "suspected",
    "KR201": "proven",
    "KR202": "suspected",
    "KR203": "likely",
}
UPSTREAM = {
    "KR104": ["kubernetes#122285"],
    "KR105": ["kubernetes#125578"],
    "KR106": ["kubernetes#93044"],
    "KR107": ["kubernetes#122022"],
    "KR108": ["kubernetes#134245"],
    "KR109": ["kubernetes#142294"],
    "KR111": ["kubernetes#135719"],
    "KR112": ["kubernetes#137607"],
    "KR113": [],
    "KR114": ["kubernetes#122627"],
    "KR115": ["kubernetes#129058"],
    "KR116": ["kubernetes#102498"],
    "KR117": ["kubernetes#126644"],
    "KR120": [],
    "KR201": ["kubernetes#138324"],
    "KR202": [],
    "KR203": ["kubernetes#125578"],
}


def fires(code: str) -> Finding:
    (finding,) = [each for each in findings_of(LOGS / f"{code.lower()}-fires.log") if each.code == code]
    return finding


def test_every_rule_is_here() -> None:
    assert set(GRADES) == set(UPSTREAM) == {rule.code for rule in QUEUE_RULES}


@pytest.mark.parametrize("code", GRADES)
def test_fires(code: str) -> None:
    finding = fires(code)
    assert finding.grade == GRADES[code]
    assert [change.ref for change in finding.upstream] == UPSTREAM[code]
    assert finding.pod is None or finding.pod in finding.summary
    assert len(finding.proof) >= 2
    assert [cited.line for cited in finding.proof] == sorted({cited.line for cited in finding.proof})
    lines = (LOGS / f"{code.lower()}-fires.log").read_text(encoding="utf-8").splitlines()
    assert all(lines[cited.line - 1] == cited.text for cited in finding.proof)


@pytest.mark.parametrize("code", GRADES)
def test_near_miss(code: str) -> None:
    path = LOGS / NEAR_MISS.get(code, f"{code.lower()}-near-miss.log")
    assert code not in [finding.code for finding in findings_of(path)]


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("KR104", "v1.32.2"),
        ("KR105", "v1.31.1"),
        ("KR106", "v1.20.2"),
        ("KR107", "v1.30.1"),
        ("KR109", "v1.31.1"),
        ("KR111", "v1.36.2"),
        ("KR112", "v1.36.2"),
        ("KR114", "v1.31.1"),
        ("KR115", "v1.37.0"),
        ("KR201", "v1.36.2"),
    ],
)
def test_a_release_with_the_fix_is_not_charged(code: str, version: str, tmp_path: Path) -> None:
    """The same lines under another release: the bug's range does not allow it."""

    def relabel(lines: list[str]) -> list[str]:
        head = next(n for n, line in enumerate(lines) if "Starting Kubernetes Scheduler" in line)
        stem, _, _ = lines[head].rpartition("v1.")
        lines[head] = f"{stem}{version}" + ('"' if lines[head].endswith('"') else "")
        return lines

    found = findings(tmp_path, LOGS / f"{code.lower()}-fires.log", relabel)
    assert code not in [finding.code for finding in found]


def test_node_add_of_a_node_that_the_pod_does_not_get(tmp_path: Path) -> None:
    path = LOGS / "kr104-fires.log"
    found = findings(tmp_path, path, lambda lines: [line.replace('node="node-b" ', 'node="node-a" ') for line in lines])
    assert [finding.code for finding in found] == ["KR113"]


def test_at_level_four_the_answers_are_not_shown(tmp_path: Path) -> None:
    """What needs "was not asked" is no more than a suspicion where the answers are not printed."""
    quiet = ("Event is not making", "in-flight", 'event="PodAdd"')
    found = findings(
        tmp_path,
        LOGS / "kr104-fires.log",
        lambda lines: [line for line in lines if not any(text in line for text in quiet)],
    )
    assert [(finding.code, finding.grade) for finding in found] == [("KR120", "suspected")]


def test_update_that_was_lost_altogether(tmp_path: Path) -> None:
    """The signature of 1.30: the update's line, no second entry, and the pod is parked and sleeps."""
    lines = [
        'I1201 09:00:00.2 1 server.go:154] "Starting Kubernetes Scheduler" version="v1.30.1"',
        "I1201 09:00:00.3 1 feature_gate.go:254] feature gates: {map[SchedulerQueueingHints:true]}",
        'I1201 09:00:02.1 1 eventhandlers.go:126] "Add event for unscheduled pod" pod="default/web-0"',
        'I1201 09:00:02.2 1 schedule_one.go:83] "About to try and schedule pod" pod="default/web-0"',
        'I1201 09:00:02.3 1 schedule_one.go:96] "Attempting to schedule pod" pod="default/web-0"',
        'I1201 09:00:02.4 1 eventhandlers.go:175] "Update event for unscheduled pod" pod="default/web-0"',
        'I1201 09:00:02.5 1 schedule_one.go:1020] "Unable to schedule pod; no fit; waiting" pod="default/web-0" '
        'err="0/1 nodes are available: 1 node(s) had untolerated taint {a: b}."',
        'I1201 09:00:02.6 1 scheduling_queue.go:797] "Pod moved to an internal scheduling queue" pod="default/web-0" '
        'event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle=1 hint=0 '
        'unschedulable plugins={"TaintToleration":{}}',
    ]
    padded = [line.replace(" 1 ", "00000       1 ", 1) for line in lines]
    (finding,) = findings(tmp_path, LOGS / "kr105-fires.log", lambda _: padded)
    assert (finding.code, finding.grade, finding.pod) == ("KR105", "suspected", "default/web-0")
    assert [cited.line for cited in finding.proof] == [4, 6, 7, 8]


def test_prefilter_result_is_known_by_its_text(tmp_path: Path) -> None:
    path = LOGS / "kr107-fires.log"
    text = "node is filtered out by the prefilter result"
    found = findings(tmp_path, path, lambda lines: [line.replace("tenant quota exceeded", text) for line in lines])
    assert [(each.code, each.upstream[0].ref) for each in found] == [("KR107", "kubernetes#122251")]
    found = findings(tmp_path, path, lambda lines: [line.replace(", 3 tenant quota exceeded", "") for line in lines])
    assert [(each.code, each.upstream[0].ref) for each in found] == [("KR107", "kubernetes#122251")]
    assert "no reason for 3 of the nodes" in found[0].summary


def test_rejection_without_rejector_that_an_event_ended_is_not_told(tmp_path: Path) -> None:
    path = LOGS / "kr107-fires.log"
    found = findings(
        tmp_path, path, lambda lines: [line.replace("UnschedulableTimeout", "AssignedPodDelete") for line in lines]
    )
    assert found == []


def test_loop_says_how_often() -> None:
    assert "started 17 preemptions within 374 ms, and was activated 16 times in between" in fires("KR108").summary


def test_loop_of_another_release_is_told_without_a_bug(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        LOGS / "kr108-fires.log",
        lambda lines: [line.replace('version="v1.34.1"', 'version="v1.33.1"') for line in lines],
    )
    (loop,) = [finding for finding in found if finding.code == "KR108"]
    assert loop.upstream == ()
    assert loop.summary.endswith("No known bug of this release explains it.")


def test_two_bugs_that_cannot_be_told_apart_are_both_named(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        LOGS / "kr109-fires.log",
        lambda lines: [line.replace('version="v1.36.2"', 'version="v1.33.0"') for line in lines],
    )
    (held,) = [finding for finding in found if finding.code == "KR109"]
    assert [change.ref for change in held.upstream] == ["kubernetes#133167", "kubernetes#142294"]
    assert "kubernetes#133167 or kubernetes#142294" in held.summary


def test_doubts_about_a_fix_are_said() -> None:
    assert fires("KR108").upstream[0].fixed_in == ("1.35.0", "1.34.2 (unverified)")
    assert fires("KR109").upstream[0].fixed_in == ("not known to be fixed (open (Sep 2026))",)


def test_held_preemptor_that_is_activated(tmp_path: Path) -> None:
    """The same lines with an activation after the finish: the pod was not held."""
    pod, finish = "default/critical-tmtjtkqml-flrgx", "Async Preemption finished completely"

    def activate(lines: list[str]) -> list[str]:
        at = max(n for n, line in enumerate(lines) if finish in line and pod in line)
        stamp = lines[at].partition("] ")[0].rpartition(" ")[0]
        moved = f'{stamp} active_queue.go:1] "Pod moved to an internal scheduling queue" pod="{pod}" '
        return [*lines[: at + 1], moved + 'event="ForceActivate" queue="Active"', *lines[at + 1 :]]

    found = findings(tmp_path, LOGS / "kr109-fires.log", activate)
    assert "KR109" not in [finding.code for finding in found]


def test_prebind_rejection_that_was_parked(tmp_path: Path) -> None:
    """1.31 and 1.32 let PreBind answer "unschedulable", and park the pod for it; 1.33 backs it off."""

    def log(version: str) -> list[str]:
        return [
            f'I1201 09:00:00.200000       1 server.go:154] "Starting Kubernetes Scheduler" version="{version}"',
            'I1201 09:00:02.100000       1 eventhandlers.go:126] "Add event for unscheduled pod" pod="ns/web-0"',
            'I1201 09:00:02.200000       1 schedule_one.go:83] "About to try and schedule pod" pod="ns/web-0"',
            'I1201 09:00:02.300000       1 schedule_one.go:96] "Attempting to schedule pod" pod="ns/web-0"',
            'I1201 09:00:02.400000       1 framework.go:1160] "Pod rejected by PreBind plugin" logger="PreBind" '
            'pod="ns/web-0" node="node-a" plugin="DynamicResources" status="waiting for resource driver"',
            'I1201 09:00:02.500000       1 schedule_one.go:1047] "Unable to schedule pod; no fit; waiting" '
            'pod="ns/web-0" err="0/1 nodes are available: 1 waiting for resource driver."',
            'I1201 09:00:02.600000       1 scheduling_queue.go:900] "Pod moved to an internal scheduling queue" '
            'pod="ns/web-0" event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle=1 hint=0 '
            'unschedulable plugins={"DynamicResources":{}}',
        ]

    (finding,) = findings(tmp_path, LOGS / "kr111-fires.log", lambda _: log("v1.32.2"))
    assert (finding.code, finding.grade, finding.parking) == ("KR111", "proven", 0)
    assert 'turned away in PreBind by "DynamicResources"' in finding.summary
    assert finding.upstream[0].ref == "kubernetes#130189"
    assert findings(tmp_path, LOGS / "kr111-fires.log", lambda _: log("v1.33.0")) == []


@pytest.mark.parametrize(
    ("plugin", "reason", "event", "hint", "release", "refs"),
    [
        (
            "InterPodAffinity",
            "1 node(s) didn't satisfy existing pods anti-affinity rules",
            "AssignedPodDelete",
            None,
            "v1.34.1",
            ["kubernetes#135325", "kubernetes#135394"],
        ),
        ("InterPodAffinity", "1 node(s) didn't match pod affinity rules", "AssignedPodDelete", None, "v1.34.1",
         ["kubernetes#141354"]),
        ("InterPodAffinity", "1 node(s) didn't match pod affinity rules", "NodeAdd", None, "v1.34.1", []),
        (
            "NodePorts",
            "1 node(s) didn't have free ports for the requested pod ports",
            "AssignedPodDelete",
            '"the deleted pod is unscheduled and it doesn\'t make the target pod schedulable"',
            "v1.29.1",
            ["kubernetes#122534"],
        ),
        ("NodePorts", "1 node(s) didn't have free ports for the requested pod ports", "AssignedPodDelete", None,
         "v1.29.1", []),
        ("VolumeBinding", "1 node(s) didn't find available persistent volumes to bind", "PersistentVolumeAdd", None,
         "v1.34.1", ["kubernetes#133929"]),
        ("VolumeBinding", "1 node(s) didn't find available persistent volumes to bind", "PersistentVolumeAdd", None,
         "v1.36.2", []),
    ],
)  # fmt: skip
def test_known_hint_bugs_are_named(
    plugin: str, reason: str, event: str, hint: str | None, release: str, refs: list[str], tmp_path: Path
) -> None:
    """The bug is named where plugin, reason, event, the plugin's own line and the release fit."""
    pod = 'pod="default/web-0"'
    queue = 'scheduling_queue.go:1] "Pod moved to an internal scheduling queue"'

    def line(clock: str, rest: str) -> str:
        return f"I1201 {clock}       1 {rest}"

    lines = [
        line("09:00:00.100000", "feature_gate.go:1] feature gates: {map[SchedulerQueueingHints:true]}"),
        line("09:00:00.200000", f'server.go:154] "Starting Kubernetes Scheduler" version="{release}"'),
        line("09:00:02.100000", f'eventhandlers.go:126] "Add event for unscheduled pod" {pod}'),
        line("09:00:02.200000", f'schedule_one.go:83] "About to try and schedule pod" {pod}'),
        line("09:00:02.300000", f'schedule_one.go:96] "Attempting to schedule pod" {pod}'),
        line(
            "09:00:02.500000",
            f'schedule_one.go:1] "Unable to schedule pod; no fit; waiting" {pod} err="0/1 nodes are available: '
            f'{reason}."',
        ),
        line(
            "09:00:02.600000",
            f'{queue} {pod} event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle=1 hint=0 '
            f'unschedulable plugins={{"{plugin}":{{}}}}',
        ),
        *([line("09:01:00.000000", f'node_ports.go:1] {hint} {pod} deletedPod="default/x"')] if hint else []),
        line("09:01:00.000100", f'scheduling_queue.go:1] "Event is not making pod schedulable" {pod} event="{event}"'),
        line("09:05:30.000000", f'{queue} {pod} event="UnschedulableTimeout" queue="Active" hint=1'),
        line("09:05:30.000100", f'schedule_one.go:83] "About to try and schedule pod" {pod}'),
        line("09:05:30.000200", f'schedule_one.go:96] "Attempting to schedule pod" {pod}'),
        line("09:05:30.000300", f'schedule_one.go:1] "Successfully bound pod to node" {pod} node="node-a"'),
    ]
    (finding,) = findings(tmp_path, LOGS / "kr113-fires.log", lambda _: lines)
    assert (finding.code, finding.grade) == ("KR113", "likely")
    assert [change.ref for change in finding.upstream] == refs
    assert all(f"{ref} if " in finding.summary for ref in refs)


def test_silence_must_end_with_a_tick_of_the_flush(tmp_path: Path) -> None:
    """The pod comes back ten seconds after a tick: something else woke it."""
    path = LOGS / "kr120-fires.log"

    def later(lines: list[str]) -> list[str]:
        return [line.replace(" 07:36:53", " 07:37:03") if "Successfully bound" in line else line for line in lines]

    assert any("Successfully bound" in line and " 07:36:53" in line for line in path.read_text().splitlines())
    assert [finding.code for finding in findings(tmp_path, path, later)] == []
