"""When events reached the queue: bounds from handler lines, moments from queue lines."""

from __future__ import annotations

from klogreplay.replay.timeline import HANDLER_SLACK_US, MOST_BEFORE, MOST_KEPT, MOST_WITHIN, Observed, Timeline


def added(timeline: Timeline, t: int, line: int = 1) -> Observed:
    return timeline.handler("node", "NodeAdd", "node n-1", t, line, "text")


class TestHandlerLines:
    def test_the_event_follows_its_line_within_the_slack(self) -> None:
        event = added(Timeline(), 1_000)
        assert (event.lo, event.hi, event.how) == (1_000, 1_000 + HANDLER_SLACK_US, "handler")

    def test_the_next_line_of_the_same_informer_ends_it_sooner(self) -> None:
        timeline = Timeline()
        first, second = added(timeline, 1_000), added(timeline, 1_300, 2)
        assert (first.lo, first.hi) == (1_000, 1_300)
        assert second.hi == 1_300 + HANDLER_SLACK_US

    def test_another_informers_line_does_not(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        timeline.handler("scheduled", "AssignedPodAdd", "pod default/a", 1_300, 2, "text")
        assert event.hi == 1_000 + HANDLER_SLACK_US

    def test_a_late_line_does_not_make_it_later(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        timeline.handler_quiet("node", 900_000)
        assert event.hi == 1_000 + HANDLER_SLACK_US

    def test_a_line_without_an_event_ends_it_too(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        timeline.handler_quiet("node", 1_010)
        timeline.handler_quiet("node", 1_005)
        assert event.hi == 1_010

    def test_a_clock_that_jumps_back_leaves_no_span_that_ends_before_it_begins(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        timeline.handler_quiet("node", 400)
        assert (event.lo, event.hi) == (1_000, 1_000)


class TestQueueLines:
    def test_a_queue_line_gives_the_exact_moment_of_the_handlers_event(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        seen = timeline.queue_line("NodeAdd", "default/a", 1_050, 2, "asked")
        assert seen is event
        assert (event.lo, event.hi, event.how, event.last_line) == (1_050, 1_050, "queue", 2)
        assert (event.line, event.obj) == (1, "node n-1")

    def test_the_next_line_of_the_informer_no_longer_matters_then(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        timeline.queue_line("NodeAdd", "default/a", 1_050, 2, "asked")
        timeline.handler_quiet("node", 1_020)
        assert (event.lo, event.hi) == (1_050, 1_050)

    def test_a_line_of_another_name_is_an_event_of_its_own(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        seen = timeline.queue_line("NodeLabelChange", "default/a", 1_050, 2, "asked")
        assert seen is not event
        assert (seen.lo, seen.hi, seen.line, seen.obj) == (1_050, 1_050, 2, None)

    def test_an_event_of_the_same_name_that_comes_too_late_is_another_one(self) -> None:
        # The scheduler raises AssignedPodDelete itself when a binding fails: without a handler line.
        timeline = Timeline()
        deleted = timeline.handler("scheduled", "AssignedPodDelete", "pod default/x", 1_000, 1, "deleted")
        own = timeline.queue_line("AssignedPodDelete", "default/a", 1_000 + HANDLER_SLACK_US + 1, 2, "asked")
        assert own is not deleted
        assert (deleted.lo, deleted.hi) == (1_000, 1_000 + HANDLER_SLACK_US)

    def test_a_line_before_the_handlers_is_another_event(self) -> None:
        timeline = Timeline()
        event = added(timeline, 1_000)
        assert timeline.queue_line("NodeAdd", "default/a", 999, 2, "asked") is not event

    def test_lines_for_several_pods_are_one_event(self) -> None:
        timeline = Timeline()
        first = timeline.queue_line("NodeAdd", "default/a", 1_000, 1, "asked")
        second = timeline.queue_line("NodeAdd", "default/b", 1_040, 2, "asked")
        assert first is second
        assert (first.lo, first.hi, first.last_line) == (1_000, 1_040, 2)
        assert first.pods == {"default/a", "default/b"}

    def test_the_same_pod_is_asked_once_an_event(self) -> None:
        timeline = Timeline()
        first = timeline.queue_line("NodeAdd", "default/a", 1_000, 1, "asked")
        assert timeline.queue_line("NodeAdd", "default/a", 1_040, 2, "asked") is not first

    def test_lines_far_apart_are_two_events(self) -> None:
        timeline = Timeline()
        first = timeline.queue_line("NodeAdd", "default/a", 1_000, 1, "asked")
        assert timeline.queue_line("NodeAdd", "default/b", 60_000, 2, "asked") is not first

    def test_a_queue_line_of_something_else_ends_the_run(self) -> None:
        timeline = Timeline()
        first = timeline.queue_line("NodeAdd", "default/a", 1_000, 1, "asked")
        timeline.other_queue_line()
        assert timeline.queue_line("NodeAdd", "default/b", 1_040, 2, "asked") is not first

    def test_event_received_is_the_last_line_of_an_event(self) -> None:
        timeline = Timeline()
        first = timeline.queue_line("NodeAdd", "default/a", 1_000, 1, "asked")
        assert timeline.queue_line("NodeAdd", None, 1_010, 2, "received") is first
        assert timeline.queue_line("NodeAdd", "default/b", 1_020, 3, "asked") is not first

    def test_event_received_alone_is_an_event(self) -> None:
        timeline = Timeline()
        event = timeline.queue_line("NodeAdd", None, 1_000, 1, "received")
        assert (event.lo, event.hi, event.pods) == (1_000, 1_000, None)
        assert timeline.queue_line("NodeAdd", None, 1_010, 2, "received") is not event


class TestSpans:
    def test_what_may_have_fallen_between_two_moments(self) -> None:
        timeline = Timeline()
        early = added(timeline, 1_000, 1)
        derived = timeline.derived("AssignedPodDelete", 4_000, 9_000, "default/a")
        late = timeline.queue_line("PvAdd", "default/a", 20_000, 2, "asked")
        assert timeline.around(1_000 + HANDLER_SLACK_US, 20_000)[0] == [early, derived, late]
        assert timeline.around(1_001 + HANDLER_SLACK_US, 3_999)[0] == []
        assert timeline.around(9_001, 19_999)[0] == []
        assert timeline.around(9_000, 9_000)[0] == [derived]
        assert (derived.line, derived.obj, derived.waker, derived.how) == (0, "pod default/a", "default/a", "derived")

    def test_events_that_ended_before_a_moment_are_forgotten(self) -> None:
        timeline = Timeline()
        added(timeline, 1_000, 1)
        late = timeline.queue_line("PvAdd", "default/a", 20_000, 2, "asked")
        timeline.forget_before(20_000)
        assert timeline.around(0, 30_000)[0] == [late]

    def test_of_those_long_before_only_the_last(self) -> None:
        """A pod that is in flight for hours makes the windows of all others begin with its own."""
        timeline = Timeline()
        events = [timeline.derived("NodeAdd", n, n, "default/a") for n in range(MOST_BEFORE + 500)]
        own = len(events) - 3
        found, crowded = timeline.around(own, len(events), start=0)
        assert found == events[own - MOST_BEFORE :]
        assert not crowded

    def test_more_than_anybody_could_weigh_are_left_out_and_said(self) -> None:
        timeline = Timeline()
        events = [timeline.derived("NodeAdd", 7, 7, "default/a") for _ in range(MOST_WITHIN + 5)]
        assert timeline.around(7, 7) == (events[5:], True)
        assert timeline.around(8, 9) == ([], False)

    def test_only_so_many_are_kept_and_windows_that_begin_with_others_are_cut(self) -> None:
        timeline = Timeline()
        for n in range(MOST_KEPT + 5):
            timeline.derived("NodeAdd", n, n, "default/a")
        last = MOST_KEPT + 4
        assert timeline.around(last, last)[1] is False
        assert timeline.around(4, last)[1] is True
        assert len(timeline._events) == MOST_KEPT
