"""The places where a pod really is twice, each as its releases have it, and what follows from it."""

from __future__ import annotations

import pytest

from klogreplay.queue import AlreadyQueuedError, ClusterEvent, Hint, Strategy
from klogreplay.queue.actions import UPDATE_POD_LABEL, UPDATE_POD_SCALE_DOWN
from klogreplay.queue.releases import HINTS, POP
from klogreplay.queue.types import Pod
from tests.queue.build import FIT, LABEL, NODE_ADD, SHRINK, Bench

TWO_EVENTS = (
    ClusterEvent("UnschedulablePod", UPDATE_POD_LABEL, "UnschedulablePodUpdatePodLabel"),
    ClusterEvent("UnschedulablePod", UPDATE_POD_SCALE_DOWN, "UnschedulablePodUpdatePodScaleDown"),
)


def updated_twice(release: str, **gates: bool) -> Bench:
    """p was rejected by a plugin that registered for label changes; one update changes labels and requests."""
    bench = Bench(release, gates=gates)
    old = bench.park("p", LABEL, requests={"cpu": 2}).pod
    bench.queue.update(old, Pod(old.key, old.uid, labels={"a": "b"}, requests={"cpu": 1}))
    return bench


@pytest.mark.parametrize("release", ["1.31.1", "1.32.2", "1.33.0", "1.34.1", "1.36.2"])
def test_an_update_of_two_events_leaves_the_pod_in_backoff_and_unschedulable(release: str) -> None:
    bench = updated_twice(release, **{HINTS: True, POP: False})
    assert bench.places("p") == ("backoff", "unschedulable")


@pytest.mark.parametrize("release", ["1.33.0", "1.34.1", "1.36.2"])
def test_with_pop_from_backoff_the_first_event_that_helps_is_the_last(release: str) -> None:
    bench = updated_twice(release, **{HINTS: True, POP: True})
    assert bench.places("p") == ("backoff",)


@pytest.mark.parametrize(
    ("release", "left"),
    [("1.31.1", ()), ("1.32.2", ()), ("1.33.0", ("unschedulable",)), ("1.36.2", ("unschedulable",))],
)
def test_a_pod_deleted_from_two_places_comes_back_where_delete_stops_early(release: str, left: tuple[str, ...]) -> None:
    bench = updated_twice(release, **{HINTS: True, POP: False})
    bench.queue.delete(bench.pod("p"))
    assert bench.places("p") == left
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.places("p") == (("backoff",) if left else ())


def test_a_later_event_that_takes_the_pod_to_active_ends_the_double_place() -> None:
    bench = Bench("1.32.2", gates={HINTS: True})
    old = bench.add("p", requests={"cpu": 2})
    bench.fail(bench.pop(), LABEL, pending=(SHRINK,))
    move = bench.queue.update(old, Pod(old.key, old.uid, labels={"a": "b"}, requests={"cpu": 1}))
    assert move is not None
    assert (move.where, move.strategy, move.because.event) == ("active", Strategy.IMMEDIATELY, TWO_EVENTS[1])
    assert bench.places("p") == ("active",)


GATED_AGAIN = [
    ("1.26.1", ("backoff", "unschedulable"), ("active", "unschedulable")),
    ("1.30.1", ("backoff", "unschedulable"), ("active", "unschedulable")),
    ("1.31.1", ("backoff",), ("active",)),
    ("1.32.2", ("backoff",), ("active",)),
    ("1.33.0", ("backoff",), ("active",)),
    ("1.36.2", ("backoff",), ("active",)),
]


def backing_off(release: str, name: str = "p") -> Bench:
    bench = Bench(release, gates={HINTS: True, POP: False})
    bench.park(name)
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.places(name) == ("backoff",)
    return bench


@pytest.mark.parametrize(("release", "beside_backoff", "beside_active"), GATED_AGAIN)
def test_adding_a_pod_that_is_gated_now_leaves_its_queued_copy(
    release: str, beside_backoff: tuple[str, ...], beside_active: tuple[str, ...]
) -> None:
    bench = backing_off(release)
    bench.closed.add("default/p")
    where = bench.queue.add(bench.pod("p"))
    assert bench.places("p") == beside_backoff
    assert where == beside_backoff[-1]

    bench = Bench(release, gates={HINTS: True, POP: False})
    bench.add("p")
    bench.closed.add("default/p")
    bench.queue.add(bench.pod("p"))
    assert bench.places("p") == beside_active


@pytest.mark.parametrize(
    ("release", "places"),
    [
        ("1.26.1", ("backoff", "unschedulable")),
        ("1.30.1", ("backoff", "unschedulable")),
        ("1.31.1", ("backoff",)),
        ("1.32.2", ("backoff",)),
        ("1.33.0", ("unschedulable",)),
        ("1.36.2", ("unschedulable",)),
    ],
)
def test_activating_a_pod_that_is_gated_by_now(release: str, places: tuple[str, ...]) -> None:
    bench = backing_off(release)
    bench.closed.add("default/p")
    bench.queue.activate([bench.pod("p")])
    assert bench.places("p") == places


def test_the_copies_left_by_1_30_can_make_a_pod_active_while_it_backs_off() -> None:
    bench = backing_off("1.30.1")
    bench.closed.add("default/p")
    bench.queue.add(bench.pod("p"))
    bench.closed.clear()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.places("p") == ("active", "backoff")
    swept = Bench(bench.queue.profile.replace(active_entry="leaves-all-others"))
    swept.park("p")
    swept.queue.move_all_to_active_or_backoff(NODE_ADD)
    swept.closed.add("default/p")
    swept.queue.add(swept.pod("p"))
    swept.closed.clear()
    swept.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert swept.places("p") == ("active",)


@pytest.mark.parametrize(
    ("release", "hints", "again"),
    [
        ("1.22.6", False, True),
        ("1.28.0", True, True),
        ("1.30.1", True, True),
        ("1.31.1", True, False),
        ("1.31.1", False, True),
        ("1.33.0", False, True),
        ("1.36.2", True, False),
    ],
)
def test_an_update_in_flight_queues_the_pod_again_up_to_1_30_and_without_hints(
    release: str, hints: bool, again: bool
) -> None:
    bench = Bench(release, gates={HINTS: hints})
    old = bench.add("p")
    queued = bench.pop()
    move = bench.queue.update(old, Pod(old.key, old.uid, labels={"a": "b"}))
    assert bench.places("p") == (("active",) if again else ())
    assert (move is not None and move.where == "active") == again
    if again:
        with pytest.raises(AlreadyQueuedError) as refused:
            bench.fail(queued, FIT)
        assert str(refused.value) == "Pod default/p is already present in the active queue"
        assert (refused.value.key, refused.value.where) == ("default/p", "active")
    else:
        bench.fail(queued, LABEL)
        assert bench.places("p") == ("backoff",)
    assert bench.queue.in_flight.pods() == 0


@pytest.mark.parametrize(("release", "left_behind"), [("1.28.3", True), ("1.31.1", True), ("1.32.2", False)])
def test_a_second_pop_of_a_pod_in_flight_leaks_its_first_entry_up_to_1_31(release: str, left_behind: bool) -> None:
    bench = Bench(release, gates={HINTS: True})
    pod = bench.add("p")
    first = bench.pop()
    bench.queue.add(pod)
    second = bench.queue.pop()
    assert (second is None) is not left_behind
    bench.queue.done(first.pod.uid)
    assert bench.queue.in_flight.pods() == 0
    assert [entry.uid for entry in bench.queue.in_flight.entries()] == ([pod.uid] if left_behind else [])
    bench.add("q")
    bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    bench.queue.done("uid-q")
    assert bench.queue.in_flight.entries_kept() == (2 if left_behind else 0)
    assert bench.queue.in_flight.holds_events() is left_behind


def test_a_duplicate_is_dropped_for_good_and_the_next_pod_taken() -> None:
    bench = Bench("1.36.2")
    pod = bench.add("p", priority=5)
    bench.pop()
    bench.queue.add(pod)
    bench.add("q")
    cycle = bench.queue.scheduling_cycle
    duplicate = bench.queue.active.get(pod.key)
    assert bench.pop().pod.key == "default/q"
    assert bench.places("p") == ()
    assert duplicate is not None
    assert duplicate.attempts == 1
    assert bench.queue.scheduling_cycle == cycle + 1


@pytest.mark.parametrize(
    ("release", "dropped"), [("1.34.1", False), ("1.35.4", False), ("1.35.7", True), ("1.36.2", True)]
)
def test_the_failure_of_a_recreated_pod_s_old_self(release: str, dropped: bool) -> None:
    bench = Bench(release)
    old = bench.add("p")
    queued = bench.pop()
    bench.queue.delete(old)
    new = Pod(old.key, "uid-new")
    move = bench.queue.handle_failure(queued, new, unschedulable=(FIT,))
    assert (move is None) is dropped
    assert bench.places("p") == (() if dropped else ("backoff",))
    assert list(bench.queue.in_flight.markers()) == ([] if dropped else [old.uid])


@pytest.mark.parametrize("where", ["unschedulable", "active", "backoff"])
def test_a_hand_back_of_a_queued_pod_is_refused_and_ends_the_attempt(where: str) -> None:
    bench = Bench("1.36.2", hints={FIT: lambda *_: Hint.QUEUE})
    bench.add("p")
    queued = bench.pop()
    if where == "active":
        bench.queue.add(bench.pod("p"))
    else:
        parked = Bench("1.36.2").park("p")
        if where == "unschedulable":
            bench.queue.unschedulable["default/p"] = parked
        else:
            bench.queue.backoff.add(parked)
    stamp = queued.timestamp
    with pytest.raises(AlreadyQueuedError) as refused:
        bench.fail(queued, FIT)
    the = "" if where == "unschedulable" else "the "
    assert str(refused.value) == f"Pod default/p is already present in {the}{where} queue"
    assert queued.timestamp == stamp
    assert bench.queue.in_flight.pods() == 0
