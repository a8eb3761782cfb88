"""What is said where the release or the gates given do not fit the log."""

from __future__ import annotations

import pytest

from klogreplay.replay import conflicts
from klogreplay.replay.facts import HINTS, Facts
from tests.replay.build import events, lines, replay

KNOWN = ("1.28.0",)
OFF = f"--feature-gate {HINTS}=false contradicts the log:"


@pytest.mark.parametrize(
    ("given", "logged", "by_sites", "judged_by", "said"),
    [
        (None, None, (), KNOWN, []),
        ("1.28.0", "v1.28.0", KNOWN, KNOWN, []),
        ("1.28.0", None, ("1.26.1", "1.28.0"), KNOWN, []),
        ("1.28.0", "devel", (), KNOWN, []),
        (
            None,
            "v1.28.2",
            (),
            ("1.28.0", "1.28.3"),
            ["1.28.2 is not among the known releases: judged as 1.28.0 or 1.28.3"],
        ),
        ("1.99", None, (), ("1.36.2",), ["1.99.0 is newer than all known releases: judged as 1.36.2"]),
        ("1.29.1", "v1.28.0", (), ("1.29.1",), ["1.29.1 contradicts the log: the scheduler says that it is 1.28.0"]),
        ("1.29.1", None, ("1.28.0",), ("1.29.1",), ["1.29.1 contradicts the log: its lines are those of 1.28.0"]),
        (
            "1.29.1",
            None,
            ("1.26.1", "1.28.0"),
            ("1.29.1",),
            ["1.29.1 contradicts the log: its lines are those of 1.26.1 to 1.28.0"],
        ),
        (
            "1.28.2",
            "v1.28.0",
            (),
            KNOWN,
            ["1.28.2 is not among the known releases: judged as 1.28.0", "the scheduler says that it is 1.28.0"],
        ),
    ],
)
def test_of_the_release(
    given: str | None, logged: str | None, by_sites: tuple[str, ...], judged_by: tuple[str, ...], said: list[str]
) -> None:
    found = conflicts.of_release(given, logged, by_sites, judged_by)
    assert len(found) == len(said)
    assert all(text.endswith(end) for text, end in zip(found, said, strict=True)), found


@pytest.mark.parametrize(
    ("logged", "judged_by", "said"),
    [
        ("v1.28.0", KNOWN, ["the log names 1.28.0, but some of its lines are not printed like that in 1.28.0"]),
        (
            "v1.37.0",
            ("1.36.2",),
            [
                "Kubernetes 1.37.0 is newer than all known releases: judged as 1.36.2",
                "the log names 1.37.0, but some of its lines are not printed like that in 1.37.0",
            ],
        ),
        ("devel", KNOWN, []),
        (None, KNOWN, []),
    ],
)
def test_of_a_log_whose_lines_are_not_those_of_the_release_it_names(
    logged: str | None, judged_by: tuple[str, ...], said: list[str]
) -> None:
    assert conflicts.of_release(None, logged, (), judged_by, unfitting=True) == said


@pytest.mark.parametrize("version", ["v1.28.0-eks-abcdef", "v1.28.0+k3s1"])
def test_of_a_vendors_build(version: str) -> None:
    said = [f"the log names {version}, a vendor's build of 1.28.0: judged as upstream's"]
    assert conflicts.of_release(None, version, KNOWN, KNOWN) == said


@pytest.mark.parametrize(
    ("given", "logged", "seen", "said"),
    [
        ({HINTS: True}, {}, {}, []),
        ({HINTS: True}, {HINTS: True}, {HINTS: True}, []),
        ({"AllBeta": True}, {}, {}, []),
        ({"Nope": True}, {}, {}, ["--feature-gate Nope=true: 1.28.0 has no feature gate of this name"]),
        ({HINTS: False}, {HINTS: True}, {}, [f"{OFF} the scheduler started with true"]),
        ({HINTS: False}, {}, {HINTS: True}, [f"{OFF} its hand-back lines are those of true"]),
    ],
)
def test_of_the_gates(given: dict[str, bool], logged: dict[str, bool], seen: dict[str, bool], said: list[str]) -> None:
    assert conflicts.of_gates(given, logged, seen, KNOWN) == said


def test_a_gate_that_one_of_the_releases_has_is_known() -> None:
    assert conflicts.of_gates({"SchedulerPopFromBackoffQ": True}, {}, {}, ("1.32.2", "1.33.0")) == []
    assert conflicts.of_gates({"SchedulerPopFromBackoffQ": True}, {}, {}, ("1.31.0", "1.32.2")) == [
        "--feature-gate SchedulerPopFromBackoffQ=true: 1.31.0 to 1.32.2 has no feature gate of this name"
    ]


def test_the_replay_says_so_once() -> None:
    story = "0.1 started\n0.2 gates gates=SchedulerQueueingHints=true\n0.3 new web"
    result = replay(story, kubernetes_version="1.29.1", gates={HINTS: False})
    assert result.warnings == [
        "--kubernetes-version 1.29.1 contradicts the log: the scheduler says that it is 1.28.0",
        "--feature-gate SchedulerQueueingHints=false contradicts the log: the scheduler started with true",
    ]
    assert replay(story).warnings == []


def test_a_switch_for_a_whole_stage_sets_the_gates_that_are_not_set_themselves() -> None:
    one = Facts("1.29.1", {}, None, None)
    for event in events(lines("0.1 gates gates=AllBeta=true", "1.29.1", head=False)):
        one.observe(event)
    gate = one.gate("1.29.1", HINTS)
    assert (gate.value, gate.evidence) == (True, "set by AllBeta")
    assert one.as_built()[0].hints
    assert Facts("1.29.1", {HINTS: False, "AllBeta": True}, None, None).gate("1.29.1", HINTS).value is False
