"""The rules about what the log itself lacks."""

from __future__ import annotations

import pytest

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
    shape = UnknownShape(line=7, text='I0831 20:03:47.184243       1 frobnicate.go:1] "frobnicated"', count=2)
    (finding,) = LinesNotUnderstood().check(Case(parkings=[], unknown_lines=3, unknown_shapes=[shape]))
    assert finding.summary == "3 lines not understood."
    assert finding.grade == "proven"
    assert [(cited.line, cited.text, cited.says) for cited in finding.proof] == [
        (7, shape.text, "first of 2 such lines")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\tapiVersion: kubescheduler.config.k8s.io/v0",
        "      name: NodeResourcesFit",
        " >",
        "goroutine 0 [running]:",
        "I0000 00:00:00.000000       0 frobnicate",
    ],
)
def test_lines_without_a_header_are_at_most_suspected(text: str) -> None:
    headless = UnknownShape(line=7, text=text, count=174)
    (finding,) = LinesNotUnderstood().check(Case(parkings=[], unknown_lines=174, unknown_shapes=[headless]))
    assert (finding.grade, finding.proof[0].says) == ("suspected", "first of 174 such lines, without a klog header")


@pytest.mark.parametrize(
    "text",
    [
        'I0831 20:03:47.184243       1 frobnicate.go:1] "frobnicated"',
        '{"ts":1693512227184.2,"caller":"frobnicate.go:1","msg":"frobnicated","v":2}',
        "    frobnicate.go:1: I0831 20:03:47.184243] frobnicated",
        '0831 20:03:47.184243       1 frobnicate.go:1] "frobnicated"',
        'I0831 20:03:47.184243 frobnicate.go:1] "frobnicated"',
        '20:03:47.184243       1 frobnicate.go:1] "frobnicated"',
    ],
)
def test_one_line_with_a_header_proves_the_claim(text: str) -> None:
    shapes = [UnknownShape(line=7, text="headless", count=9), UnknownShape(line=8, text=text, count=1)]
    (finding,) = LinesNotUnderstood().check(Case(parkings=[], unknown_lines=10, unknown_shapes=shapes))
    assert finding.grade == "proven"


def test_a_log_understood_whole_is_not_remarked() -> None:
    assert list(LinesNotUnderstood().check(Case(parkings=[]))) == []


def test_no_attempts() -> None:
    (finding,) = NoAttempts().check(Case(parkings=[], verbosity=0))
    assert finding.grade == "undecided"
    assert "(its lines prove -v=0)" in finding.summary


def test_one_attempt_is_enough() -> None:
    assert list(NoAttempts().check(Case(parkings=[], attempts=1))) == []
