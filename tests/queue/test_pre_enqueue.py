"""PreEnqueue: where its plugins run, where a gated pod goes, which events reach it."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    ClusterEvent,
    Pod,
    PreEnqueue,
    Registration,
    Strategy,
    actions,
)
from klogreplay.queue.releases import HINTS
from tests.queue.build import (
    FIT,
    NODE_ADD,
    WILDCARD,
    Bench,
)


@pytest.mark.parametrize(("release", "gating"), [("1.33.0", "First"), ("1.34.1", "Second")])
def test_from_1_34_the_plugin_that_gates_a_pod_is_asked_first(release: str, gating: str) -> None:
    closed = {"Second"}
    plugins = tuple(PreEnqueue(name, lambda pod, name=name: name not in closed) for name in ("First", "Second"))
    registrations = {name: (Registration("Node", actions.ADD),) for name in ("First", "Second")}
    bench = Bench(release, pre_enqueue=plugins, registrations=registrations)
    bench.add("p")
    (parked,) = bench.queue.unschedulable.values()
    assert parked.gating_plugin == "Second"
    closed.add("First")
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert parked.gating_plugin == gating
    assert parked.unschedulable_plugins == {"Second", gating}
    closed.clear()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert (parked.gating_plugin, parked.gated, bench.places("p")) == ("", False, ("active",))


@pytest.mark.parametrize(("release", "gets_through"), [("1.26.1", False), ("1.27.0", True), ("1.27.1", False)])
def test_only_1_27_0_lets_a_pod_pass_that_became_gated_while_it_backed_off(release: str, gets_through: bool) -> None:
    bench = Bench(release)
    bench.park("p")
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    bench.closed.add("default/p")
    bench.sleep(2)
    (move,) = bench.queue.flush_backoff_completed()
    assert move.where == ("active" if gets_through else "unschedulable")
    assert bench.places("p") == (move.where,)


def test_before_1_26_there_is_no_gate() -> None:
    bench = Bench("1.25.2")
    bench.closed.add("default/p")
    bench.add("p")
    assert bench.places("p") == ("active",)


def test_with_pop_from_backoff_a_gated_pod_does_not_enter_backoff() -> None:
    bench = Bench("1.33.0")
    bench.park("p")
    bench.closed.add("default/p")
    (move,) = bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert (move.where, move.strategy) == ("unschedulable", Strategy.AFTER_BACKOFF)
    assert bench.places("p") == ("unschedulable",)


def test_with_pop_from_backoff_a_failed_pod_that_is_gated_now_is_parked() -> None:
    bench = Bench("1.33.0", gates={HINTS: False})
    bench.add("p")
    queued = bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    bench.closed.add("default/p")
    move = bench.fail(queued, FIT)
    assert (move.where, move.strategy) == ("unschedulable", Strategy.AFTER_BACKOFF)
    assert queued.gated


@pytest.mark.parametrize(
    ("release", "kept"), [("1.31.1", "new"), ("1.33.0", "old"), ("1.35.4", "old"), ("1.36.2", "new")]
)
def test_adding_a_gated_pod_that_is_parked_keeps_the_old_object_from_1_33_to_1_35(release: str, kept: str) -> None:
    bench = Bench(release)
    bench.closed.add("default/p")
    bench.add("p")
    old = bench.queue.unschedulable["default/p"]
    assert bench.queue.add(Pod("default/p", "uid-new")) == "unschedulable"
    assert (bench.queue.unschedulable["default/p"] is old) == (kept == "old")


@pytest.mark.parametrize(("release", "at"), [("1.27.1", "creation"), ("1.28.0", "active")])
def test_the_initial_attempt_timestamp(release: str, at: str) -> None:
    bench = Bench(release)
    bench.closed.add("default/p")
    bench.add("p")
    parked = bench.queue.unschedulable["default/p"]
    assert parked.initial_attempt_timestamp == (parked.timestamp if at == "creation" else None)
    bench.closed.clear()
    bench.queue.activate([bench.pod("p")])
    first = parked.initial_attempt_timestamp
    assert first is not None
    assert (first > parked.timestamp) == (at == "active")
    bench.fail(bench.pop(), FIT)
    bench.queue.activate([bench.pod("p")])
    assert bench.pop().initial_attempt_timestamp == first


@pytest.mark.parametrize(
    ("release", "event", "freed"),
    [
        ("1.28.10", NODE_ADD, True),
        ("1.28.11", NODE_ADD, False),
        ("1.28.14", NODE_ADD, True),
        ("1.31.0-alpha.2", NODE_ADD, False),
        ("1.34.1", NODE_ADD, True),
        ("1.34.1", WILDCARD, False),
        ("1.33.0", WILDCARD, True),
    ],
)
def test_which_events_reach_a_pod_gated_by_a_plugin(release: str, event: ClusterEvent, freed: bool) -> None:
    bench = Bench(release)
    bench.closed.add("default/p")
    bench.add("p")
    bench.closed.clear()
    bench.queue.move_all_to_active_or_backoff(event)
    assert bench.places("p") == (("active",) if freed else ("unschedulable",))


def test_scheduling_gates_are_passed_by_from_1_31() -> None:
    def bench(release: str) -> Bench:
        gates = PreEnqueue("SchedulingGates", lambda pod: not pod.scheduling_gates)
        registrations = {"SchedulingGates": (Registration("Node", actions.ADD),)}
        made = Bench(release, pre_enqueue=(gates,), registrations=registrations)
        made.add("p", scheduling_gates=("wait",))
        made.queue.unschedulable["default/p"].pod.scheduling_gates = ()
        return made

    for release, freed in (("1.30.1", True), ("1.31.1", False), ("1.34.1", True)):
        gated = bench(release)
        gated.queue.move_all_to_active_or_backoff(NODE_ADD)
        assert (gated.places("p") == ("active",)) is freed, release
