"""What once accused the innocent, or cleared the guilty: near misses of a missed event, each told as a log.

The stories are of 1.28.0, whose queue loses concurrent events when the marker of a pod leaves the list: when all pods
that were in flight at its Pop, and at the last event before it, are done before it is.
"""

from __future__ import annotations

from tests.replay.build import BIND, CPU, only, replay

SPREAD = "4 node(s) didn't match pod topology spread constraints"

OTHER_IN_FLIGHT = """
0.100000 added      other
0.100020 new        other
0.101000 popped     other
0.101010 attempting other
0.105000 binding    other
0.110000 assigned-updated old
0.150000 added      web
0.150020 new        web
"""
"""Another pod is being bound, an event came, and our pod gets into activeQ."""


class TestDeletedNode:
    """ "Delete event for node" raises no event before 1.32."""

    STORY = (
        OTHER_IN_FLIGHT
        + f"""
    0.200000 popped       web
    0.200010 attempting   web
    0.205000 bound        other
    0.210000 {{event}}
    0.220000 unfit        web   "{SPREAD}"
    0.220100 handed-back  web   queue=Unschedulable schedulingCycle=2
    0.220200 condition    web
    9.000000 moved        web   event=NodeAdd queue=Active
    """
    )

    def test_an_added_node_was_missed(self) -> None:
        parking = only(replay(self.STORY.format(event="node-added n-1")))
        assert parking.rejector_plugins == ("PodTopologySpread",)
        assert (parking.verdict, parking.grade) == ("wrong", "proven")
        assert [cause.code for cause in parking.causes] == ["missed-events"]

    def test_a_deleted_node_was_not(self) -> None:
        parking = only(replay(self.STORY.format(event="node-deleted n-1")))
        assert parking.verdict == "undecided"
        assert parking.concurrent_events == []


class TestEdges:
    """An event whose line stands close to the Pop or the hand-back may have come outside of the attempt."""

    STORY = (
        OTHER_IN_FLIGHT
        + f"""
    {{before}}
    0.200000 popped       web
    0.200010 attempting   web
    0.205000 bound        other
    {{within}}
    {{after}}
    0.220000 unfit        web   "{CPU}"
    0.220100 handed-back  web   queue=Unschedulable schedulingCycle=2
    0.220200 condition    web
    9.000000 flushed      web
    """
    )

    @staticmethod
    def verdict(**events: str) -> tuple[str, str]:
        told = {"before": "", "within": "", "after": "", **events}
        parking = only(replay(TestEdges.STORY.format(**told)))
        return parking.verdict, parking.grade

    def test_an_event_well_within_was_missed(self) -> None:
        assert self.verdict(within="0.210000 assigned-deleted old-1") == ("wrong", "proven")

    def test_an_event_just_before_the_line_of_the_pop_may_have_come_before_it(self) -> None:
        assert self.verdict(before="0.199992 assigned-deleted old-1") == ("undecided", "suspected")

    def test_an_event_just_before_the_failure_line_may_have_come_after_the_hand_back(self) -> None:
        assert self.verdict(after="0.219990 assigned-deleted old-1") == ("undecided", "suspected")

    def test_one_at_each_edge_may_both_have_come_outside(self) -> None:
        both = {"before": "0.199992 assigned-deleted old-1", "after": "0.219990 assigned-deleted old-2"}
        assert self.verdict(**both) == ("undecided", "suspected")

    def test_an_irrelevant_event_within_accuses_nobody(self) -> None:
        # Nor does it acquit: one event without any line would do, since the marker may have been lost.
        assert self.verdict(within="0.210000 assigned-added old-3") == ("undecided", "suspected")

    def test_a_handlers_next_line_can_bring_an_event_inside(self) -> None:
        told = {"after": "0.219400 assigned-deleted old-1\n0.219900 assigned-updated old-2"}
        assert self.verdict(**told) == ("wrong", "proven")


class TestWhoWasInFlight:
    """Nobody else in flight at the Pop: no marker, nothing can have been missed."""

    STORY = f"""
    0.100000 added        other
    0.100020 new          other
    0.101000 popped       other
    0.101010 attempting   other
    {{end}}
    0.150000 added        web
    0.150020 new          web
    {{pop}}
    {{late}}
    0.220000 unfit        web   "{CPU}"
    0.220100 handed-back  web   queue=Unschedulable schedulingCycle=2
    0.220200 condition    web
    9.000000 flushed      web
    """
    POP = "0.200000 popped web\n0.200010 attempting web"

    @classmethod
    def verdict(cls, end: str, pop: str = POP, late: str = "") -> tuple[str, str]:
        parking = only(replay(cls.STORY.format(end=end, pop=pop, late=late)))
        return parking.verdict, parking.grade

    def test_bound_well_before(self) -> None:
        assert self.verdict("0.105000 binding other\n0.110000 bound other") == ("right", "proven")

    def test_failed_in_its_scheduling_cycle_since_those_follow_each_other(self) -> None:
        end = f'0.148000 unfit other "{CPU}"\n0.148100 handed-back other queue=Unschedulable schedulingCycle=1'
        assert self.verdict(end) == ("right", "proven")
        # Even where the line of the Pop follows at once, and no line tells when the first was handed back.
        pop = "0.150030 popped web\n0.150040 attempting web"
        assert self.verdict(f'0.149990 unfit other "{CPU}"', pop) == ("right", "proven")

    def test_done_may_come_two_milliseconds_after_successfully_bound(self) -> None:
        end = "0.105000 binding other\n0.198500 bound other"
        # Two events without any line, a marker and one it lost, would make it wrong: unlikely, but no proof.
        assert self.verdict(end) == ("right", "likely")

    def test_done_between_pop_and_hand_back_though_its_span_is_longer_than_the_attempt(self) -> None:
        # "Successfully bound" 1 ms before the Pop, the hand-back 0.2 ms after it: Done may have come between.
        end = "0.105000 binding other\n0.219000 bound other"
        pop = "0.219900 popped web\n0.219910 attempting web"
        assert self.verdict(end, pop) == ("right", "likely")

    def test_the_real_pop_comes_before_its_line(self) -> None:
        # The binding fails in another goroutine: handed back just before our pod's Pop is printed, not before it.
        end = f"""0.149000 bind-failed other
        0.199950 failed other '{BIND}'
        0.199970 handed-back other queue=Backoff schedulingCycle=1"""
        assert self.verdict(end) == ("undecided", "suspected")

    def test_the_condition_line_of_a_failed_binding_says_nothing_of_the_scheduling_goroutine(self) -> None:
        end = f"""0.149000 bind-failed other
        0.199950 failed other '{BIND}'
        0.199970 handed-back other queue=Backoff schedulingCycle=1
        0.199990 condition other"""
        assert self.verdict(end) == ("undecided", "suspected")

    def test_a_pod_whose_end_has_no_line_may_be_in_flight_or_not(self) -> None:
        assert self.verdict("") == ("right", "likely")

    def test_a_cycle_that_spans_the_pop_of_another_has_lost_its_own(self) -> None:
        # Scheduling cycles are serial: who was rejected after another was popped was itself popped later.
        end = "0.105000 binding other\n0.110000 bound other"
        late = "0.210000 popped third\n0.210010 attempting third"
        assert self.verdict(end, late=late) == ("undecided", "suspected")


class TestUnknownDestination:
    """Nobody is accused of a parking that no line shows."""

    # A pod that is deleted and comes again while it is in flight stays in flight for ever (up to 1.35): no marker is
    # lost after that, whatever the lines suggest.
    STORY = (
        OTHER_IN_FLIGHT
        + f"""
    0.200000 popped       web
    0.200010 attempting   web
    0.205000 bound        other
    0.210000 node-added   n-1
    0.220000 unfit        web   "{CPU}"
    {{shown}}
    0.220200 condition    web
    """
    )

    def test_the_log_ends_before_the_pod_shows_up_again(self) -> None:
        parking = only(replay(self.STORY.format(shown=""), v=5))
        assert (parking.destination, parking.verdict, parking.causes) == ("unknown", "undecided", [])
        assert parking.needs == ["where the queue put the pod: the line is printed at -v=6"]

    def test_where_it_is_shown_it_is_judged(self) -> None:
        shown = "0.220100 handed-back web queue=Unschedulable schedulingCycle=2"
        parking = only(replay(self.STORY.format(shown=shown)))
        assert (parking.destination, parking.verdict, parking.grade) == ("Unschedulable", "wrong", "proven")

    def test_where_it_went_to_backoff_it_is_not_listed(self) -> None:
        shown = "0.220100 handed-back web queue=Backoff schedulingCycle=2"
        assert replay(self.STORY.format(shown=shown)).parkings == []


class TestSilenceWithin:
    """Where nobody prints anything between Pop and failure, these may be of two attempts."""

    STORY = (
        OTHER_IN_FLIGHT
        + f"""
    0.200000 popped       web
    0.200010 attempting   web
    0.205000 bound        other
    0.210000 node-added   n-1
    {{busy}}
    {{late}}.220000 unfit        web   "{SPREAD}"
    {{late}}.220100 handed-back  web   queue=Unschedulable schedulingCycle=2
    {{late}}.220200 condition    web
    """
    )

    def verdict(self, late: int, busy: str = "") -> tuple[str, str, list[tuple[str, str]]]:
        parking = only(replay(self.STORY.format(late=late, busy=busy)))
        return parking.verdict, parking.grade, [(cause.code, cause.grade) for cause in parking.causes]

    def test_none_leaves_the_proof(self) -> None:
        assert self.verdict(0) == ("wrong", "proven", [("missed-events", "proven")])

    def test_as_long_as_a_backoff_it_is_likely_only(self) -> None:
        assert self.verdict(1) == ("wrong", "likely", [("missed-events", "likely")])

    def test_a_slow_attempt_among_others_lines_is_proven(self) -> None:
        assert self.verdict(1, "0.700000 assigned-updated old-1") == ("wrong", "proven", [("missed-events", "proven")])

    def test_a_gap_proves_nothing(self) -> None:
        parking = only(replay(self.STORY.format(late=50, busy="")))
        assert (parking.verdict, parking.grade, parking.causes) == ("undecided", "suspected", [])
        assert any("between this attempt's Pop and its failure" in need for need in parking.needs)

    def test_a_silence_after_the_failure_does_not_matter(self) -> None:
        story = self.STORY.format(late=0, busy="") + "9.000000 moved web event=NodeAdd queue=Active\n"
        assert only(replay(story)).grade == "proven"
