"""What of a window can matter to where the pod was handed back."""

from __future__ import annotations

import pytest

from klogreplay.replay import scene as module
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.effects import Effects
from klogreplay.replay.rejectors import NOTHING, PluginSet
from klogreplay.replay.scene import Scene, SceneEvent, SceneFlight, held_set, scene_of
from tests.replay.windows import BACK, HINTS, POP, attempt, event, flight, own

FIT = own("NodeResourcesFit")


def scene(one: Attempt) -> Scene:
    return scene_of(one, Effects("1.28.0", HINTS))


def test_spans_and_what_events_mean() -> None:
    found = scene(attempt(FIT, events=(event("NodeAdd", 1_500), event("AssignedPodAdd", 1_600, 1_700))))
    assert (found.pop, found.back, found.exhaustive) == (POP, BACK, False)
    assert found.events == [
        SceneEvent((1_500, 1_500), "queue", "skip"),
        SceneEvent((1_600, 1_700), "skip", "skip"),
    ]


def test_what_the_entry_may_have_held_is_asked_as_well() -> None:
    held = PluginSet(frozenset({"NodeResourcesFit"}))
    (found,) = scene(attempt(None, events=(event("NodeAdd", 1_500),), held=held)).events
    assert (found.own, found.held) == ("skip", "queue")
    (found,) = scene(attempt(None, events=(event("NodeAdd", 1_500),), held=None)).events
    assert found.held == "unknown"


def test_without_a_line_of_its_pop_it_begins_at_the_failure_line() -> None:
    found = scene(attempt(FIT, events=(event("NodeAdd", 1_500),), pop=None))
    assert (found.pop, found.events) == ((BACK[0], BACK[0]), [])


def test_others_who_were_over_before_the_pop_or_came_after_the_hand_back_do_not_matter() -> None:
    others = (
        flight("over", 500, (600, POP[0] - 1)),
        flight("over just then", 510, (600, POP[0])),
        flight("failed in its cycle", 520, (600, POP[1])),
        flight("came later", 1_500, (1_600, 1_700)),
        flight("came too late", BACK[1] + 1),
        flight("no end", 400),
    )
    others[2].serial = True
    found = scene(attempt(FIT, others))
    assert found.flights == [
        SceneFlight(400, None),
        SceneFlight(510, (600, POP[0])),
        SceneFlight(1_500, (1_600, 1_700)),
    ]
    assert found.open_at_pop()


def test_one_whose_end_is_known_from_below_only() -> None:
    other = flight("failing", 500, (1_500, 1_600))
    other.done_hi = None
    assert scene(attempt(FIT, (other,))).flights == [SceneFlight(500, (1_500, 1_500))]


@pytest.mark.parametrize(
    ("other", "may_be"),
    [
        (flight("bound before", 500, (POP[0] - 9, POP[0])), True),
        (flight("popped later", 1_500, (1_600, 1_700)), False),
        (flight("no end", 500), True),
    ],
    ids=lambda value: value.pod if hasattr(value, "pod") else None,
)
def test_who_may_have_been_in_flight_at_the_pop(other: object, may_be: bool) -> None:
    assert scene(attempt(FIT, (other,))).open_at_pop() is may_be  # type: ignore[arg-type]


def test_of_the_events_before_the_pop_only_the_last_two_are_kept_and_what_they_mean_is_not() -> None:
    others = (flight("binding", 100),)
    before = tuple(event("NodeAdd", t) for t in (50, 200, 300, 400))
    found = scene(attempt(FIT, others, (*before, event("NodeAdd", 1_500))))
    assert found.events == [
        SceneEvent((300, 300), "skip", "skip"),
        SceneEvent((400, 400), "skip", "skip"),
        SceneEvent((1_500, 1_500), "queue", "skip"),
    ]


def test_events_that_nobody_in_flight_could_have_kept_are_left_out() -> None:
    early, late = event("NodeAdd", 200, 490), event("NodeAdd", BACK[1] + 1)
    assert scene(attempt(FIT, (flight("binding", 495),), (early, late))).events == []
    assert scene(attempt(FIT, events=(event("NodeAdd", 400),))).events == []


def test_a_handlers_line_without_an_event_does_not_count() -> None:
    assert scene(attempt(FIT, events=(event("NodeDelete", 1_500, how="handler"),))).events == []


def test_what_its_own_failure_raised_came_before_its_hand_back() -> None:
    raised = event("AssignedPodDelete", 1_900, BACK[1] + 500, how="derived", waker="default/web")
    (found,) = scene(attempt(None, events=(raised,))).events
    assert found.span == (1_900, BACK[0])
    raised.waker = "default/other"
    (found,) = scene(attempt(None, events=(raised,))).events
    assert found.span == (1_900, BACK[1] + 500)


def test_a_scene_has_an_upper_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EVENTS", 3)
    monkeypatch.setattr(module, "MAX_OTHERS", 2)
    others = tuple(flight(f"pod-{n}", 100 + n) for n in range(4))
    events = tuple(event("NodeAdd", 1_500 + n) for n in range(5))
    found = scene(attempt(FIT, others, events))
    assert [f.pop for f in found.flights] == [102, 103]
    assert [e.span[0] for e in found.events] == [1_502, 1_503, 1_504]


def test_an_open_window_is_refused() -> None:
    one = attempt(FIT)
    one.window = None
    with pytest.raises(ValueError, match="window is not closed"):
        scene(one)


def test_what_an_entry_held() -> None:
    known = PluginSet(frozenset({"P"}))
    assert held_set(attempt(None, held=known), False) == NOTHING
    assert held_set(attempt(None, held=known), True) == known
    assert held_set(attempt(None, held=None), True) == PluginSet(complete=False)
