"""One world put to one queue."""

from __future__ import annotations

import pytest

from klogreplay.queue import REFERENCE, profile_for
from klogreplay.replay import simulate
from klogreplay.replay.simulate import outcome
from klogreplay.replay.worlds import Op, World

HINTS = {"SchedulerQueueingHints": True}
BUGGY, FIXED = profile_for("1.28.0", HINTS), profile_for("1.28.3", HINTS)

POP: Op = ("target-pop", "")
BACK: Op = ("target-back", "")
RELEVANT: Op = ("event", "queue,skip")
OTHER: Op = ("event", "skip,skip")
FOR_HELD: Op = ("event", "skip,queue")


def world(*ops: Op, held: bool = False) -> World:
    return World((*ops, BACK), held, 0)


LOST = world(("pop", "0"), OTHER, POP, ("done", "0"), RELEVANT)
"""The marker leaves the list with the other pod, and with it all that comes."""


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (world(POP), "Unschedulable"),
        (world(RELEVANT, POP), "Unschedulable"),
        (world(POP, OTHER), "Unschedulable"),
        (world(POP, RELEVANT), "Backoff"),
        (LOST, "Unschedulable"),
        (world(("pop", "0"), POP, ("done", "0"), RELEVANT), "Backoff"),
        (world(("pop", "0"), OTHER, POP, RELEVANT, ("done", "0")), "Unschedulable"),
        (world(("pop", "0"), OTHER, POP, RELEVANT), "Backoff"),
    ],
)
def test_a_rejected_pod_on_1280(what: World, expected: str) -> None:
    assert outcome(BUGGY, what, is_error=False) == expected


@pytest.mark.parametrize("profile", [FIXED, REFERENCE], ids=["1.28.3", "newest"])
def test_the_fixed_queues_lose_nothing(profile: object) -> None:
    assert outcome(profile, LOST, is_error=False) == "Backoff"  # type: ignore[arg-type]
    assert outcome(profile, world(POP), is_error=False) == "Unschedulable"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (world(POP), "Unschedulable"),
        (world(POP, OTHER), "Backoff"),
        (world(POP, OTHER, held=True), "Unschedulable"),
        (world(POP, FOR_HELD, held=True), "Backoff"),
    ],
)
def test_an_error_on_1280(what: World, expected: str) -> None:
    assert outcome(BUGGY, what, is_error=True) == expected
    assert outcome(REFERENCE, what, is_error=True) == "Backoff"


def test_what_a_release_forgets_at_pop_does_not_matter() -> None:
    assert outcome(FIXED, world(POP, OTHER, held=True), is_error=True) == "Backoff"


def test_a_known_world_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "_KNOWN", {})
    assert outcome(BUGGY, LOST, is_error=False) == "Unschedulable"
    monkeypatch.setattr(simulate, "_run", None)
    assert outcome(BUGGY, LOST, is_error=False) == "Unschedulable"


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "_KNOWN", {})
    monkeypatch.setattr(simulate, "_KEPT", 2)
    for what in (LOST, world(POP), world(POP, OTHER)):
        outcome(BUGGY, what, is_error=False)
    assert len(simulate._KNOWN) == 1


def test_the_hand_back_comes_last_whether_it_is_told_or_not() -> None:
    assert outcome(BUGGY, World((POP, RELEVANT), False, 0), is_error=False) == "Backoff"
    assert outcome(BUGGY, World((POP, BACK, RELEVANT), False, 0), is_error=False) == "Unschedulable"


def test_a_world_without_the_attempts_own_pop_is_refused() -> None:
    with pytest.raises(ValueError, match="without the attempt's own Pop"):
        outcome(BUGGY, world(RELEVANT), is_error=False)
