"""What the queue's own lines tell."""

from __future__ import annotations

import pytest

from klogreplay.events.types import SchedulerEvent
from klogreplay.replay.follow import Follower
from klogreplay.replay.moves import is_own_update, wake
from klogreplay.replay.rejectors import NOTHING
from klogreplay.replay.types import WakeUp
from tests.replay.build import CPU, at, events, follower, lines, only, replay

PARKED = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.210000 unfit       web  "{CPU}"
0.210100 handed-back web  queue=Unschedulable schedulingCycle=1
0.210200 condition   web
"""


def fed(story: str, release: str = "1.28.0", v: int = 6) -> Follower:
    told = follower(release)
    for event in events(lines(story, release, v)):
        told.feed(event)
    return told


def seen(told: Follower) -> list[tuple[str, int, int]]:
    return [(e.label, e.lo, e.hi) for e in told.timeline.around(at("0"), at("99"))[0]]


def woken(after: str, release: str = "1.28.0", v: int = 6) -> str | None:
    wake_up = only(replay(PARKED + after, release, v)).wake_up
    return None if wake_up is None else wake_up.event


class TestWakeUps:
    @pytest.mark.parametrize(
        ("after", "event"),
        [
            ("9.0 moved web event=NodeTaintChange queue=Backoff", "NodeTaintChange"),
            ("9.0 moved web event=NodeTaintChange queue=Active", "NodeTaintChange"),
            ("9.0 flushed web", "UnschedulableTimeout"),
            ("9.0 pod-update-parked web", "PodUpdate"),
            ("9.0 updated-to-active web", "BackoffComplete"),
            ("9.0 deleted web", "PodDelete"),
            ("9.0 added web", "re-created"),
            ("9.0 not-helping web event=NodeAdd", None),
            ("9.0 moved web event=NodeTaintChange queue=Unschedulable", None),
            ("", None),
        ],
    )
    def test_what_took_a_parked_pod_out(self, after: str, event: str | None) -> None:
        assert woken(after) == event

    def test_two_lines_of_one_move_are_one(self) -> None:
        twice = "9.000000 moved-again web event=NodeUpdateNodeTaint queue=Backoff\n"
        twice += "9.000010 moved web event=NodeUpdateNodeTaint queue=Backoff"
        parking = only(replay(PARKED + twice, "1.34.1"))
        assert parking.wake_up is not None
        assert (parking.wake_up.event, parking.wake_up.t) == ("NodeUpdateNodeTaint", at("9.0"))
        told = fed(PARKED + twice, "1.34.1")
        assert seen(told) == [("NodeUpdateNodeTaint", at("9.0"), at("9.0"))]

    def test_the_same_move_a_while_later_is_another(self) -> None:
        twice = "9.000000 moved web event=NodeUpdateNodeTaint queue=Active\n"
        twice += "9.500000 moved web event=NodeUpdateNodeTaint queue=Active"
        assert len(seen(fed(PARKED + twice, "1.34.1"))) == 2

    def test_two_lines_of_one_hand_back_are_one(self) -> None:
        story = PARKED.replace(
            "0.210100 handed-back web  queue=Unschedulable",
            "0.210090 handed-back-plain web queue=Backoff\n0.210100 handed-back web queue=Backoff",
        )
        assert replay(story, "1.34.1").parkings == []

    def test_a_gated_pod_is_parked_rightly(self) -> None:
        gated = PARKED.replace("queue=Unschedulable", "queue=Unschedulable hint=1")
        parking = only(replay(gated, "1.34.1"))
        assert (parking.verdict, parking.grade) == ("right", "proven")

    def test_a_pod_that_is_gated_from_the_beginning_is_no_parking(self) -> None:
        story = "0.1 added web\n0.101 gated web plugin=SchedulingGates\n0.102 gated-variant web"
        assert replay(story, "1.34.1").parkings == []


class TestEvents:
    def test_moves_and_answers_show_events_the_queues_own_doings_do_not(self) -> None:
        told = fed(
            """
            0.1 new web
            0.2 moved a event=NodeAdd queue=Active
            0.3 not-helping b event=PvAdd
            0.4 backoff-complete c
            0.5 pod-update d
            0.6 pod-update-parked e
            0.7 handed-back f queue=Backoff schedulingCycle=1
            """
        )
        assert seen(told) == [("NodeAdd", at("0.2"), at("0.2")), ("PvAdd", at("0.3"), at("0.3"))]

    def test_an_update_of_the_pod_itself_that_does_not_help_is_no_event_of_the_cluster(self) -> None:
        told = fed("0.3 not-helping web event=UnschedulablePodUpdatePodLabel", "1.34.1")
        assert seen(told) == []

    def test_events_received_while_pods_are_in_flight(self) -> None:
        told = fed("0.1 not-helping web event=NodeAdd\n0.100050 received event=NodeAdd numPods=1", "1.28.3")
        assert seen(told) == [("NodeAdd", at("0.1"), at("0.10005"))]

    def test_a_hand_back_in_between_makes_two_events_of_them(self) -> None:
        between = "0.1 not-helping a event=NodeAdd\n0.10001 {}\n0.10002 not-helping b event=NodeAdd"
        assert len(seen(fed(between.format("popped c")))) == 1
        assert len(seen(fed(between.format("handed-back c queue=Backoff schedulingCycle=1")))) == 2
        assert len(seen(fed(between.format("checking c plugins=A"), "1.28.3"))) == 2

    def test_a_pod_got_into_active_q_with_its_line(self) -> None:
        told = fed("0.199500 moved web event=NodeAdd queue=Active\n0.200000 popped web")
        assert told.flights.open["default/web"].pop_lo == at("0.1995")


class TestSecondEntry:
    """Up to 1.30 an update of a pod in flight makes a second entry, which begins with nothing."""

    def state(self, update: str, release: str = "1.28.0") -> tuple[bool, int | None, bool]:
        story = f"0.1 added web\n0.101 gated web plugin=SchedulingGates\n0.2 popped web\n{update}"
        state = fed(story, release).pods.get("default/web")
        assert state is not None
        return state.second_entry, state.queue_attempts, state.held == NOTHING

    def test_updated_in_flight(self) -> None:
        assert self.state("0.3 pod-update web") == (True, 0, True)

    def test_updated_by_another_name(self) -> None:
        assert self.state("0.3 updated-variant web queue=Active", "1.32.2") == (True, 0, True)

    def test_not_updated(self) -> None:
        assert self.state("0.3 moved other event=NodeAdd queue=Active") == (False, 1, False)

    def test_updated_while_parked_is_no_second_entry(self) -> None:
        told = fed(PARKED + "9.0 updated-variant web queue=Active", "1.32.2")
        state = told.pods.get("default/web")
        assert state is not None
        assert (state.second_entry, state.parked) == (False, None)


@pytest.mark.parametrize(
    ("label", "own"),
    [
        ("PodUpdate", True), ("UnschedulablePodUpdate", True), ("UnschedulablePodUpdatePodLabel", True),
        ("PodLabelChange", True), ("AssignedPodUpdate", False), ("NodeAdd", False), ("UnschedulablePodAdd", False),
    ],
)  # fmt: skip
def test_updates_of_the_moved_pod_itself(label: str, own: bool) -> None:
    assert is_own_update(label) is own


class TestUnseenAttempts:
    """ "Checking events for in-flight pod" of a pod whose last attempt is over: an attempt of it was not seen."""

    CHECKING = "checking web plugins= inFlightEventsSize=1 inFlightPodsSize=1"

    def test_a_parked_pod_had_left(self) -> None:
        story = f"{PARKED}9.0 {self.CHECKING}"
        parking = only(replay(story, "1.28.3"))
        assert parking.wake_up is not None
        assert (parking.wake_up.event, parking.wake_up.t) == ("unknown", at("9.0"))
        assert fed(story, "1.28.3").holes.lost_near(at("9.1"))

    def test_one_of_which_nothing_more_was_told_was_somewhere_else_meanwhile(self) -> None:
        open_end = PARKED.replace("0.210100 handed-back", "# ")
        parking = only(replay(f"{open_end}1.5 {self.CHECKING}\n9.0 renewed", "1.28.3", 5))
        assert parking.destination == "unknown"
        assert fed(f"{open_end}1.5 {self.CHECKING}", "1.28.3", 5).holes.lost_near(at("1.6"))

    def test_its_own_hand_back_is_none(self) -> None:
        own = PARKED.replace("0.210100 handed-back", f"0.210050 {self.CHECKING}\n0.210100 handed-back")
        assert only(replay(own, "1.28.3")).wake_up is None
        assert not fed(own, "1.28.3").holes.lost_near(at("0.3"))


def test_a_pod_that_is_not_parked_is_not_woken() -> None:
    told = fed("0.1 added web")
    state = told.pods.need("default/web")
    wake(told, state, WakeUp("NodeAdd", 1, 0, "a line"))
    assert (told.news, state.parked) == ([], None)


def test_a_pre_enqueue_line_without_a_plugin_holds_nothing() -> None:
    log = lines("0.1 added web\n0.2 gated web", head=False)
    log[1] = log[1].replace(' plugin="SchedulingGates"', "")
    told = follower()
    found: list[SchedulerEvent] = events(log)
    for event in found:
        told.feed(event)
    state = told.pods.get("default/web")
    assert state is not None
    assert state.held == NOTHING


def test_only_the_last_four_of_the_lines_that_hold_plugins_are_kept() -> None:
    gates = "\n".join(f"0.{n} gated web plugin=Gate{n}" for n in range(2, 9))
    state = fed("0.1 added web\n" + gates).pods.get("default/web")
    assert state is not None
    assert state.held is not None
    assert len(state.held.names) == 7
    assert [text.rpartition("plugin=")[2][:7] for _, text in state.held_lines] == [f'"Gate{n}"' for n in range(5, 9)]
