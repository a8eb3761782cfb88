"""Each rule on parkings fires on its case and keeps quiet on the near miss."""

from __future__ import annotations

import pytest

from klogreplay.replay.types import Cause, Parking, WakeUp
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.parkings.kr101_stale_plugins import StalePlugins
from klogreplay.rules.parkings.kr102_missed_events import MissedEvents
from klogreplay.rules.parkings.kr103_error_without_plugins import ErrorWithoutPlugins
from klogreplay.rules.parkings.kr110_unexplained_parking import UnexplainedParking
from klogreplay.rules.parkings.kr190_rescued_by_flush import RescuedByFlush
from klogreplay.rules.types import Finding
from tests.samples import S, missed, parking, right, undecided

NO_PLUGINS = Cause("error-without-plugins", "likely")


def check(rule: type[Rule], *parkings: Parking) -> list[Finding]:
    return list(rule().check(Case(parkings=parkings)))


def test_stale_plugins_fires() -> None:
    (finding,) = check(StalePlugins, right(), parking())
    assert (finding.code, finding.name, finding.parking) == ("KR101", "stale-plugins", 1)
    assert (finding.pod, finding.grade, finding.observation) == ("test/test-dragxd5c", "proven", False)
    assert [cited.line for cited in finding.proof] == [1, 3, 4]
    assert finding.upstream[0].ref == "kubernetes#120334"
    assert finding.upstream[0].fixed_in == ("1.25.15", "1.26.10", "1.27.7", "1.28.3", "1.29.0")
    assert '"DynamicResources" had rejected it' in finding.summary
    assert "after 330.0 s, 329.0 s later" in finding.summary


def test_missed_events_fires_and_names_only_what_called_for_a_retry() -> None:
    (finding,) = check(MissedEvents, missed())
    assert (finding.code, finding.grade) == ("KR102", "likely")
    assert '"NodeAdd" came' in finding.summary
    assert "AssignedPodAdd" not in finding.summary
    assert finding.upstream[0].fixed_in == ("1.28.2", "1.29.0")


def test_error_without_plugins_fires() -> None:
    (finding,) = check(ErrorWithoutPlugins, parking(stale_plugins=(), causes=[NO_PLUGINS]))
    assert (finding.code, finding.grade) == ("KR103", "likely")
    assert finding.upstream[0].ref == "kubernetes#119105"
    assert finding.upstream[0].fixed_in == ("1.29.0",)


def test_two_fixes_needed_give_two_findings_on_one_parking() -> None:
    both = parking(causes=[Cause("stale-plugins", "proven"), NO_PLUGINS])
    assert [finding.grade for rule in (StalePlugins, ErrorWithoutPlugins) for finding in check(rule, both)] == [
        "proven",
        "likely",
    ]


def test_unexplained_fires_where_no_cause_is_known() -> None:
    (finding,) = check(UnexplainedParking, parking(causes=[], grade="suspected"))
    assert (finding.code, finding.grade, finding.upstream) == ("KR110", "suspected", ())
    assert "attach lines 1 to 4 of the log, this report in Markdown, the release" in finding.summary
    (finding,) = check(UnexplainedParking, parking(causes=[], proof=[]))
    assert "attach line 4 of the log" in finding.summary
    (finding,) = check(UnexplainedParking, parking(causes=[Cause("a-later-fix", "likely")]))
    assert finding.code == "KR110"


def test_flush_is_observed_whatever_the_verdict() -> None:
    flushed = right(wake_up=WakeUp("UnschedulableTimeout", 30, 400 * S, "moved by the flush"), parked_us=300 * S)
    found = check(RescuedByFlush, flushed, parking())
    assert [finding.parking for finding in found] == [0, 1]
    assert all(finding.observation for finding in found)
    assert found[0].proof[0].line == 30
    assert "after 300.0 s" in found[0].summary


@pytest.mark.parametrize(
    ("rule", "near_miss"),
    [
        (StalePlugins, parking(verdict="undecided")),
        (StalePlugins, parking(causes=[NO_PLUGINS])),
        (MissedEvents, missed(verdict="right", causes=[])),
        (MissedEvents, missed(verdict="undecided")),
        (ErrorWithoutPlugins, parking()),
        (UnexplainedParking, parking()),
        (UnexplainedParking, right()),
        (UnexplainedParking, undecided()),
        (RescuedByFlush, right()),
        (RescuedByFlush, undecided()),
    ],
)
def test_near_misses_keep_quiet(rule: type[Rule], near_miss: Parking) -> None:
    assert check(rule, near_miss) == []
