"""Pods in flight: spans for the Pop and for Done."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.replay import flights as module
from klogreplay.replay.flights import POP_SLACK_US, Flight, Flights


def popped(flights: Flights, pod: str, t: int, ready_t: int | None = None, *, deep: bool = True) -> Flight:
    return flights.pop(pod, t, t // 1_000, "text", ready_t, attempting=False, deep=deep)


def names(found: Iterable[Flight]) -> list[str]:
    return sorted(flight.pod for flight in found)


class TestPop:
    """The line comes after the Pop; what bounds the Pop from below is the latest of what must come before it."""

    def test_it_comes_shortly_before_its_line(self) -> None:
        flight = popped(Flights(), "a", 100_000)
        assert (flight.pop_lo, flight.pop_hi) == (100_000 - POP_SLACK_US, 100_000)

    def test_not_before_the_pod_was_in_active_q(self) -> None:
        flight = popped(Flights(), "a", 100_000, ready_t=99_500)
        assert flight.pop_lo == 99_500

    def test_a_pod_long_in_active_q_tells_nothing(self) -> None:
        assert popped(Flights(), "a", 100_000, ready_t=20_000).pop_lo == 100_000 - POP_SLACK_US

    def test_not_before_the_last_line_of_the_scheduling_goroutine(self) -> None:
        flights = Flights()
        popped(flights, "a", 99_000)
        assert popped(flights, "b", 100_000, ready_t=98_500).pop_lo == 99_000
        flights.attempting("b", 100_300)
        assert popped(flights, "c", 100_900).pop_lo == 100_300
        flights.failed("c", 101_000, in_cycle=True)
        flights.scheduling_line("c", 101_200)
        assert popped(flights, "d", 101_900).pop_lo == 101_200

    def test_lines_of_other_goroutines_tell_nothing_of_it(self) -> None:
        flights = Flights()
        popped(flights, "a", 99_000)
        popped(flights, "b", 100_000)
        flights.scheduling_line("a", 100_600)
        flights.cycle_over("a", 100_600)
        flights.failed("b", 100_700, in_cycle=False)
        assert popped(flights, "c", 101_000).pop_lo == 100_000

    def test_a_clock_that_jumps_back_is_no_bound(self) -> None:
        flights = Flights()
        popped(flights, "a", 99_000)
        assert popped(flights, "b", 50_000, ready_t=98_000).pop_lo == 50_000 - POP_SLACK_US

    def test_busy_from_the_first_one_on(self) -> None:
        flights = Flights()
        assert not flights.busy
        popped(flights, "a", 1)
        assert flights.busy


class TestAttempting:
    """ "Attempting to schedule" belongs to the Pop before, or stands for one whose line is not printed."""

    def test_once_a_pop(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 1_000)
        assert flights.attempting("a", 1_010) is flight
        assert flights.attempting("a", 1_020) is None

    def test_of_a_pod_that_was_not_popped(self) -> None:
        assert Flights().attempting("a", 1_010) is None

    def test_after_the_failure_it_is_a_new_one(self) -> None:
        flights = Flights()
        popped(flights, "a", 1_000)
        flights.failed("a", 1_500, in_cycle=True)
        assert flights.attempting("a", 1_600) is None


class TestDone:
    def test_a_bound_pod_is_done_within_the_slack(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        assert flights.end("a", 20_000, 22_000) is flight
        assert (flight.done_lo, flight.done_hi) == (20_000, 22_000)
        assert flights.open == {}

    def test_no_flight_no_end(self) -> None:
        flights = Flights()
        assert flights.end("a", 20_000, 22_000) is None
        flights.settle("a", 20_000)
        assert not flights.failed("a", 20_000, in_cycle=True)

    def test_a_failure_in_the_scheduling_cycle_is_over_before_the_next_pop(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        assert flights.failed("a", 20_000, in_cycle=True)
        assert (flight.serial, flight.done_lo, flight.done_hi) == (True, 20_000, None)
        popped(flights, "b", 20_400)
        assert flight.done_hi == 20_400

    def test_a_failure_in_the_binding_cycle_is_not(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        assert not flights.failed("a", 20_000, in_cycle=False)
        popped(flights, "b", 20_400)
        assert (flight.serial, flight.done_hi) == (False, None)

    def test_nor_is_one_after_another_pod_was_popped(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        popped(flights, "b", 15_000)
        assert not flights.failed("a", 20_000, in_cycle=True)
        assert not flight.serial

    def test_a_line_after_the_hand_back_settles_it(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        flights.settle("a", 15_000)
        assert (flight.done_lo, flight.done_hi) == (None, None)  # Its end has not begun.
        flights.failed("a", 20_000, in_cycle=False)
        flights.settle("a", 20_100)
        assert (flight.done_lo, flight.done_hi) == (20_000, 20_100)

    def test_what_the_next_pop_said_is_not_made_later(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        flights.failed("a", 20_000, in_cycle=True)
        popped(flights, "b", 20_400)
        flights.settle("a", 25_000)
        assert flight.done_hi == 20_400

    def test_a_pod_that_is_popped_again_was_done_before(self) -> None:
        flights = Flights()
        lost = popped(flights, "a", 10_000)
        popped(flights, "a", 50_000)
        assert (lost.done_lo, lost.done_hi) == (10_000, 50_000)

    def test_also_where_only_its_failure_was_seen(self) -> None:
        flights = Flights()
        failed = popped(flights, "a", 10_000)
        flights.failed("a", 20_000, in_cycle=False)
        popped(flights, "a", 23_000)
        assert (failed.done_lo, failed.done_hi) == (20_000, 23_000)
        assert failed in list(flights.overlapping(21_000, 21_000))

    def test_a_clock_that_jumps_back_leaves_no_span_that_ends_before_it_begins(self) -> None:
        flights = Flights()
        lost = popped(flights, "a", 10_000)
        popped(flights, "a", 4_000)
        assert (lost.done_lo, lost.done_hi) == (10_000, 10_000)


class TestWhoMayBeInFlight:
    def test_those_whose_spans_meet(self) -> None:
        flights = Flights()
        popped(flights, "over", 10_000, ready_t=9_500)
        flights.end("over", 20_000, 22_000)
        popped(flights, "open", 30_000, ready_t=29_500)
        assert names(flights.overlapping(22_000, 29_499)) == ["over"]
        assert names(flights.overlapping(22_001, 29_499)) == []
        assert names(flights.overlapping(22_001, 29_500)) == ["open"]
        assert names(flights.overlapping(0, 9_499)) == []
        assert names(flights.overlapping(0, 1 << 40)) == ["open", "over"]

    def test_an_end_without_a_line_leaves_the_pod_possibly_in_flight(self) -> None:
        flights = Flights()
        flight = popped(flights, "a", 10_000)
        assert flight.possibly_open_within(1 << 40, 1 << 40)
        assert not flight.surely_over_by(1 << 40)

    def test_many_that_are_over_mean_that_the_older_ones_are_too(self) -> None:
        flights = Flights()
        for n in range(module.SURELY_OVER_RUN + 10):
            popped(flights, f"pod-{n}", 10_000 * n, ready_t=10_000 * n)
            flights.end(f"pod-{n}", 10_000 * n + 100, 10_000 * n + 200)
        last = module.SURELY_OVER_RUN + 9
        assert names(flights.overlapping(10_000 * last, 10_000 * last + 50)) == [f"pod-{last}"]
        assert names(flights.overlapping(1 << 40, 1 << 41)) == []

    def test_one_that_ended_late_ends_no_search(self) -> None:
        flights = Flights()
        for n, hi in enumerate([500, 90_000, 600]):
            popped(flights, f"pod-{n}", n, ready_t=n)
            flights.end(f"pod-{n}", 400, hi)
        assert names(flights.overlapping(1_000, 2_000)) == ["pod-1"]

    def test_only_so_many_are_kept_and_that_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_PAST", 2)
        flights = Flights()
        for n in range(4):
            popped(flights, f"pod-{n}", 10_000 * n)
            flights.end(f"pod-{n}", 10_000 * n + 100, 10_000 * n + 200)
        assert flights.cut_before == 10_200
        assert names(flights.overlapping(0, 1 << 40)) == ["pod-2", "pod-3"]

    def test_what_ended_before_a_moment_is_forgotten(self) -> None:
        flights = Flights()
        for n in range(3):
            popped(flights, f"pod-{n}", 10_000 * n)
            flights.end(f"pod-{n}", 10_000 * n + 100, 10_000 * n + 200)
        flights.forget_before(10_200)
        assert names(flights.overlapping(0, 1 << 40)) == ["pod-1", "pod-2"]


class TestBeside:
    def test_those_that_share_a_moment_with_it(self) -> None:
        flights = Flights()
        popped(flights, "over", 10_000)
        flights.end("over", 11_000, 12_000)
        popped(flights, "leaked", 15_000)
        flight = popped(flights, "a", 20_000)
        popped(flights, "later", 90_000)
        found, many = flights.beside(flight, 30_000)
        assert (names(found), many) == (["leaked"], False)
        assert flights.beside(None, 30_000) == ([], False)

    def test_only_so_many_where_a_clock_stands_still(self) -> None:
        flights = Flights()
        for n in range(module.MOST_BESIDE + 10):
            popped(flights, f"pod-{n}", 10_000, deep=False)
        found, many = flights.beside(popped(flights, "a", 10_000), 10_000)
        assert len(found) == module.MOST_BESIDE
        assert many


class TestWindows:
    """The window of an attempt reaches back to the Pop of the oldest that may still be in flight at its own."""

    def test_it_reaches_back(self) -> None:
        flights = Flights()
        first = popped(flights, "a", 10_000, ready_t=9_900)
        second = popped(flights, "b", 20_000, ready_t=19_900)
        assert first.window_start == 9_900
        assert second.window_start == 9_900
        assert flights.oldest_window() == 9_900

    def test_not_to_those_that_are_over(self) -> None:
        flights = Flights()
        popped(flights, "a", 10_000)
        flights.end("a", 11_000, 12_000)
        assert popped(flights, "b", 20_000, ready_t=19_900).window_start == 19_900

    def test_nor_where_others_do_not_matter(self) -> None:
        flights = Flights()
        popped(flights, "a", 10_000)
        assert popped(flights, "b", 20_000, ready_t=19_900, deep=False).window_start == 19_900

    def test_nor_to_one_whose_end_has_no_line_but_is_sure(self) -> None:
        flights = Flights()
        popped(flights, "a", 10_000)
        flights.failed("a", 11_000, in_cycle=True)  # It is over before the next Pop, and nothing settles it.
        second = popped(flights, "b", 20_000)
        assert "a" in flights.open
        assert popped(flights, "c", 50_000).window_start == second.pop_lo

    def test_those_that_are_over_are_not_kept_for_one_that_never_ends(self) -> None:
        flights = Flights()
        leaked = popped(flights, "leaked", 5)
        for n in range(4 * module.SURELY_OVER_RUN):
            popped(flights, f"pod-{n}", 10_000 * (n + 1))
            flights.end(f"pod-{n}", 10_000 * n + 11_000, 10_000 * n + 12_000)
        assert flights.oldest_window() == leaked.window_start
        assert len(flights._windows) <= 2 + module.SURELY_OVER_RUN

    def test_none_where_nobody_is_in_flight(self) -> None:
        assert Flights().oldest_window() is None

    @settings(deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.sampled_from("pffeao")), max_size=300))
    def test_the_oldest_is_that_of_those_still_open(self, steps: list[tuple[int, int, str]]) -> None:
        """Whatever the order of the times, and however many came and went beside one that never ends."""
        flights = Flights()
        popped(flights, "leaked", 5)
        for number, t, what in steps:
            pod = f"pod-{number}"
            if what == "e":
                flights.end(pod, t, t + 1)
            elif what == "f":
                flights.failed(pod, t, in_cycle=True)
            elif what == "o":
                assert flights.oldest_window() == min(flight.window_start for flight in flights.open.values())
            else:
                flight = popped(flights, pod, t + 2 * POP_SLACK_US * (what == "a"))
                others = [other for other in flights.overlapping(flight.pop_lo, flight.pop_lo) if other is not flight]
                assert flight.window_start == min([other.pop_lo for other in others] + [flight.pop_lo])
        flights.oldest_window()
        assert len(flights._windows) <= 2 * len(flights.open) + module.SURELY_OVER_RUN

    def test_nothing_is_kept_of_those_long_over(self) -> None:
        """Where no window reaches back to the Pop of others, nobody asks for the oldest of them."""
        flights = Flights()
        for number in range(500):
            flights.pop("a", number * 10_000, number, "popped", None, attempting=False, deep=False)
            flights.end("a", number * 10_000 + 1_000, number * 10_000 + 2_000)
        flights.forget_before(500 * 10_000)
        assert len(flights._pops) <= module.SURELY_OVER_RUN + 1
        assert len(flights._windows) <= module.SURELY_OVER_RUN + 1


class TestIdle:
    """Since when the scheduling goroutine waited in Pop."""

    def test_from_the_end_of_the_last_cycle(self) -> None:
        flights = Flights()
        assert flights.idle_since(5_000) is None
        popped(flights, "a", 10_000)
        assert flights.idle_since(20_000) is None
        flights.cycle_over("a", 12_000)
        flights.cycle_over("a", 15_000)
        assert flights.idle_since(20_000) == 12_000
        assert flights.idle_since(11_000) is None
        popped(flights, "b", 30_000)
        assert flights.idle_since(40_000) is None

    def test_a_failure_in_the_cycle_ends_it(self) -> None:
        flights = Flights()
        popped(flights, "a", 10_000)
        flights.failed("a", 13_000, in_cycle=True)
        assert flights.idle_since(20_000) == 13_000
