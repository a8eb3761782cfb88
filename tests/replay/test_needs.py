"""What would decide an undecided verdict, or raise a grade."""

from __future__ import annotations

import pytest

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.judge import Judgement
from klogreplay.replay.needs import needs_of
from klogreplay.replay.rejectors import PluginSet
from klogreplay.replay.types import Cause, ConcurrentEvent, Effect, Evidence
from klogreplay.replay.visibility import Visibility
from tests.replay.windows import attempt, own

FIT = own("NodeResourcesFit")

EARLIER = "the pod's earlier attempts (a log from its creation on): they tell whether it held stale plugins"
WINDOW = "the lines between this attempt's Pop and its failure at -v=5: they tell which events came in it"
EVENTS = "all events received while pods are in flight (1.28.3 or later at -v=5 prints them)"
GOES_ON = "where the queue put the pod: a log that goes on until the pod shows up again"


def undecided(*reasons: str, parked: bool | None = True) -> Judgement:
    return Judgement(parked, "undecided", "suspected", [], None, reasons)


def needs(
    one: Attempt, judgement: Judgement, *events: ConcurrentEvent, release: str = "1.28.0", v: int | None = 6
) -> list[str]:
    visibility = Visibility([release])
    if v is not None:
        visibility.saw_level(v)
    return needs_of(one, judgement, list(events), visibility)


def came(label: str, effect: Effect, evidence: Evidence = "observed") -> ConcurrentEvent:
    return ConcurrentEvent(label, None, 5, 1, evidence, effect)


def test_what_is_proven_needs_nothing() -> None:
    assert needs(attempt(FIT), Judgement(True, "right", "proven", [], None)) == []
    assert needs(attempt(None), Judgement(True, "wrong", "proven", [Cause("stale-plugins", "proven")], None)) == []


def test_a_proven_verdict_with_a_suspected_cause_needs_what_tells_the_cause() -> None:
    suspected = Judgement(True, "wrong", "proven", [Cause("stale-plugins", "suspected")], "Backoff")
    assert needs(attempt(None, held=None), suspected) == [EARLIER]
    assert needs(attempt(None, pop=None), suspected) == [WINDOW]
    assert needs(attempt(None), suspected) == []


def test_a_likely_one_too() -> None:
    likely = Judgement(True, "wrong", "likely", [Cause("stale-plugins", "suspected")], "Backoff")
    assert needs(attempt(None, held=None, pop=None), likely) == [EARLIER, WINDOW]
    assert needs(attempt(None), Judgement(True, "wrong", "likely", [], "Backoff", ("divergence",))) == []


def test_the_release() -> None:
    (need,) = needs(attempt(None), undecided("release"))
    assert need.startswith("the Kubernetes release (--kubernetes-version)")


def test_the_lines_that_are_missing_where_no_queue_fits() -> None:
    first, second = needs(attempt(None), undecided("divergence", "destination", parked=None))
    assert first == "the whole log: what it shows of this attempt fits no queue of its release, so lines are missing"
    assert second == GOES_ON


def test_a_quieter_moment() -> None:
    (need,) = needs(attempt(None), undecided("busy"))
    assert need.startswith("a quieter moment: too many pods and events at once")


def test_the_failure_line() -> None:
    assert needs(attempt(None), undecided("failure")) == [
        "the failure line of this attempt (a log that begins earlier)"
    ]


@pytest.mark.parametrize(
    ("release", "v", "need"),
    [
        ("1.28.0", 5, "where the queue put the pod: the line is printed at -v=6"),
        ("1.28.0", None, "where the queue put the pod: the line is printed at -v=6"),
        ("1.28.0", 6, GOES_ON),
        ("1.29.1", 2, "where the queue put the pod: the line is printed at -v=5"),
        ("1.26.1", 4, "where the queue put the pod: the line is printed at -v=5"),
        ("1.22.6", 5, GOES_ON),
    ],
)
def test_where_the_pod_went(release: str, v: int | None, need: str) -> None:
    assert needs(attempt(None), undecided("destination", parked=None), release=release, v=v) == [need]


def test_where_only_the_destination_is_wanting_nothing_else_is_asked_for() -> None:
    came_edge = came("NodeAdd", "queue", "unknown")
    assert needs(attempt(FIT), undecided("destination", parked=None), came_edge) == [GOES_ON]


def test_a_table_of_the_plugins_behind_a_reason() -> None:
    one = attempt(own("NodeAffinity", unknown=True), exhaustive=True)
    assert needs(one, undecided("events")) == [
        "a table of the plugin behind the reason “the quota is spent” (--plugins)"
    ]
    one.own.unknown_reasons = ("x" * 200, "b", "c", "d")
    (need,) = needs(one, undecided("events"))
    assert "x" * 80 + "; b; c”" in need


def test_the_line_of_the_pop_goes_before_the_events() -> None:
    assert needs(attempt(FIT, pop=None), undecided("events")) == [
        "the line of this attempt's Pop (-v=4, and a log that begins before it)"
    ]
    assert needs(attempt(FIT), undecided("events")) == [EVENTS]
    assert needs(attempt(FIT, exhaustive=True), undecided("events")) == []


def test_what_the_hint_functions_answered() -> None:
    asked = [came(label, "unknown") for label in ("E", "D", "C", "B", "A", "A")]
    (need,) = needs(attempt(FIT, exhaustive=True), undecided("events"), *asked)
    assert need.startswith("what the rejectors' hint functions answer to A, B, C, D (-v=6")


def test_the_exact_moment_of_an_event_at_the_edge() -> None:
    one = attempt(FIT, exhaustive=True)
    assert needs(one, undecided("events"), came("NodeAdd", "queue")) == []
    (need,) = needs(one, undecided("events"), came("NodeAdd", "queue", "unknown"), came("PvAdd", "skip", "unknown"))
    assert need.startswith("the exact moment of an event at the edge")


def test_an_error_needs_nothing_of_events() -> None:
    one = attempt(None, held=PluginSet(complete=False))
    assert needs(one, undecided("release"), came("NodeAdd", "unknown"))[1:] == []
