"""Queue behaviours, line levels and gate defaults of releases, against facts read upstream."""

from __future__ import annotations

import pytest

from klogreplay import knowledge


def cleared(release: str) -> str:
    return knowledge.behaviours(release).unschedulable_plugins_cleared


def test_stale_plugins_stay_until_the_fix_of_each_branch() -> None:
    never = [r for r in knowledge.releases() if cleared(r) == "never"]
    assert never[0] == "1.21.4"
    for last, fixed in [("1.25.14", "1.25.15"), ("1.26.9", "1.26.10"), ("1.27.6", "1.27.7"), ("1.28.0", "1.28.3")]:
        assert cleared(last) == "never"
        assert cleared(fixed) == "on Pop"
    assert cleared("1.36.2") == "on failure, before the new set is stored"


def test_every_release_has_behaviours_under_its_own_name() -> None:
    for release in knowledge.releases():
        row = knowledge.behaviours(release)
        assert row.release == release
        assert not row.assumed


def test_an_unknown_release_takes_the_nearest_and_says_so() -> None:
    row = knowledge.behaviours("v1.28.1")
    assert (row.release, row.assumed) == ("1.28.0", True)


@pytest.mark.parametrize(
    ("release", "line", "level"),
    [
        ("1.28.0", "moved: failed attempt, hints on", 6),
        ("1.28.0", "moved: failed attempt, hints off", 5),
        ("1.29.1", "moved: failed attempt, hints on", 3),
        ("1.28.0", "moved: cluster event, line with hint or struct", 4),
        ("1.26.1", "moved: cluster event, line with hint or struct", 5),
        ("1.35.4", "moved: cluster event, line with hint or struct", None),
        ("1.28.0", "Checking events for in-flight pod", None),
        ("1.28.3", "Checking events for in-flight pod", 5),
        ("1.36.2", "Error scheduling pod; retrying", "E"),
        ("1.36.2", "no fit", 2),
        ("1.28.3", "PreEnqueue status", 0),
    ],
)
def test_line_levels(release: str, line: str, level: int | str | None) -> None:
    assert knowledge.line_level(release, line) == level


def test_flush_limits() -> None:
    assert [knowledge.leftover_limit_seconds(r) for r in ("1.23.10", "1.24.0-alpha.4", "1.36.2")] == [60, 300, 300]
    assert {knowledge.leftover_every_seconds(r) for r in knowledge.releases()} == {30}


@pytest.mark.parametrize(
    ("release", "gate", "default"),
    [
        ("1.27.1", "SchedulerQueueingHints", None),
        ("1.28.4", "SchedulerQueueingHints", True),
        ("1.28.6", "SchedulerQueueingHints", False),
        ("1.31.13", "SchedulerQueueingHints", False),
        ("1.32.0", "SchedulerQueueingHints", True),
        ("1.34.1", "SchedulerAsyncAPICalls", True),
        ("1.34.7", "SchedulerAsyncAPICalls", False),
        ("1.35.4", "SchedulerAsyncAPICalls", False),
        ("1.33.0", "SchedulerPopFromBackoffQ", True),
        ("1.35.4", "NodeDeclaredFeatures", False),
        ("1.36.2", "NodeDeclaredFeatures", True),
        ("1.36.2", "NoSuchGate", None),
    ],
)
def test_gate_defaults(release: str, gate: str, default: bool | None) -> None:
    assert knowledge.gate_default(release, gate) is default


def test_gate_info_tells_stage_lock_and_assumption() -> None:
    locked = knowledge.gate_info("1.34.1", "SchedulerQueueingHints")
    assert locked == knowledge.GateInfo(default=True, stage="GA", locked=True, assumed=False)
    # Known for 1.28.6 itself, but whether it is locked is not.
    assert knowledge.gate_info("1.28.6", "SchedulerQueueingHints") == knowledge.GateInfo(False, "Beta", None, False)
    taken_over = knowledge.gate_info("1.30.14", "InPlacePodVerticalScaling")
    assert taken_over is not None
    assert taken_over.assumed


def test_gate_value_prefers_what_is_set() -> None:
    assert knowledge.gate_value("1.28.0", {}, "SchedulerQueueingHints") is True
    assert knowledge.gate_value("1.28.0", {"SchedulerQueueingHints": False}, "SchedulerQueueingHints") is False
    assert knowledge.gate_value("1.22.6", {}, "SchedulerQueueingHints") is False
