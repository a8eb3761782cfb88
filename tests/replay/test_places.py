"""What the lines prove of a pod's place: line by line, and over the hand-written recordings of every release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from klogreplay.events import types as ev
from klogreplay.queue import profile_for
from klogreplay.replay import places as module
from klogreplay.replay.places import InFlightSizes, Places
from klogreplay.replay.places_ways import ANYWHERE, GATED, Queues, Ways
from tests.replay.places_walk import Score, recordings, walk

A, B, U, NONE = Queues.ACTIVE, Queues.BACKOFF, Queues.UNSCHEDULABLE, Queues.NONE
HINTS = "SchedulerQueueingHints"
POP = "SchedulerPopFromBackoffQ"


class Log:
    """Writes the events of one pod and asks for its places."""

    def __init__(self, release: str, gates: dict[str, bool] | None = None, **options: bool | int) -> None:
        settings: dict[str, Any] = {"complete": True, **options}
        self.places = Places(profile_for(release, gates), **settings)
        self.line = 0

    def _base(self) -> dict[str, Any]:
        self.line += 1
        return {"line": self.line, "t": self.line, "pid": 1, "site": "", "text": f"line {self.line}", "pod": "ns/p"}

    def moved(self, event: str, queue: str, **keys: Any) -> Log:
        self.places.feed(ev.Moved(**self._base(), event=event, queue=queue, **keys))
        return self

    def gate(self) -> Log:
        self.places.feed(ev.PreEnqueueStatus(**self._base(), plugin="SchedulingGates", status="gated"))
        return self

    def feed(self, kind: type, **keys: Any) -> Log:
        self.places.feed(kind(**{**self._base(), **keys}))
        return self

    @property
    def at_line(self) -> set[Queues]:
        return set(self.places.at_line("ns/p").possible)

    @property
    def now(self) -> set[Queues]:
        return set(self.places.now("ns/p").possible)

    @property
    def gated(self) -> bool | None:
        return self.places.now("ns/p").gated


class TestSilence:
    def test_a_pod_in_active_may_have_been_popped_since(self) -> None:
        log = Log("1.31.1").moved("PodAdd", "Active")
        assert log.at_line == {A}
        assert log.now == {A, NONE}

    def test_a_parked_pod_stays_parked_unless_deleted_where_activate_is_printed(self) -> None:
        log = Log("1.31.1").moved("ScheduleAttemptFailure", "Unschedulable", hint="skip")
        assert log.at_line == {U}
        assert log.now == {U, NONE}

    def test_up_to_1_30_activate_is_silent(self) -> None:
        log = Log("1.30.1").moved("ScheduleAttemptFailure", "Unschedulable", hint="skip")
        assert log.at_line == {U}
        assert log.now == {U, A, NONE}

    @pytest.mark.parametrize("queue", ["Backoff", "Unschedulable"])
    def test_before_1_26_nothing_is_known_between_lines(self, queue: str) -> None:
        log = Log("1.25.2").moved("ScheduleAttemptFailure", queue)
        assert log.now >= {A, B, U, NONE}
        assert not log.places.now("ns/p").known

    def test_a_pod_without_a_line_is_in_no_queue_if_every_entry_is_printed(self) -> None:
        assert Log("1.31.1").now == {NONE}
        assert Log("1.31.1", complete=False).now == set(ANYWHERE)
        assert Log("1.25.2").now >= {A, B, U, NONE}

    def test_a_level_that_hides_the_entries_hides_the_place(self) -> None:
        assert Log("1.31.1", verbosity=5).now == {NONE}
        assert Log("1.31.1", verbosity=4).now >= {A, B, U, NONE}

    def test_at_4_a_move_by_an_event_is_told_and_the_end_of_backoff_is_not(self) -> None:
        log = Log("1.33.0", {POP: False}, verbosity=4).moved("ScheduleAttemptFailure", "Unschedulable", hint="skip")
        log.moved("NodeAdd", "Backoff", hint="after-backoff")
        assert log.at_line == {B}
        assert log.now == {A, B, NONE}

    def test_1_28_tells_the_hand_back_at_6_only(self) -> None:
        assert "return-unschedulable" in Log("1.28.3", {HINTS: True}, verbosity=5).places.ways.silent
        assert "return-unschedulable" not in Log("1.28.3", {HINTS: True}, verbosity=6).places.ways.silent
        assert "return-unschedulable" not in Log("1.28.3", {HINTS: False}, verbosity=5).places.ways.silent

    def test_pop_takes_from_backoff_silently_with_its_gate_only(self) -> None:
        popping = Ways(profile_for("1.33.0", {POP: True}), 10, whole_log=True)
        assert popping.drift(frozenset({B})) == {B, NONE}
        assert Ways(profile_for("1.33.0", {POP: False}), 10, whole_log=True).drift(frozenset({B})) == {B}

    def test_the_pre_release_of_1_31_does_not_print_activate_yet(self) -> None:
        assert "activate" in Ways(profile_for("1.31.0-alpha.2"), 10, whole_log=False).silent
        assert "activate" not in Ways(profile_for("1.31.0"), 10, whole_log=False).silent


class TestMisleadingLines:
    def test_backoff_complete_of_an_update_comes_from_unschedulable(self) -> None:
        log = Log("1.26.1").moved("ScheduleAttemptFailure", "Unschedulable").moved("BackoffComplete", "Active")
        assert log.at_line == {A}
        assert log.places.contradiction_count == 0

    def test_an_update_of_a_pod_in_flight_queues_a_second_entry(self) -> None:
        log = Log("1.28.0").moved("PodAdd", "Active").feed(ev.Popped).moved("PodUpdate", "Active")
        assert log.at_line == {A}
        assert log.places.contradiction_count == 0

    def test_force_activate_of_1_36_may_be_a_pop_of_this_very_pod(self) -> None:
        parked = ("ScheduleAttemptFailure", "Unschedulable")
        assert Log("1.35.4").moved(*parked, hint="skip").moved("ForceActivate", "Active").at_line == {A}
        assert Log("1.36.2").moved(*parked, hint="skip").moved("ForceActivate", "Active").at_line == {A, NONE}

    def test_an_update_of_two_events_may_leave_a_copy_in_unschedulable(self) -> None:
        lines = (("ScheduleAttemptFailure", "Unschedulable"), ("UnschedulablePodUpdatePodLabel", "Backoff"))
        log = Log("1.32.2", {HINTS: True})
        for line in lines:
            log.moved(*line, hint=None)
        assert log.at_line == {B, B | U}
        with_pop = Log("1.33.0", {POP: True})
        for line in lines:
            with_pop.moved(*line, hint=None)
        assert with_pop.at_line == {B}

    def test_delete_leaves_the_copy_from_1_33_on(self) -> None:
        both = frozenset({B | U})
        assert Ways(profile_for("1.33.0"), 10, whole_log=True).take(("delete",), both) == {U}
        assert Ways(profile_for("1.32.2"), 10, whole_log=True).take(("delete",), both) == {NONE}


WAYS = [
    ("1.30.1", "activate-gated", B, {B | U}),
    ("1.32.2", "activate-gated", B, {B}),
    ("1.33.0", "activate-gated", B, {U}),
    ("1.33.0", "activate-gated", A | U, set()),
    ("1.30.1", "add-gated", A, {A | U}),
    ("1.31.1", "add-gated", A, {A}),
    ("1.30.1", "event-active", B | U, {A | B}),
    ("1.31.1", "event-active", B | U, {A}),
    ("1.31.1", "event-active", B, set()),
    ("1.30.1", "event-gated", U, {U}),
    ("1.32.2", "event-gated", B | U, {B}),
    ("1.30.1", "flush-active", B | U, {A | U}),
    ("1.31.1", "flush-active", B | U, {A}),
    ("1.32.2", "flush-gated", B, {U}),
    ("1.31.1", "update-active", A | U, set()),
    ("1.18.2", "update-active", B, {A}),
    ("1.22.6", "update-active", B, set()),
    ("1.36.2", "update-gated", U, {U}),
    ("1.32.2", "next-event-active", B, {A}),
    ("1.32.2", "next-event-backoff", B, {B, B | U}),
    ("1.32.2", "next-event-gated", B, {B}),
    ("1.36.2", "next-event-active", B, set()),
    ("1.32.2", "return-gated", NONE, {U}),
    ("1.32.2", "return-active", NONE, {A}),
    ("1.27.1", "return-active", NONE, set()),
    ("1.32.2", "return-backoff", A, set()),
    ("1.30.1", "pop", A | B, {B}),
    ("1.36.2", "pop", B, {NONE}),
    ("1.36.2", "pop-specific", U, {NONE}),
    ("1.35.4", "pop-specific", U, set()),
    ("1.33.0", "delete", A | U, {U}),
]


@pytest.mark.parametrize(("release", "way", "before", "after"), WAYS)
def test_a_way_of_a_release(release: str, way: str, before: Queues, after: set[Queues]) -> None:
    profile = profile_for(release, {HINTS: True})
    assert Ways(profile, 10, whole_log=False).take((way,), frozenset({before})) == after


class TestGated:
    def test_up_to_1_32_the_status_line_alone_parks_the_pod(self) -> None:
        log = Log("1.28.0").gate()
        assert log.at_line == {U}
        assert log.gated is True

    def test_a_pod_gated_while_it_backs_off_stays_there_or_comes_from_the_flush(self) -> None:
        failed = ("ScheduleAttemptFailure", "Backoff")
        assert Log("1.32.2").moved(*failed, hint="after-backoff").gate().at_line == {B, U}
        assert Log("1.33.0").moved(*failed, hint="after-backoff").gate().at_line == {B, U}

    def test_up_to_1_30_it_may_then_be_in_two_places(self) -> None:
        log = Log("1.29.1", {HINTS: True}).moved("ScheduleAttemptFailure", "Backoff", hint="after-backoff").gate()
        assert B | U in log.at_line
        assert U in log.at_line

    def test_the_line_of_its_own_settles_it(self) -> None:
        log = Log("1.33.0").moved("ScheduleAttemptFailure", "Backoff", hint="after-backoff").gate()
        log.moved("BackoffComplete", "Unschedulable", variant="gated")
        assert log.at_line == {U}
        assert log.gated is True

    @pytest.mark.parametrize(("hint", "gated"), [("skip", False), ("after-backoff", True), ("immediately", True)])
    def test_a_hand_back_to_unschedulable_is_a_skip_or_a_gate(self, hint: str, gated: bool) -> None:
        log = Log("1.31.1").moved("PodAdd", "Active").moved("ScheduleAttemptFailure", "Unschedulable", hint=hint)
        assert log.at_line == {U}
        assert log.gated is gated

    def test_a_gated_pod_added_again_over_a_parked_one_leaves_the_mark_unknown_where_the_old_stays(self) -> None:
        parked = ("ScheduleAttemptFailure", "Unschedulable")
        assert Log("1.34.1").moved(*parked, hint="skip").gate().gated is None
        assert Log("1.36.2").moved(*parked, hint="skip").gate().gated is True

    def test_before_1_26_there_are_no_gates(self) -> None:
        assert Ways(profile_for("1.25.2"), 10, whole_log=False).take(GATED, ANYWHERE) == set()


class TestContradictions:
    def test_a_pod_asked_about_an_event_is_parked(self) -> None:
        log = Log("1.33.0").moved("PodAdd", "Active").feed(ev.EventNotHelping, event="NodeAdd")
        assert log.places.contradiction_count == 1
        assert log.places.contradictions[0].line == 2
        assert log.places.contradictions[0].before == {A, NONE}
        assert all(at & U for at in log.at_line)

    def test_the_follower_goes_on_from_what_the_line_says(self) -> None:
        log = Log("1.33.0").moved("BackoffComplete", "Active")
        assert log.places.contradiction_count == 1
        assert log.at_line == {A}

    def test_no_more_than_the_first_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_KEPT", 3)
        log = Log("1.33.0")
        for _ in range(5):
            log.moved("PodAdd", "Active").feed(ev.EventNotHelping, event="NodeAdd")
        assert log.places.contradiction_count == 5
        assert len(log.places.contradictions) == 3

    def test_a_log_that_begins_in_the_middle_contradicts_nothing(self) -> None:
        log = Log("1.33.0", complete=False).moved("BackoffComplete", "Active")
        assert log.places.contradiction_count == 0
        assert log.at_line == {A}

    @pytest.mark.parametrize("release", ["1.18.2", "1.26.1", "1.31.1", "1.36.2"])
    @pytest.mark.parametrize("queue", ["Active", "Backoff", "Unschedulable"])
    @pytest.mark.parametrize("event", ["", "PodAdd", "BackoffComplete", "ForceActivate", "ScheduleAttemptFailure", "x"])
    def test_any_line_is_taken_from_anywhere(self, release: str, queue: str, event: str) -> None:
        for variant in ("plain", "gated", "updated"):
            for before in ("Active", "Backoff", "Unschedulable"):
                log = Log(release).moved("NodeAdd", before).moved(event, queue, variant=variant)
                assert log.at_line <= ANYWHERE
                assert log.at_line <= log.now


class TestWholeLog:
    def test_a_parked_pod_is_proven_parked_until_it_is_deleted(self) -> None:
        log = Log("1.33.0", whole_log=True).moved("ScheduleAttemptFailure", "Unschedulable", hint="skip")
        assert log.now == {U}
        assert log.places.now("ns/p").proven is U
        assert log.places.now("ns/p").line == 1
        log.feed(ev.PodDeleted)
        assert log.now == {U, NONE}
        assert log.places.now("ns/p").in_queue is U

    def test_a_popped_pod_is_in_no_queue(self) -> None:
        log = Log("1.33.0", whole_log=True).moved("PodAdd", "Active").feed(ev.Popped)
        assert log.now == {NONE}
        assert log.places.now("ns/p").proven is NONE

    def test_the_line_before_the_pop_line_may_be_younger_than_the_pop(self) -> None:
        log = Log("1.28.0", whole_log=True).moved("PodAdd", "Active").moved("PodUpdate", "Active").feed(ev.Popped)
        assert log.now == {A, NONE}

    def test_the_second_line_of_a_pop_says_nothing_new(self) -> None:
        log = Log("1.33.0", whole_log=True).moved("PodAdd", "Active").feed(ev.Popped).feed(ev.Attempting)
        assert log.places.contradiction_count == 0
        assert log.now == {NONE}

    def test_at_3_the_attempt_stands_for_the_pop(self) -> None:
        log = Log("1.33.0", whole_log=True, verbosity=3).feed(ev.Attempting)
        assert log.at_line == {NONE}

    def test_pods_that_are_gone_are_forgotten(self) -> None:
        log = Log("1.33.0", whole_log=True).moved("PodAdd", "Active").feed(ev.Popped).feed(ev.PodDeleted)
        assert list(log.places) == []
        assert log.now == {NONE}

    def test_a_refused_hand_back_tells_where_the_pod_is(self) -> None:
        log = Log("1.28.0", whole_log=True).moved("PodAdd", "Active").feed(ev.Popped).moved("PodUpdate", "Active")
        log.feed(ev.RequeueRefused, where="active", err="")
        assert log.at_line == {A}
        assert log.places.contradiction_count == 0

    def test_a_discarded_duplicate_left_activeq(self) -> None:
        log = Log("1.34.1", whole_log=True).moved("UnschedulablePodAdd", "Active").feed(ev.DuplicateDiscarded)
        assert log.now == {NONE}

    @pytest.mark.parametrize(
        ("kind", "keys"),
        [
            (ev.DuplicateDiscarded, {"pod": None}),
            (ev.RequeueRefused, {"pod": None, "where": "active", "err": ""}),
            (ev.RequeueRefused, {"where": None, "err": ""}),
        ],
    )
    def test_a_line_that_names_no_pod_or_no_queue_moves_nothing(self, kind: type, keys: dict[str, object]) -> None:
        log = Log("1.36.2", whole_log=True).moved("UnschedulablePodAdd", "Active").feed(kind, **keys)
        assert log.at_line == {A}
        assert log.places.contradiction_count == 0

    def test_a_pod_that_no_line_named_is_in_no_queue_if_the_log_is_whole(self) -> None:
        assert Log("1.33.0", whole_log=True).at_line == {NONE}
        assert Log("1.33.0", complete=False).at_line == set(ANYWHERE)


class TestInFlight:
    def test_the_sizes_are_those_before_the_hand_back(self) -> None:
        log = Log("1.33.0").moved("PodAdd", "Active")
        log.feed(ev.InFlightEventsChecked, plugins=frozenset(), events_size=5, pods_size=2)
        assert log.places.in_flight == InFlightSizes(line=2, pods=2, events=5)

    def test_the_pod_is_on_its_way_to_any_queue(self) -> None:
        log = Log("1.28.3", verbosity=5)
        log.feed(ev.InFlightEventsChecked, plugins=frozenset(), events_size=1, pods_size=1)
        assert log.at_line == {A, B, U}

    def test_a_received_event_tells_the_pods(self) -> None:
        places = Places(profile_for("1.28.3"))
        places.feed(ev.EventReceived(line=7, t=0, pid=1, site="", text="", event="NodeAdd", pods=3))
        assert places.in_flight == InFlightSizes(line=7, pods=3, events=None)


FOLLOWED = {
    "1.22.6": (413, 0, 0),
    "1.23.3": (413, 0, 0),
    "1.24.4": (413, 0, 0),
    "1.25.2": (413, 0, 0),
    "1.26.1": (422, 284, 273),
    "1.27.1": (422, 284, 273),
    "1.28.0": (907, 605, 585),
    "1.28.3": (911, 609, 589),
    "1.29.1": (838, 564, 544),
    "1.30.1": (844, 568, 548),
    "1.31.1": (949, 639, 628),
    "1.32.2": (972, 654, 641),
    "1.33.0": (1672, 1136, 1131),
    "1.34.1": (1155, 779, 769),
    "1.35.4": (1109, 748, 739),
    "1.36.2": (1121, 758, 724),
}
"""Of the hand-written recordings: operations that changed a membership, those that a line shows, those followed."""


@pytest.mark.parametrize("release", FOLLOWED)
def test_the_hand_written_recordings(release: str, fixtures: Path) -> None:
    score = Score()
    for recording in recordings(fixtures / "queue-vectors" / f"{release}.jsonl.gz"):
        walk(recording, score)
    assert score.wrong == []
    assert (score.changed, score.shown, score.followed) == FOLLOWED[release]


def test_every_release_with_a_recording_is_tried(fixtures: Path) -> None:
    assert {path.name.removesuffix(".jsonl.gz") for path in (fixtures / "queue-vectors").glob("*.gz")} == set(FOLLOWED)
