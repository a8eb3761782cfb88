"""Lines of several inputs on one axis."""

from __future__ import annotations

from klogreplay.replay.present import parking_of
from klogreplay.replay.sources import Apart, apart, apart_in_attempt, joined, split
from klogreplay.replay.types import WakeUp
from klogreplay.replay.visibility import Visibility
from tests.replay.test_present import EFFECTS, RIGHT
from tests.replay.windows import attempt, event, own


def test_input_and_line_make_one_number_that_grows_with_the_log() -> None:
    assert joined(0, 7) == 7
    assert split(joined(3, 7)) == (3, 7)
    assert joined(0, 10**9) < joined(1, 1) < joined(1, 2)


def test_inputs_of_which_nothing_is_known_are_logs_of_their_own() -> None:
    origins = Apart()
    assert (origins.chain_of(2), origins.label_of(2), origins.identified(2)) == (2, "", None)


def test_a_parking_gives_each_of_its_lines_back_to_its_input() -> None:
    concurrent = event("NodeAdd", 1_500)
    concurrent.line = joined(1, 30)
    derived = event("AssignedPodDelete", 1_500, how="derived", waker="default/other")
    derived.line = 0
    one = attempt(
        own("NodeResourcesFit"), events=(concurrent, derived), back_t=2_010, back_line=joined(1, 40),
        destination_text="moved", wake=WakeUp("NodeAdd", joined(2, 50), 9_000, "moved"),
    )  # fmt: skip
    one.line = joined(1, 39)
    assert one.flight is not None
    one.flight.line = joined(0, 20)
    found = apart(parking_of("1", one, RIGHT, EFFECTS, Visibility(["1.28.0"]), holds=False))
    assert (found.source, found.line) == (1, 40)
    assert [(c.source, c.line) for c in found.proof] == [(0, 20), (1, 30), (1, 39), (1, 40), (2, 50)]
    assert [(e.source, e.line) for e in found.concurrent_events] == [(1, 30), (0, None)]
    assert found.wake_up is not None
    assert (found.wake_up.source, found.wake_up.line) == (2, 50)


def test_so_does_an_attempt_that_leaves_as_it_is() -> None:
    one = attempt(
        own("NodeResourcesFit"), back_line=joined(1, 40), destination_line=joined(2, 41),
        held_lines=((joined(1, 3), "rejected"),), wake=WakeUp("NodeAdd", joined(2, 50), 9_000, "moved"),
    )  # fmt: skip
    one.line = joined(1, 39)
    assert one.flight is not None
    one.flight.line = joined(1, 20)
    apart_in_attempt(one)
    assert (one.line, one.back_line, one.destination_line, one.held_lines) == (39, 40, 41, ((3, "rejected"),))
    assert one.flight.line == 20
    assert one.wake is not None
    assert (one.wake.source, one.wake.line) == (2, 50)


def test_lines_of_the_first_input_stay_as_they_are() -> None:
    one = attempt(own("NodeResourcesFit"), pop=None, wake=WakeUp("NodeAdd", 50, 9_000, "moved"))
    apart_in_attempt(one)
    assert (one.line, one.back_line) == (9, None)
    assert one.wake == WakeUp("NodeAdd", 50, 9_000, "moved")
    found = apart(parking_of("1", one, RIGHT, EFFECTS, Visibility(["1.28.0"]), holds=False))
    assert (found.source, found.line, found.wake_up) == (0, 9, WakeUp("NodeAdd", 50, 9_000, "moved"))
    without = attempt(own("NodeResourcesFit"))
    apart_in_attempt(without)
    assert without.wake is None
