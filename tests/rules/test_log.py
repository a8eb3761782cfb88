"""The rules about what the log itself lacks."""

from __future__ import annotations

from klogreplay.rules.base import Case, UnknownShape
from klogreplay.rules.log.kr901_undecided_parkings import UndecidedParkings
from klogreplay.rules.log.kr902_lines_not_understood import LinesNotUnderstood
from klogreplay.rules.log.kr903_no_attempts import NoAttempts
from tests.samples import parking, right, undecided


def test_undecided_parkings_are_one_finding_with_the_commonest_need() -> None:
    parkings = [undecided(needs=["b", "a"]), undecided(needs=["a", "a"]), parking()]
    (finding,) = UndecidedParkings().check(Case(parkings=parkings))
    assert finding.summary == ("2 failed attempts cannot be judged from this log; most often missing: a.")
    assert (finding.grade, finding.observation, finding.parking) == ("undecided", True, None)


def test_decided_parkings_lack_nothing() -> None:
    assert list(UndecidedParkings().check(Case(parkings=[parking(), right()]))) == []


def test_unknown_lines_are_counted_with_examples() -> None:
    shape = UnknownShape(line=7, text="frobnicated", count=2)
    (finding,) = LinesNotUnderstood().check(Case(parkings=[], unknown_lines=3, unknown_shapes=[shape]))
    assert finding.summary == "3 lines not understood."
    assert [(cited.line, cited.text, cited.says) for cited in finding.proof] == [
        (7, "frobnicated", "first of 2 such lines")
    ]


def test_a_log_understood_whole_is_not_remarked() -> None:
    assert list(LinesNotUnderstood().check(Case(parkings=[]))) == []


def test_no_attempts() -> None:
    (finding,) = NoAttempts().check(Case(parkings=[], verbosity=0))
    assert finding.grade == "undecided"
    assert "(its lines prove -v=0)" in finding.summary


def test_one_attempt_is_enough() -> None:
    assert list(NoAttempts().check(Case(parkings=[], attempts=1))) == []
