"""What the follower notes of pods, attempts and windows."""

from __future__ import annotations

import pytest

from klogreplay.events import types as ev
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.rejectors import NOTHING, PluginSet
from tests.replay.build import (
    BIND,
    CPU,
    PREBIND,
    RESERVE,
    TAINT,
    at,
    events,
    followed,
    follower,
    lines,
    only,
    replay,
)

FIT = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.210000 unfit       web  "{CPU}"
0.210100 handed-back web  queue=Unschedulable schedulingCycle=1
0.210200 condition   web
"""

NOT_SHOWN = "\n".join(row for row in FIT.splitlines() if "handed-back" not in row and "condition" not in row)


def one(story: str, release: str = "1.28.0", v: int = 6) -> Attempt:
    (found,) = followed(story, release, v)
    return found


class TestWindow:
    def test_from_the_pop_to_the_hand_back(self) -> None:
        window = one(FIT).window
        assert window is not None
        assert (window.pop_lo, window.pop_hi) == (at("0.198"), at("0.2"))
        assert (window.back_lo, window.back_hi) == (at("0.21"), at("0.2101"))
        assert not window.cut

    def test_the_condition_line_bounds_a_hand_back_that_is_not_printed(self) -> None:
        assert one(FIT, v=5).back_hi == at("0.2102")

    def test_so_does_the_next_pop_for_a_failure_in_the_scheduling_cycle(self) -> None:
        later = "0.210900 popped other\n0.210910 attempting other"
        assert one(NOT_SHOWN + "\n" + later).back_hi == at("0.2109")

    def test_else_it_follows_the_failure_line_soon(self) -> None:
        assert one(NOT_SHOWN).back_hi == at("0.215")
        assert one(NOT_SHOWN + "\n9.0 renewed").back_hi == at("0.215")

    def test_but_not_so_for_a_failed_binding(self) -> None:
        story = f"""
        0.200000 popped      web
        0.200010 attempting  web
        0.205000 binding     web
        0.210000 failed      web  '{BIND}'
        0.210900 popped      other
        0.210910 attempting  other
        """
        assert one(story).back_hi == at("0.215")

    def test_what_the_level_would_have_shown(self) -> None:
        for release, v, well_lit, exhaustive in (
            ("1.28.0", 6, True, False), ("1.28.0", 4, False, False), ("1.28.3", 5, True, True),
        ):  # fmt: skip
            window = one(FIT.replace("0.100020", "0.100010 flag\n0.100020"), release, v).window
            assert window is not None
            # At -v=5 and above the move of the new pod proves the level.
            assert (window.well_lit, window.exhaustive) == (well_lit, exhaustive), (release, v)

    def test_a_log_that_does_not_begin_with_the_scheduler_is_cut(self) -> None:
        (found,) = followed(FIT, head=False)
        assert found.window is not None
        assert found.window.cut

    def test_events_and_others_of_the_window(self) -> None:
        story = f"""
        0.050000 popped      other
        0.050010 attempting  other
        0.060000 binding     other
        0.100000 node-added  n-1
        {FIT}
        0.300000 bound       other
        """
        window = one(story).window
        assert window is not None
        assert [flight.pod for flight in window.others] == ["default/other"]
        assert [event.label for event in window.events] == ["NodeAdd"]

    def test_what_no_window_needs_is_forgotten(self) -> None:
        told = follower()
        story = "\n".join(
            f"{n}.1 popped pod-{n}\n{n}.2 node-added n-{n}\n{n}.3 binding pod-{n}\n{n}.4 bound pod-{n}"
            for n in range(1, 60)
        )
        for event in events(lines(story)):
            told.feed(event)
        assert len(list(told.timeline.around(at("0"), at("99"))[0])) <= 10
        assert len(list(told.flights.overlapping(at("0"), at("99")))) <= 10

    def test_an_open_attempt_keeps_its_events(self) -> None:
        story = "0.050000 popped slow\n0.060000 node-added n-0\n0.070000 binding slow\n" + "\n".join(
            f"{n}.1 popped pod-{n}\n{n}.3 unfit pod-{n} '{CPU}'\n{n}.301 condition pod-{n}" for n in range(1, 30)
        )
        found = followed(story + f"\n30.5 failed slow '{BIND}'")
        (slow,) = [attempt for attempt in found if attempt.pod == "default/slow"]
        assert slow.window is not None
        assert [event.label for event in slow.window.events] == ["NodeAdd", "AssignedPodDelete"]


class TestRejectors:
    def test_what_was_held_before_and_is_held_after(self) -> None:
        again = f"""
        5.000000 flushed        web
        5.200000 popped         web
        5.200010 attempting     web
        5.205000 plugin-failed  web  plugin=Coscheduling
        5.210000 failed         web  '{RESERVE}'
        5.210100 handed-back    web  queue=Unschedulable schedulingCycle=2
        """
        first, second = followed(FIT + again)
        assert (first.held, first.own.plugins) == (NOTHING, PluginSet(frozenset({"NodeResourcesFit"})))
        assert (second.is_error, second.held) == (True, first.own.plugins)
        assert [line for line, _ in second.held_lines] == [first.line]
        assert (first.queue_attempts, second.queue_attempts) == (1, 2)

    def test_a_pod_met_in_the_middle_of_its_life_may_hold_anything(self) -> None:
        attempt = one(FIT.replace("0.100000 added       web\n", ""))
        assert (attempt.held, attempt.queue_attempts, attempt.backoff_known) == (None, None, False)
        assert attempt.backoff_us == 10_000_000

    def test_a_rejection_line_names_the_rejector_of_its_attempt_only(self) -> None:
        told = FIT.replace("0.210000 unfit", "0.205000 rejected web plugin=DynamicResources\n0.210000 unfit")
        again = f"5.0 flushed web\n5.2 popped web\n5.21 unfit web '{TAINT}'"
        first, second = followed(told + again)
        assert first.own.plugins.names == {"DynamicResources"}
        assert second.own.plugins.names == {"TaintToleration"}

    def test_a_pre_enqueue_plugin_stays_in_the_entrys_set(self) -> None:
        gated = "0.1001 gated web plugin=SchedulingGates\n"
        attempt = one(FIT.replace("0.100020 new", gated + "0.100200 new"))
        assert attempt.held == PluginSet(frozenset({"SchedulingGates"}))

    def test_of_a_pod_whose_entry_is_not_known_it_adds_nothing(self) -> None:
        gated = "0.1001 gated web plugin=SchedulingGates\n"
        attempt = one(FIT.replace("0.100000 added       web", "0.1 popped web").replace("0.100020", gated + "0.100020"))
        assert attempt.held is None

    def test_the_queues_own_line_goes_before_the_text(self) -> None:
        told = FIT.replace("0.210100", "0.210050 checking web plugins=NodePorts\n0.210100")
        attempt = one(told, "1.28.3")
        assert (attempt.own.plugins.names, attempt.own.evidence) == (frozenset({"NodePorts"}), "observed")

    def test_so_does_the_hand_back_from_129_on(self) -> None:
        attempt = one(FIT.replace("schedulingCycle=1", "schedulingCycle=1 plugins=NodePorts"), "1.29.1", 3)
        assert (attempt.own.plugins.names, attempt.own.evidence) == (frozenset({"NodePorts"}), "observed")
        assert (attempt.cycle, attempt.hint) == (1, "skip")

    def test_an_error_has_none_whatever_is_printed(self) -> None:
        told = FIT.replace(f'unfit       web  "{CPU}"', f"failed web '{RESERVE}'")
        attempt = one(told.replace("0.210100", "0.210050 checking web plugins=\n0.210100"), "1.28.3")
        assert (attempt.is_error, attempt.own.without_rejectors) == (True, True)

    def test_rejectors_that_are_printed_for_nobody(self) -> None:
        assert followed("0.1 checking web plugins=A", "1.28.3", 5) == []
        assert followed("0.1 gated web plugin=A") == []


class TestBindingCycle:
    """An error in Bind or PreBind raises AssignedPodDelete before the pod's own hand-back."""

    STORY = """
    0.100000 added        web
    0.200000 popped       web
    0.200010 attempting   web
    {between}
    0.210000 failed       web  '{err}'
    0.210100 handed-back  web  queue=Unschedulable schedulingCycle=1
    """

    @pytest.mark.parametrize(
        ("between", "err", "since"),
        [
            ("0.205000 binding web", BIND, "0.205"),
            ("0.204000 plugin-failed web plugin=VolumeBinding", PREBIND, "0.204"),
            ("", PREBIND, "0.2"),
        ],
    )
    def test_it_comes_between_the_failure_of_the_plugin_and_the_failure_line(
        self, between: str, err: str, since: str
    ) -> None:
        window = one(self.STORY.format(between=between, err=err)).window
        assert window is not None
        (raised,) = window.events
        assert (raised.label, raised.waker, raised.line) == ("AssignedPodDelete", "default/web", 0)
        assert (raised.lo, raised.hi) == (at(since), at("0.21"))

    def test_errors_elsewhere_raise_none(self) -> None:
        window = one(self.STORY.format(between="0.205 plugin-failed web plugin=Coscheduling", err=RESERVE)).window
        assert window is not None
        assert window.events == []

    def test_without_a_pop_it_came_just_then(self) -> None:
        (attempt,) = followed(f"0.210000 failed web '{BIND}'\n0.210100 handed-back web queue=Unschedulable")
        assert attempt.window is not None
        assert [(e.lo, e.hi) for e in attempt.window.events] == [(at("0.21"), at("0.21"))]


class TestSpecialPaths:
    def test_a_refused_hand_back_parks_nothing_and_its_plugins_die_with_the_entry(self) -> None:
        story = f"""
        0.100000 added       web
        0.100020 new         web
        0.200000 popped      web
        0.205000 pod-update  web
        0.210000 unfit       web  "{CPU}"
        0.210100 refused     web
        0.300000 popped      web
        0.310000 failed      web  '{RESERVE}'
        0.310100 handed-back web  queue=Unschedulable schedulingCycle=2
        """
        (found,) = followed(story)
        assert (found.held, found.queue_attempts, found.number) == (NOTHING, 1, 2)

    def test_refused_for_a_reason_that_was_not_seen(self) -> None:
        story = f"""
        0.200000 popped   web
        0.210000 unfit    web  "{CPU}"
        0.210100 refused  web
        0.300000 popped   web
        0.310000 failed   web  '{RESERVE}'
        """
        (found,) = followed(story)
        assert found.held is None

    @pytest.mark.parametrize("form", ["gone", "aborted"])
    def test_a_pod_that_is_let_go_was_not_parked(self, form: str) -> None:
        assert followed(NOT_SHOWN + f"\n0.2101 {form} web") == []

    def test_nor_one_that_was_recreated_and_its_new_entry_stays(self) -> None:
        told = follower("1.36.2")
        for event in events(lines(NOT_SHOWN + "\n0.2101 recreated web", "1.36.2", head=False)):
            told.feed(event)
        assert told.finish() == []
        assert told.pods.get("default/web") is not None

    def test_lines_that_name_nobody(self) -> None:
        told = follower()
        for event in (
            ev.RequeueRefused(line=1, t=1, pid=1, site="", text="", pod=None, where=None, err=""),
            ev.PodGone(line=2, t=2, pid=1, site="", text="", pod=None, reason="assigned"),
            ev.PluginFailed(line=3, t=3, pid=1, site="", text="", pod=None, plugin=None, extension_point=None, err=""),
        ):
            told.feed(event)
        assert told.finish() == []

    def test_of_pods_that_did_not_fail(self) -> None:
        assert followed("0.1 refused web\n0.2 gone web\n0.3 plugin-failed web plugin=P\n0.4 binding web") == []
        assert followed("0.1 added web\n0.2 refused web\n0.3 gone web") == []

    def test_a_bound_pod_leaves_by_its_informers_delete_line(self) -> None:
        story = """
        0.100000 added       web
        0.200000 popped      web
        0.205000 binding     web
        {}
        """
        for end in ("0.206 bound web\n0.207 deleted web", "0.206 deleted web\n0.207 bound web"):
            told = follower()
            for event in events(lines(story.format(end))):
                told.feed(event)
            assert told.pods.get("default/web") is None
            assert told.finish() == []

    def test_one_that_is_bound_before_any_other_line_of_it(self) -> None:
        told = follower()
        for event in events(lines("0.1 bound web", head=False)):
            told.feed(event)
        assert (told.news, told.pods.get("default/web"), told.pods.take_bound("default/web")) == ([], None, True)

    def test_an_attempt_is_given_out_once(self) -> None:
        told = follower()
        for event in events(lines(FIT, head=False)):
            told.feed(event)
        state = told.pods.get("default/web")
        assert state is not None
        assert state.parked is not None
        told.emit(state.parked)
        told.emit(state.parked)
        assert told.take() == [state.parked]

    def test_a_parked_pod_that_is_bound_after_all(self) -> None:
        parking = only(replay(FIT + "9.0 bound web"))
        assert (parking.destination, parking.wake_up) == ("Unschedulable", None)
        shown = only(replay(NOT_SHOWN + "\n0.2102 condition web\n9.0 bound web", v=2))
        assert shown.destination == "unknown"

    def test_deleted_while_it_is_in_flight_it_stays_known(self) -> None:
        assert one(FIT.replace("0.210000", "0.205 deleted web\n0.210000")).number == 1

    def test_deleted_while_it_waits_it_does_not(self) -> None:
        told = follower()
        for event in events(lines("0.1 added web\n0.2 deleted web\n0.3 deleted other")):
            told.feed(event)
        assert list(told.pods) == []

    def test_a_pod_that_is_being_deleted_is_popped_and_let_go(self) -> None:
        told = follower()
        for event in events(lines("0.1 added web\n0.2 skipped web", v=3)):
            told.feed(event)
        assert told.flights.open == {}
        assert told.finish() == []
        (flight,) = told.flights.overlapping(at("0.2"), at("0.2"))
        assert (flight.done_lo, flight.done_hi) == (at("0.2"), at("0.202"))
        for event in events(lines("0.3 popped web\n0.301 skipped web")):
            told.feed(event)
        assert told.flights.open == {}

    def test_attempting_alone_is_a_pop(self) -> None:
        assert one(FIT, v=3).flight is not None
        (first, second) = followed(FIT + "5.0 attempting web\n5.1 unfit web '" + CPU + "'", v=3)
        assert (first.number, second.number) == (1, 2)

    def test_a_nominated_node_is_no_failure(self) -> None:
        told = NOT_SHOWN + "\n0.2101 nominated web\n0.2104 condition web"
        assert one(told, "1.36.2").back_hi == at("0.2104")

    def test_a_failure_without_a_pop_counts_as_an_attempt(self) -> None:
        story = f"0.1 unfit web '{CPU}'\n0.2 unfit web '{CPU}'\n0.3 added web\n0.4 unfit web '{CPU}'"
        found = followed(story)
        assert [(a.number, a.queue_attempts) for a in found] == [(1, None), (2, None), (1, 1)]
        assert [a.flight for a in found] == [None, None, None]

    def test_a_parking_whose_failure_line_is_missing(self) -> None:
        hand_back = "0.5 handed-back web queue=Unschedulable schedulingCycle=7"
        (found,) = followed("0.1 popped web\n" + hand_back)
        assert (found.orphan, found.destination, found.cycle, found.number) == (True, "Unschedulable", 7, 1)
        assert found.flight is not None
        assert found.window is not None
        parking = only(replay(hand_back))
        assert (parking.verdict, parking.rejector_plugins) == ("undecided", None)

    def test_its_rejectors_are_those_that_are_printed(self) -> None:
        (found,) = followed("0.5 handed-back web queue=Unschedulable schedulingCycle=7 plugins=A,B", "1.29.1", 3)
        assert found.own.plugins == PluginSet(frozenset({"A", "B"}))

    def test_one_after_the_other(self) -> None:
        first, second = followed(FIT + "9.0 handed-back web queue=Unschedulable schedulingCycle=9")
        assert (first.orphan, second.orphan) == (False, True)
        assert first.wake is not None
        assert (first.wake.event, first.wake.t) == ("unknown", at("9.0"))

    def test_the_same_line_twice_is_one(self) -> None:
        assert len(followed(FIT + "0.210101 handed-back web queue=Unschedulable schedulingCycle=1")) == 1
