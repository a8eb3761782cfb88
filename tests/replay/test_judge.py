"""Verdicts, grades and causes, by the queues as they were built and the newest one."""

from __future__ import annotations

from typing import Any

import pytest

from klogreplay.queue import FIXES, REFERENCE
from klogreplay.replay import judge as module
from klogreplay.replay import worlds
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.judge import AsBuilt, Judgement, clears_at_pop, depends_on_others, judge, reference_for
from klogreplay.replay.rejectors import PluginSet
from klogreplay.replay.types import Cause
from tests.replay.windows import BACK, POP, attempt, built, event, flight, own

FIT = own("NodeResourcesFit")
HELD = PluginSet(frozenset({"TaintToleration"}))

BUGGY, FIXED, NEWEST = built("1.28.0"), built("1.28.3"), built("1.36.2")
WITHOUT_HINTS = built("1.28.0", hints=False)

LATER = (20_000, 20_020)
"""A hand-back after so long that an event without any line is no longer improbable."""

BINDING = flight("binding", 500, (1_400, 1_400))
"""Another pod, in flight at our Pop and done before our hand-back."""
MARKER, NODE = event("AssignedPodAdd", 700), event("NodeAdd", 1_500)


def verdict(one: Attempt, *releases: AsBuilt) -> tuple[str, str]:
    found = judge(one, releases or [BUGGY])
    return found.verdict, found.grade


def causes(one: Attempt, *releases: AsBuilt) -> list[tuple[str, str]]:
    return [(cause.code, cause.grade) for cause in judge(one, releases or [BUGGY]).causes]


class TestRejections:
    """1.28.0 loses events when the marker leaves the list."""

    def test_a_relevant_event_that_was_lost(self) -> None:
        found = judge(attempt(FIT, (BINDING,), (MARKER, NODE)), [BUGGY])
        assert found == Judgement(True, "wrong", "proven", [Cause("missed-events", "proven")], "Backoff")

    def test_nothing_relevant_came(self) -> None:
        assert verdict(attempt(FIT, (BINDING,), (MARKER,), exhaustive=True)) == ("right", "proven")

    def test_an_event_without_a_line_would_do_where_a_marker_is_known(self) -> None:
        found = judge(attempt(FIT, (BINDING,), (MARKER,), back=LATER), [BUGGY])
        assert (found.parked, found.verdict, found.reasons) == (True, "undecided", ("events",))

    def test_two_events_without_a_line_are_not_likely(self) -> None:
        assert verdict(attempt(FIT, (BINDING,), back=LATER)) == ("right", "likely")
        assert verdict(attempt(FIT, (BINDING,), back=LATER, well_lit=False)) == ("undecided", "suspected")

    def test_nor_is_one_in_a_short_window(self) -> None:
        assert verdict(attempt(FIT, (BINDING,), (MARKER,))) == ("right", "likely")
        assert verdict(attempt(FIT, (BINDING,), (MARKER,), back=LATER)) == ("undecided", "suspected")

    def test_in_a_cut_log_right_is_not_proven(self) -> None:
        assert verdict(attempt(FIT, exhaustive=True, cut=True)) == ("right", "likely")

    def test_nobody_else_in_flight_is_proof(self) -> None:
        assert verdict(attempt(FIT, (), (MARKER, NODE))) == ("right", "proven")
        over = flight("over", 500, (600, POP[0] - 1))
        serial = flight("failed in its cycle", 500, (900, POP[1]), serial=True)
        later = flight("later", 1_500, (1_600, 1_700))
        assert verdict(attempt(FIT, (over, serial, later), (MARKER,))) == ("right", "proven")

    def test_without_a_line_of_its_pop_nothing_can_be_said(self) -> None:
        assert verdict(attempt(FIT, (BINDING,), (MARKER, NODE), pop=None)) == ("undecided", "suspected")

    def test_an_unknown_hint_leaves_it_open(self) -> None:
        asked = attempt(own("DynamicResources"), (BINDING,), (MARKER, event("ResourceClaimUpdate", 1_500)))
        assert verdict(asked) == ("undecided", "suspected")

    def test_where_it_went_is_not_known(self) -> None:
        nowhere: dict[str, Any] = {"destination": None, "destination_evidence": "unknown"}
        found = judge(attempt(FIT, (BINDING,), (MARKER, NODE), **nowhere), [BUGGY])
        assert (found.parked, found.verdict, found.reasons) == (None, "undecided", ("destination",))

    @pytest.mark.parametrize("release", [FIXED, NEWEST, WITHOUT_HINTS], ids=["1.28.3", "1.36.2", "without hints"])
    def test_other_queues_judge_a_rejection_as_the_newest_does(self, release: AsBuilt) -> None:
        assert verdict(attempt(FIT, (BINDING,), (MARKER, NODE)), release) == ("right", "proven")

    def test_a_gated_pod_is_parked_rightly(self) -> None:
        assert verdict(attempt(FIT, (BINDING,), (MARKER, NODE), gated=True)) == ("right", "proven")


class TestErrors:
    """By the newest queue no error is ever parked."""

    def test_without_any_event_two_fixes_are_wanting(self) -> None:
        one = attempt(None, held=HELD, exhaustive=True)
        found = judge(one, [BUGGY])
        assert (found.parked, found.verdict, found.grade, found.expected) == (True, "wrong", "proven", "Backoff")
        assert causes(one) == [("stale-plugins", "proven"), ("error-without-plugins", "proven")]

    def test_where_an_event_may_have_come_unseen_the_second_fix_is_likely(self) -> None:
        one = attempt(None, held=HELD)
        assert causes(one) == [("stale-plugins", "proven"), ("error-without-plugins", "likely")]

    def test_with_an_event_that_does_not_concern_what_was_held(self) -> None:
        one = attempt(None, events=(event("PvAdd", 1_500),), held=HELD)
        assert verdict(one) == ("wrong", "proven")
        assert causes(one) == [("stale-plugins", "proven")]

    def test_with_nothing_held(self) -> None:
        assert causes(attempt(None, exhaustive=True)) == [("error-without-plugins", "proven")]
        assert causes(attempt(None, exhaustive=True), FIXED) == [("error-without-plugins", "proven")]

    def test_what_was_held_is_not_known(self) -> None:
        one = attempt(None, held=None, exhaustive=True)
        assert verdict(one) == ("wrong", "proven")
        assert causes(one) == [("error-without-plugins", "suspected")]

    def test_without_a_line_of_its_pop_any_event_may_have_come(self) -> None:
        assert verdict(attempt(None, held=HELD, pop=None)) == ("wrong", "proven")
        assert causes(attempt(None, held=HELD, pop=None)) == [("stale-plugins", "suspected")]

    def test_without_hints_the_older_rules_are_the_measure(self) -> None:
        assert verdict(attempt(None, exhaustive=True), WITHOUT_HINTS) == ("wrong", "proven")

    def test_where_every_event_shows_the_queues_own_rule_says_that_it_was_parked(self) -> None:
        nowhere: dict[str, Any] = {"destination": None, "destination_evidence": "unknown"}
        found = judge(attempt(None, exhaustive=True, **nowhere), [FIXED])
        assert (found.parked, found.verdict) == (True, "wrong")
        dropped = judge(attempt(None, exhaustive=True, untold=True, **nowhere), [FIXED])
        assert (dropped.parked, dropped.verdict, dropped.reasons) == (None, "undecided", ("destination",))

    def test_a_queue_that_cannot_have_parked_it_did_not(self) -> None:
        nowhere: dict[str, Any] = {"destination": None, "destination_evidence": "unknown"}
        assert judge(attempt(None, **nowhere), [NEWEST]).parked is False

    def test_if_the_log_says_so_all_the_same_the_bug_is_not_a_known_one(self) -> None:
        found = judge(attempt(None), [NEWEST])
        assert found == Judgement(True, "wrong", "likely", [], "Backoff", ("divergence",))

    def test_a_cause_that_no_known_fix_mends_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = attempt(None, held=HELD, exhaustive=True)
        monkeypatch.setattr(module, "FIXES", {name: FIXES[name] for name in ("stale-plugins", "missed-events")})
        assert (verdict(one), causes(one)) == (("wrong", "proven"), [])

    def test_where_the_entry_was_seen_empty_the_log_may_have_lost_a_rejection(self) -> None:
        # 1.28.0 retries an error after any event, unless the entry still held the plugins of an earlier attempt.
        one = attempt(None, events=(event("NodeAdd", 1_500),), exhaustive=True)
        found = judge(one, [BUGGY])
        assert (found.parked, found.verdict, found.grade, found.reasons) == (True, "wrong", "proven", ("lost",))
        assert found.causes == [Cause("stale-plugins", "suspected")]
        held = judge(attempt(None, events=(event("NodeAdd", 1_500),), exhaustive=True, held=FIT.plugins), [BUGGY])
        assert held == Judgement(True, "wrong", "likely", [], "Backoff", ("divergence",))

    def test_too_much_at_once_to_doubt_the_log_event_by_event(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = attempt(None, events=(event("NodeAdd", 1_500),), exhaustive=True)
        found = judge(one, [BUGGY])
        monkeypatch.setattr(worlds, "MOST_WORK", 1)
        assert judge(one, [BUGGY]) == found

    def test_where_no_line_says_that_it_was_parked_rather_a_line_is_missing(self) -> None:
        found = judge(attempt(None, destination_evidence="derived"), [NEWEST])
        assert found == Judgement(True, "undecided", "suspected", [], None, ("divergence", "destination"))

    def test_too_much_at_once_leaves_a_rejection_open_but_no_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(worlds, "MOST_WORK", 6)
        others, events = (flight("other", 500, (900, 3_000)),), (event("NodeAdd", 900, 1_500),)
        found = judge(attempt(FIT, others, events), [BUGGY])
        assert (found.verdict, found.reasons) == ("undecided", ("busy",))
        assert verdict(attempt(None, others, events)) == ("wrong", "proven")


class TestDivergence:
    def test_a_rejection_that_the_queue_as_built_would_have_retried(self) -> None:
        # The event came surely, the marker was surely kept: an input is missing.
        other = flight("binding on", 500, (BACK[1] + 500, BACK[1] + 600))
        found = judge(attempt(FIT, (other,), (MARKER, NODE), exhaustive=True), [BUGGY])
        assert found == Judgement(True, "undecided", "suspected", [], None, ("divergence",))

    def test_a_release_that_cannot_have_done_it_is_not_asked(self) -> None:
        one = attempt(None, exhaustive=True)
        assert verdict(one, NEWEST, FIXED) == ("wrong", "proven")
        assert causes(one, NEWEST, FIXED) == [("error-without-plugins", "proven")]


class TestSeveralReleases:
    """A verdict holds only if it holds for each release that the log may be of."""

    def test_they_differ(self) -> None:
        found = judge(attempt(FIT, (BINDING,), (MARKER, NODE)), [BUGGY, FIXED])
        assert (found.parked, found.verdict, found.reasons) == (None, "undecided", ("release",))

    def test_they_agree_and_the_weakest_grade_counts(self) -> None:
        assert verdict(attempt(FIT, (BINDING,)), BUGGY, FIXED) == ("right", "likely")

    def test_a_cause_that_not_all_of_them_know_is_suspected(self) -> None:
        one = attempt(None, held=HELD, exhaustive=True)
        assert verdict(one, BUGGY, FIXED) == ("wrong", "proven")
        assert causes(one, BUGGY, FIXED) == [("stale-plugins", "suspected"), ("error-without-plugins", "proven")]
        assert causes(one, FIXED, BUGGY) == [("error-without-plugins", "proven"), ("stale-plugins", "suspected")]

    def test_three_of_them(self) -> None:
        one = attempt(None, held=HELD, exhaustive=True)
        assert causes(one, BUGGY, FIXED, BUGGY) == [("stale-plugins", "suspected"), ("error-without-plugins", "proven")]

    def test_one_that_would_not_have_parked_it_speaks_for_it(self) -> None:
        nowhere: dict[str, Any] = {"destination": None, "destination_evidence": "unknown"}
        found = judge(attempt(None, exhaustive=True, **nowhere), [NEWEST, FIXED])
        assert (found.parked, found.verdict, found.reasons) == (None, "undecided", ("release",))


class TestOrphans:
    """A printed parking without its failure line."""

    def test_right_where_the_queue_parks_rejections_only_and_rightly(self) -> None:
        found = judge(attempt(FIT, orphan=True), [NEWEST])
        assert (found.parked, found.verdict, found.grade) == (True, "right", "proven")

    @pytest.mark.parametrize("release", [BUGGY, FIXED, WITHOUT_HINTS], ids=["1.28.0", "1.28.3", "without hints"])
    def test_else_it_may_have_been_an_error(self, release: AsBuilt) -> None:
        found = judge(attempt(FIT, orphan=True), [release])
        assert (found.parked, found.verdict, found.reasons) == (True, "undecided", ("failure",))


@pytest.mark.parametrize(
    ("release", "clears", "depends"),
    [(BUGGY, False, True), (FIXED, True, False), (NEWEST, True, False), (WITHOUT_HINTS, False, False)],
    ids=["1.28.0", "1.28.3", "1.36.2", "1.28.0 without hints"],
)
def test_what_a_queue_does(release: AsBuilt, clears: bool, depends: bool) -> None:
    assert clears_at_pop(release.profile) is clears
    assert depends_on_others(release) is depends


def test_the_reference_keeps_the_gate_as_the_operator_chose_it() -> None:
    assert reference_for(BUGGY) is REFERENCE
    older = reference_for(WITHOUT_HINTS).behaviours
    assert older["return_path"] == "by-move-cycle"
    assert older["return_without_rejectors"] == "always-after-backoff"
