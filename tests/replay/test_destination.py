"""Where a failed pod went, told from what comes after, where no line says it (1.28.0 below -v=6)."""

from __future__ import annotations

from klogreplay.replay.analyze import analyze_events
from klogreplay.replay.types import Parking
from tests.replay.build import CPU, RESERVE, at, events, followed, lines, only, replay

ONCE = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.210000 unfit       web  "{CPU}"
0.210200 condition   web
"""
"""A first attempt fails: its backoff is one second, the flush comes once a second."""


def parkings(after: str, v: int = 5, release: str = "1.28.0", once: str = ONCE) -> list[Parking]:
    return replay(once + after, release, v).parkings


def told(after: str, v: int = 5, release: str = "1.28.0") -> tuple[str, str, str | None]:
    """Destination, its evidence, and what took the pod out."""
    parking = only(replay(ONCE + after, release, v))
    return parking.destination, parking.destination_evidence, parking.wake_up.event if parking.wake_up else None


class TestMoves:
    """Events move and ask only pods in unschedulablePods; the flush of backoffQ moves only pods in backoffQ."""

    def test_moved_by_an_event_it_was_parked(self) -> None:
        assert told("0.900000 moved web event=NodeAdd queue=Backoff") == ("Unschedulable", "derived", "NodeAdd")

    def test_moved_but_held_back_by_a_pre_enqueue_plugin_it_was_parked_and_still_is(self) -> None:
        assert told("0.900000 moved web event=NodeAdd queue=Unschedulable") == ("Unschedulable", "derived", None)

    def test_flushed_by_the_timeout_it_was_parked(self) -> None:
        assert told("0.900000 flushed web") == ("Unschedulable", "derived", "UnschedulableTimeout")

    def test_asked_in_vain_it_was_parked_and_still_is(self) -> None:
        assert told("0.900000 not-helping web event=NodeAdd") == ("Unschedulable", "derived", None)

    def test_updated_into_backoff_it_was_parked(self) -> None:
        assert told("0.900000 pod-update-parked web") == ("Unschedulable", "derived", "PodUpdate")

    def test_backoff_complete_printed_by_the_update_it_was_parked(self) -> None:
        assert told("1.500000 updated-to-active web") == ("Unschedulable", "derived", "BackoffComplete")

    def test_backoff_complete_printed_by_the_flush_it_was_not(self) -> None:
        assert parkings("1.500000 backoff-complete web") == []

    def test_added_anew_after_its_hand_back_nobody_can_tell(self) -> None:
        # The pod was deleted and came again under its name while it was in flight: the new one takes its place.
        once = ONCE.replace("0.210000", "0.205000 deleted web\n0.209900 added web\n0.210000")
        (parking,) = replay(once + "0.212000 new web\n30.0 renewed", v=5).parkings
        assert (parking.destination, parking.wake_up) == ("unknown", None)


class TestQueueRule:
    """1.28.3 at -v=5: every event shows, so that the queue's own rule says where an error went."""

    STORY = f"""
    0.100000 added         web
    0.100020 new           web
    0.200000 popped        web
    0.200010 attempting    web
    {{event}}
    0.210000 plugin-failed web  plugin=Coscheduling
    0.210010 failed        web  '{RESERVE}'
    0.210020 checking      web  plugins= inFlightEventsSize=1 inFlightPodsSize=1
    0.210100 condition     web
    {{after}}
    """

    @classmethod
    def told(cls, after: str) -> tuple[str, str, str | None]:
        parking = only(replay(cls.STORY.format(event="", after=after), "1.28.3", 5))
        return parking.verdict, parking.destination, parking.wake_up.event if parking.wake_up else None

    def test_without_any_event_it_was_parked_even_if_it_is_deleted_before_its_backoff_ends(self) -> None:
        assert self.told("0.900000 deleted web") == ("wrong", "Unschedulable", "PodDelete")

    def test_the_same_name_again(self) -> None:
        assert self.told("0.900000 added web") == ("wrong", "Unschedulable", "re-created")

    def test_with_one_it_went_to_backoff(self) -> None:
        story = self.STORY.format(event="0.205000 received event=NodeAdd", after="0.900000 deleted web")
        assert replay(story, "1.28.3", 5).parkings == []

    def test_deleted_before_its_hand_back_is_surely_over_it_may_have_been_dropped(self) -> None:
        story = self.STORY.replace("0.210100 condition     web", "0.210015 deleted web\n0.210018 gone web")
        (parking,) = replay(story.format(event="", after=""), "1.28.3", 5).parkings
        assert (parking.verdict, parking.destination, parking.wake_up) == ("undecided", "unknown", None)


class TestSilence:
    """A pod in backoffQ is moved when its backoff has ended, at the next flush: at -v=5 that has a line."""

    SOON = "1.000000 renewed\n"

    def test_it_is_parked_once_backoff_and_flush_are_over(self) -> None:
        assert told(self.SOON + "2.4 renewed") == ("Unschedulable", "assumed", None)

    def test_not_before(self) -> None:
        assert told(self.SOON + "2.3 renewed") == ("unknown", "unknown", None)

    def test_the_end_of_the_log_says_nothing(self) -> None:
        assert told("") == ("unknown", "unknown", None)

    def test_a_tick_that_comes_a_little_late_is_no_silence(self) -> None:
        assert parkings(self.SOON + "2.3 backoff-complete web") == []

    def test_below_level_five_silence_says_nothing(self) -> None:
        assert told(self.SOON + "2.4 renewed\n9.0 added other", v=4) == ("unknown", "unknown", None)

    def test_nor_of_a_pod_whose_hand_back_was_refused_later(self) -> None:
        # Its window is closed by then, so that its silence is waited for.
        assert told(self.SOON + "2.4 renewed")[0] == "Unschedulable"
        assert parkings(self.SOON + "1.1 refused web\n2.4 renewed") == []

    def test_nor_where_lines_may_be_missing(self) -> None:
        # The scheduler renews its lease: half a minute without any line is a hole in the log.
        assert told("31.0 added other\n31.5 added third\n40.0 added fourth") == ("unknown", "unknown", None)
        assert told(self.SOON + "29.0 added other") == ("Unschedulable", "assumed", None)

    def test_with_an_unknown_count_the_longest_backoff_counts(self) -> None:
        once = ONCE.replace("0.100000 added       web\n", "")
        for last, destination in (("11.3 renewed", "unknown"), ("11.4 renewed", "Unschedulable")):
            (parking,) = parkings(f"{self.SOON}{last}", once=once)
            assert parking.destination == destination

    def test_a_pod_that_left_before_is_not_asked(self) -> None:
        assert told(self.SOON + "1.2 deleted web\n2.4 renewed") == ("unknown", "unknown", None)
        assert told(self.SOON + "1.2 deleted web\n1.3 added web\n2.4 renewed")[0] == "unknown"


class TestPops:
    """A pod that is popped again without any line of how it came out."""

    POP = "{0} popped web\n{0} attempting web"

    def test_at_level_five_it_was_handed_back_straight_to_active_q(self) -> None:
        assert parkings(self.POP.format("0.210300")) == []

    def test_also_where_the_scheduler_was_busy_in_between(self) -> None:
        busy = "0.210300 popped other\n0.210310 attempting other\n0.900000 unfit other '4 Insufficient cpu'\n"
        assert [p.pod for p in parkings(busy + self.POP.format("0.900500"))] == ["default/other"]

    def test_a_long_wait_while_the_scheduler_was_idle_is_a_lost_line(self) -> None:
        assert told(self.POP.format("1.5")) == ("unknown", "unknown", None)

    def test_below_level_five_a_pop_soon_after_says_nothing(self) -> None:
        assert told(self.POP.format("1.5"), v=4) == ("unknown", "unknown", None)

    def test_a_pop_later_than_backoff_would_have_let_it_is_one_of_a_parked_pod(self) -> None:
        assert told(self.POP.format("2.6"), v=4) == ("Unschedulable", "derived", "unknown")
        assert told(self.POP.format("2.6"), v=3) == ("Unschedulable", "derived", "unknown")

    def test_if_the_scheduler_was_not_busy_all_the_time(self) -> None:
        busy = "0.3 popped other\n0.3 attempting other\n2.55 unfit other '4 Insufficient cpu'\n"
        assert told(busy + self.POP.format("2.6"), v=4) == ("unknown", "unknown", None)

    def test_nor_with_an_unknown_count(self) -> None:
        once = ONCE.replace("0.100000 added       web\n", "")
        (parking,) = parkings(self.POP.format("12.5"), v=4, once=once)
        assert parking.destination == "unknown"

    def test_nor_across_a_hole_in_the_log(self) -> None:
        assert told(self.POP.format("40.0"), v=4) == ("unknown", "unknown", None)

    def test_a_parked_one_leaves_by_it(self) -> None:
        shown = "0.210100 handed-back web queue=Unschedulable schedulingCycle=1\n"
        assert told(shown + self.POP.format("5.0"), v=6) == ("Unschedulable", "observed", "unknown")

    def test_its_own_next_pop_ends_the_hand_back_of_a_failure_within_the_cycle(self) -> None:
        once = ONCE.replace("0.210200 condition   web\n", "")
        (first,) = followed(once + self.POP.format("0.210300"), v=4)
        assert (first.back_hi, first.untold, first.destination) == (at("0.210300"), False, None)

    def test_without_headers_there_are_no_times_to_tell_by(self) -> None:
        bare = [line.partition("] ")[2] for line in lines(ONCE + self.POP.format("2.6"), v=4)]
        (parking,) = analyze_events(events(bare)).parkings
        assert (parking.destination, parking.wake_up) == ("unknown", None)
        assert "a log with its headers (klog without --skip_headers): they hold the times" in parking.needs

    def test_a_failure_line_tells_of_a_pop_too(self) -> None:
        first, second = parkings("9.0 unfit web '4 Insufficient cpu'", v=2)
        assert (first.destination, second.destination) == ("unknown", "unknown")


class TestOneCallSiteForTwo:
    """Where the release is not known, "BackoffComplete" may come from either of two places."""

    def test_the_pod_is_out_and_nobody_can_tell_from_where(self) -> None:
        log = lines(ONCE + "1.5 backoff-complete web\n1.6 renewed\n9.0 renewed", v=5, head=False)
        (parking,) = analyze_events(events(log)).parkings
        assert (parking.destination, parking.wake_up) == ("unknown", None)


def test_hints_off_at_level_five_prints_the_hand_back() -> None:
    story = ONCE.replace("0.210200", "0.210100 handed-back-plain web queue=Unschedulable\n0.210200")
    parking = only(replay(story, "1.26.1", 5))
    assert (parking.destination, parking.destination_evidence) == ("Unschedulable", "observed")
