"""Verdicts in words, with the lines that carry them."""

from __future__ import annotations

from typing import Any

import pytest

from klogreplay.replay import present as module
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.effects import Effects
from klogreplay.replay.judge import Judgement
from klogreplay.replay.present import concurrent_events, parking_of, stale_plugins
from klogreplay.replay.rejectors import PluginSet
from klogreplay.replay.types import Cause, ConcurrentEvent, Parking, WakeUp
from klogreplay.replay.visibility import Visibility
from tests.replay.windows import BACK, HINTS, POP, attempt, event, own

FIT = own("NodeResourcesFit")
HELD = PluginSet(frozenset({"TaintToleration", "NodeAffinity"}))
EFFECTS = Effects("1.28.0", HINTS)

WRONG = Judgement(True, "wrong", "proven", [Cause("stale-plugins", "proven")], "Backoff")
RIGHT = Judgement(True, "right", "proven", [], "Unschedulable")
UNDECIDED = Judgement(None, "undecided", "suspected", [], None, ("destination",))
FLUSH = WakeUp("UnschedulableTimeout", 90, BACK[0] + 30_000_000, "flushed")


def parking(one: Attempt, judgement: Judgement = RIGHT, *, holds: bool = True) -> Parking:
    return parking_of("1", one, judgement, EFFECTS, Visibility(["1.28.0"]), holds=holds)


class TestWhere:
    def test_the_printed_hand_back_gives_time_and_line(self) -> None:
        found = parking(attempt(FIT, back_t=2_010, back_line=11, destination_text="moved", cycle=3))
        assert (found.t, found.line, found.cycle) == (2_010, 11, 3)
        assert (found.destination, found.destination_evidence) == ("Unschedulable", "observed")

    def test_else_the_failure_line_does(self) -> None:
        found = parking(attempt(FIT, destination_evidence="derived"))
        assert (found.t, found.line, found.destination_evidence) == (BACK[0], 9, "derived")

    def test_where_the_queues_own_rule_says_it_the_parking_is_derived(self) -> None:
        found = parking(attempt(None, destination=None, destination_evidence="unknown"), WRONG)
        assert (found.destination, found.destination_evidence) == ("Unschedulable", "derived")

    def test_else_it_is_not_known(self) -> None:
        found = parking(attempt(FIT, destination=None, destination_evidence="unknown"), UNDECIDED)
        assert (found.destination, found.destination_evidence) == ("unknown", "unknown")
        assert found.expected_queue is None


class TestHowLong:
    def test_from_the_hand_back_to_what_took_it_out(self) -> None:
        found = parking(attempt(None, wake=FLUSH, back_t=BACK[0], back_line=11, backoff_us=1_000_000), WRONG)
        assert found.wake_up == FLUSH
        assert (found.parked_us, found.lost_us) == (30_000_000, 29_000_000)

    def test_a_right_one_lost_nothing(self) -> None:
        found = parking(attempt(FIT, wake=FLUSH))
        assert (found.parked_us, found.lost_us) == (30_000_000, None)

    def test_out_before_its_backoff_would_have_ended(self) -> None:
        soon = WakeUp("NodeAdd", 90, BACK[0] + 400, "moved")
        assert parking(attempt(None, wake=soon, backoff_us=1_000_000), WRONG).lost_us == 0

    def test_a_clock_that_jumps_back(self) -> None:
        before = WakeUp("NodeAdd", 90, BACK[0] - 400, "moved")
        assert parking(attempt(None, wake=before), WRONG).parked_us == 0

    def test_of_one_that_may_not_have_been_parked_nothing_is_said(self) -> None:
        one = attempt(FIT, wake=FLUSH, destination=None, destination_evidence="unknown")
        found = parking(one, UNDECIDED)
        assert (found.wake_up, found.parked_us, found.lost_us) == (None, None, None)
        assert 90 not in [cited.line for cited in found.proof]


class TestPlugins:
    def test_rejectors_are_told_as_far_as_they_are_known(self) -> None:
        assert parking(attempt(own("B", "A"))).rejector_plugins == ("A", "B")
        assert parking(attempt(own("A", unknown=True))).rejector_plugins == ("A",)
        assert parking(attempt(own(unknown=True))).rejector_plugins is None
        assert parking(attempt(None)).rejector_plugins == ()

    def test_stale_ones_are_those_that_an_error_found_there(self) -> None:
        assert stale_plugins(attempt(None, held=HELD)) == ("NodeAffinity", "TaintToleration")
        assert stale_plugins(attempt(None, held=None)) == ()
        assert stale_plugins(attempt(FIT, held=HELD)) == ()
        assert parking(attempt(None, held=HELD)).stale_plugins == ("NodeAffinity", "TaintToleration")
        assert parking(attempt(None, held=HELD), holds=False).stale_plugins == ()


class TestEvents:
    def test_only_what_falls_into_the_attempt_and_counts(self) -> None:
        events = (
            event("NodeAdd", POP[0] - 1), event("NodeAdd", 1_500), event("NodeDelete", 1_600, how="handler"),
            event("NodeAdd", BACK[1] + 1),
        )  # fmt: skip
        (found,) = concurrent_events(attempt(FIT, events=events), EFFECTS)
        assert found == ConcurrentEvent("NodeAdd", None, 7, 1_500, "observed", "queue", "event")

    @pytest.mark.parametrize(
        ("one", "evidence"),
        [
            (event("NodeAdd", POP[1], BACK[0]), "observed"),
            (event("NodeAdd", POP[1] - 1, BACK[0]), "unknown"),
            (event("NodeAdd", POP[1], BACK[0] + 1), "unknown"),
            (event("AssignedPodDelete", 1_500, how="derived", waker="default/other"), "derived"),
        ],
    )
    def test_only_one_that_surely_fell_into_it_is_observed(self, one: Any, evidence: str) -> None:
        (found,) = concurrent_events(attempt(FIT, events=(one,)), EFFECTS)
        assert found.evidence == evidence

    def test_an_event_without_a_line_has_no_time_of_one(self) -> None:
        derived = event("AssignedPodDelete", 1_500, how="derived", waker="default/other")
        derived.line, derived.text = 0, ""
        (found,) = concurrent_events(attempt(FIT, events=(derived,)), EFFECTS)
        assert (found.line, found.t, found.text) == (None, None, None)

    def test_for_an_error_what_was_held_decides(self) -> None:
        one = (event("AssignedPodDelete", 1_500),)
        (found,) = concurrent_events(
            attempt(None, events=one, held=PluginSet(frozenset({"NodeResourcesFit"}))), EFFECTS
        )
        assert found.effect == "queue"
        (found,) = concurrent_events(attempt(None, events=one, held=None), EFFECTS)
        assert found.effect == "skip"

    def test_without_a_line_of_the_pop_there_is_no_window(self) -> None:
        assert concurrent_events(attempt(FIT, events=(event("NodeAdd", BACK[0]),), pop=None), EFFECTS) == []

    def test_of_many_those_that_matter_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_EVENTS", 3)
        labels = ["PvAdd", "NodeAdd", "PvAdd", "NodeAdd", "PvAdd"]
        events = tuple(event(label, 1_100 + n) for n, label in enumerate(labels))
        found = concurrent_events(attempt(FIT, events=events), EFFECTS)
        assert [(e.event, e.t) for e in found] == [("PvAdd", 1_100), ("NodeAdd", 1_101), ("NodeAdd", 1_103)]


class TestProof:
    def test_the_lines_in_their_order(self) -> None:
        stale = ((3, "first rejection"),)
        one = attempt(
            None, events=(event("AssignedPodDelete", 1_500),), held=PluginSet(frozenset({"NodeResourcesFit"})),
            held_lines=stale, wake=FLUSH, back_t=2_010, back_line=11, destination_text="moved",
        )  # fmt: skip
        assert [(c.line, c.says) for c in parking(one, WRONG).proof] == [
            (1, "the pod was popped: it is in flight from here"),
            (3, "an earlier attempt was rejected, and its plugins stayed with the pod's queue entry"),
            (7, "AssignedPodDelete came while the pod was in flight and concerns its rejectors"),
            (9, "the attempt failed with an error: nothing rejected the pod"),
            (11, "the queue parked the pod"),
            (90, "the flush, not an event, took the pod out"),
        ]

    @pytest.mark.parametrize(
        ("woken", "says"), [("NodeAdd", "this took the pod out again"), ("unknown", "here the pod is out again")]
    )
    def test_what_took_it_out(self, woken: str, says: str) -> None:
        one = attempt(FIT, wake=WakeUp(woken, 90, 5_000, "moved"))
        assert [c.says for c in parking(one).proof][-2:] == ["the attempt failed", says]

    def test_without_a_line_of_the_hand_back_the_reason_why_it_was_parked(self) -> None:
        one = attempt(FIT, destination_line=80, destination_text="asked", destination_says="only parked pods are asked")
        assert [(c.line, c.says) for c in parking(one).proof][-1] == (80, "only parked pods are asked")

    def test_a_line_is_cited_once_and_one_without_text_never(self) -> None:
        one = attempt(FIT, destination_line=9, destination_text="failed", destination_says="nothing came after it")
        assert [c.line for c in parking(one).proof] == [1, 9]
        assert [c.line for c in parking(attempt(FIT, back_line=11)).proof] == [1, 9]

    def test_events_that_do_not_concern_it_are_not_cited_nor_more_than_a_dozen(self) -> None:
        events = []
        for n in range(30):
            one = event("NodeAdd" if n % 2 else "PvAdd", 1_100 + n)
            one.line = 20 + n
            events.append(one)
        cited = [c.line for c in parking(attempt(FIT, events=tuple(events), pop=POP)).proof]
        assert cited == [1, 9, *range(21, 43, 2)]

    def test_without_a_pop_it_begins_with_the_failure(self) -> None:
        assert [c.line for c in parking(attempt(FIT, pop=None)).proof] == [9]
