"""The readings that a log allows of one attempt, as operations on the queue."""

from __future__ import annotations

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.effects import Effects
from klogreplay.replay.rejectors import NOTHING, PluginSet
from klogreplay.replay.worlds import Op, World, worlds
from tests.replay.windows import BACK, HINTS, POP, attempt, event, flight, own

FIT = own("NodeResourcesFit")
HELD = PluginSet(frozenset({"NodeResourcesFit"}))


def readings(one: Attempt, *, holds: bool = False) -> list[World]:
    return worlds(one, Effects("1.28.0", HINTS), holds=holds)


def told(one: Attempt, unseen: int = 0) -> list[str]:
    """The operations of each world that supposes so much, each world on a line."""
    return sorted({" ".join(map(short, world.ops)) for world in readings(one) if world.unseen == unseen})


def short(op: Op) -> str:
    what, arg = op
    return {"target-pop": "POP", "target-back": "BACK", "event": f"({arg})"}.get(what, f"{what}-{arg}")


def test_where_all_is_exact_there_is_one_reading() -> None:
    one = attempt(FIT, (flight("b", 500, (1_700, 1_700)),), (event("NodeAdd", 1_500),), exhaustive=True)
    assert told(one) == ["pop-0 POP (queue,skip) done-0 BACK"]
    assert len(readings(one)) == 1


def test_where_not_every_event_shows_one_more_may_have_come() -> None:
    assert told(attempt(FIT), unseen=1) == ["POP (queue,queue) BACK"]
    # To an entry with an empty set every event is worth a retry, to one that holds plugins only theirs are.
    assert told(attempt(None), unseen=1) == ["POP (queue,queue) BACK", "POP (skip,skip) BACK"]


def test_an_unseen_event_before_the_pop_may_be_the_marker_if_anybody_was_in_flight() -> None:
    one = attempt(FIT, (flight("b", 500, (1_700, 1_700)),), (event("NodeLabelChange", 700),))
    assert told(one) == ["pop-0 (skip,skip) POP done-0 BACK"]
    assert "pop-0 (skip,skip) (skip,skip) POP done-0 BACK" in told(one, unseen=1)
    assert "pop-0 (skip,skip) (skip,skip) POP done-0 (queue,queue) BACK" in told(one, unseen=2)
    assert told(attempt(FIT), unseen=2) == []


def test_an_invisible_marker_falls_behind_what_came_before_or_right_at_the_first_pop() -> None:
    one = attempt(FIT, (flight("b", 500, (1_700, 1_700)),))
    assert "pop-0 (skip,skip) POP done-0 BACK" in told(one, unseen=1)


def test_an_event_at_the_edge_of_the_pop() -> None:
    one = attempt(FIT, events=(event("NodeAdd", POP[0] - 5, POP[1] + 5),), exhaustive=True)
    assert told(one) == ["(skip,skip) POP BACK", "POP (queue,skip) BACK"]


def test_an_event_at_the_edge_of_the_hand_back() -> None:
    one = attempt(FIT, events=(event("NodeAdd", BACK[0] - 5, BACK[1] + 5),), exhaustive=True)
    assert told(one) == ["POP (queue,skip) BACK", "POP BACK"]


def test_an_event_longer_than_the_attempt_may_have_come_before_within_or_after() -> None:
    one = attempt(FIT, events=(event("NodeAdd", POP[0] - 5, BACK[1] + 5),), exhaustive=True)
    assert told(one) == ["(skip,skip) POP BACK", "POP (queue,skip) BACK", "POP BACK"]


def test_of_two_at_the_edges_both_may_have_come_outside() -> None:
    events = (event("NodeAdd", POP[0] - 5, POP[1] + 5), event("NodeAdd", BACK[0] - 5, BACK[1] + 5))
    assert "(skip,skip) POP BACK" in told(attempt(FIT, events=events, exhaustive=True))


def test_the_end_of_another_may_fall_before_within_or_after() -> None:
    one = attempt(FIT, (flight("b", 500, (POP[0] - 50, BACK[1] + 50)),), exhaustive=True)
    assert told(one) == ["pop-0 POP BACK", "pop-0 POP done-0 BACK", "pop-0 done-0 POP BACK"]


def test_an_end_without_a_line_may_have_come_at_any_time_or_not_at_all() -> None:
    one = attempt(FIT, (flight("b", 500),), exhaustive=True)
    assert told(one) == ["pop-0 POP BACK", "pop-0 POP done-0 BACK", "pop-0 done-0 POP BACK"]


def test_nobody_is_done_before_it_is_popped() -> None:
    one = attempt(FIT, (flight("later", 1_500),), exhaustive=True)
    assert told(one) == ["POP pop-0 BACK", "POP pop-0 done-0 BACK"]


def test_the_pop_falls_before_or_after_what_lies_in_its_span() -> None:
    one = attempt(FIT, events=(event("NodeAdd", POP[0] + 5),), exhaustive=True)
    assert told(one) == ["(skip,skip) POP BACK", "POP (queue,skip) BACK"]


def test_the_hand_back_falls_before_or_after_what_lies_in_its_span() -> None:
    one = attempt(FIT, events=(event("NodeAdd", BACK[0] + 5),), exhaustive=True)
    assert told(one) == ["POP (queue,skip) BACK", "POP BACK"]


def test_an_answer_that_nobody_knows_may_be_either() -> None:
    one = attempt(own("DynamicResources"), events=(event("ResourceClaimUpdate", 1_500),), exhaustive=True)
    assert told(one) == ["POP (queue,skip) BACK", "POP (skip,skip) BACK"]


def test_the_held_set_matters_only_where_the_release_keeps_it() -> None:
    assert {w.held for w in readings(attempt(None, held=HELD))} == {False}
    assert {w.held for w in readings(attempt(None, held=HELD), holds=True)} == {True}
    assert {w.held for w in readings(attempt(None, held=NOTHING), holds=True)} == {False}
    assert {w.held for w in readings(attempt(None, held=None), holds=True)} == {True, False}


def test_no_reading_is_given_twice_and_those_that_suppose_least_come_first() -> None:
    one = attempt(FIT, (flight("b", 500),), (event("NodeAdd", 700), event("NodeAdd", POP[0] - 5, BACK[1] + 5)))
    found = readings(one)
    assert len({(w.ops, w.held) for w in found}) == len(found)
    assert [w.unseen for w in found] == sorted(w.unseen for w in found)
    assert all(w.ops[-1] == ("target-back", "") for w in found)
