"""The way back of a failed pod, and what Pop and the failure handler leave on it."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    Move,
    QueuedPod,
    Strategy,
)
from klogreplay.queue.releases import HINTS
from tests.queue.build import (
    FIT,
    GATE,
    LABEL,
    NODE_ADD,
    NODE_LABEL,
    Bench,
)


@pytest.mark.parametrize(
    ("release", "hints", "after_done", "where"),
    [
        ("1.28.0", True, False, "unschedulable"),
        ("1.28.3", True, False, "unschedulable"),
        ("1.29.1", True, False, "backoff"),
        ("1.28.0", False, False, "unschedulable"),
        ("1.29.1", False, False, "backoff"),
        ("1.27.1", False, False, "unschedulable"),
        ("1.30.1", True, True, "unschedulable"),
        ("1.31.1", True, True, "backoff"),
        ("1.33.0", True, False, "errorBackoff"),
    ],
)
def test_an_error_without_concurrent_event(release: str, hints: bool, after_done: bool, where: str) -> None:
    bench = Bench(release, gates={HINTS: hints})
    bench.add("p")
    queued = bench.pop()
    if after_done:
        bench.queue.done(queued.pod.uid)
    move = bench.fail(queued)
    assert (move.where, move.strategy) == (
        where,
        Strategy.SKIP if where == "unschedulable" else Strategy.AFTER_BACKOFF,
    )


def test_in_1_28_0_an_error_goes_to_backoff_by_any_event_held_even_an_older_one() -> None:
    for release, where in (("1.28.0", "backoff"), ("1.28.3", "unschedulable")):
        bench = Bench(release)
        bench.add("other")
        bench.pop()
        bench.queue.move_all_to_active_or_backoff(NODE_ADD)
        bench.add("p")
        assert bench.fail(bench.pop()).where == where


@pytest.mark.parametrize("release", ["1.28.0", "1.28.3", "1.30.1"])
def test_a_return_after_done_depends_on_what_is_held_for_others(release: str) -> None:
    for plugins, held, where in (
        ((FIT,), False, "backoff"),
        ((), False, "unschedulable"),
        ((), True, "backoff"),
    ):
        bench = Bench(release, gates={HINTS: True})
        bench.add("p")
        queued = bench.pop()
        bench.queue.done(queued.pod.uid)
        bench.add("other")
        bench.pop()
        if held:
            bench.queue.move_all_to_active_or_backoff(NODE_ADD)
        assert bench.fail(queued, *plugins).where == where


def test_pending_plugins_do_not_count_for_a_return_after_done_up_to_1_30() -> None:
    for release, where in (("1.30.1", "unschedulable"), ("1.31.1", "backoff")):
        bench = Bench(release, gates={HINTS: True})
        bench.add("p")
        queued = bench.pop()
        bench.queue.done(queued.pod.uid)
        assert bench.fail(queued, pending=(FIT,)).where == where


def test_stale_plugins_park_an_error_attempt_and_the_fix_does_not() -> None:
    def error_after_rejection(release: str) -> tuple[QueuedPod, Move]:
        bench = Bench(release)
        bench.park("p", FIT)
        bench.queue.activate([bench.pod("p")])
        queued = bench.pop()
        bench.queue.move_all_to_active_or_backoff(NODE_LABEL)
        return queued, bench.fail(queued)

    queued, move = error_after_rejection("1.28.0")
    assert (queued.unschedulable_plugins, move.where) == ({FIT}, "unschedulable")
    for release in ("1.28.3", "1.36.2"):
        queued, move = error_after_rejection(release)
        assert queued.unschedulable_plugins == frozenset()
        assert move.where in ("backoff", "errorBackoff")


def test_in_1_36_the_sets_stay_until_the_failure_handler_clears_them() -> None:
    bench = Bench("1.36.2")
    bench.park("p", FIT)
    bench.queue.activate([bench.pod("p")])
    queued = bench.pop()
    assert queued.unschedulable_plugins == {FIT}
    queued.gating_plugin = GATE
    bench.queue.record_rejectors(queued, error=True)
    assert (queued.rejector_plugins, queued.gating_plugin) == (frozenset(), "")


def test_what_pop_clears() -> None:
    for release, left in (
        ("1.28.0", ({FIT}, {LABEL}, GATE)),
        ("1.28.3", (set(), {LABEL}, GATE)),
        ("1.29.1", (set(), set(), GATE)),
        ("1.34.1", (set(), set(), "")),
        ("1.36.2", ({FIT}, {LABEL}, GATE)),
    ):
        bench = Bench(release)
        bench.add("p")
        queued = bench.queue.active.get("default/p")
        queued.unschedulable_plugins, queued.pending_plugins = frozenset({FIT}), frozenset({LABEL})
        queued.gating_plugin = GATE
        bench.pop()
        assert (queued.unschedulable_plugins, queued.pending_plugins, queued.gating_plugin) == left, release


def test_a_pending_plugin_counts_as_any_other_before_1_29() -> None:
    for release, sets in (("1.28.3", ({FIT, LABEL}, set())), ("1.29.1", ({FIT}, {LABEL}))):
        bench = Bench(release)
        bench.add("p")
        queued = bench.pop()
        bench.fail(queued, FIT, pending=(LABEL,))
        assert (queued.unschedulable_plugins, queued.pending_plugins) == sets
        assert queued.rejector_plugins == {FIT, LABEL}


def test_the_cycle_handed_back_decides_without_hints() -> None:
    bench = Bench("1.22.6")
    bench.add("p")
    bench.add("q")
    first, second = bench.pop(), bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.queue.move_request_cycle == 2
    assert bench.fail(first, FIT, cycle=2).where == "backoff"
    assert bench.fail(second, FIT, cycle=3).where == "unschedulable"


def test_the_failure_of_a_pod_that_is_gone_ends_the_attempt() -> None:
    bench = Bench("1.36.2")
    bench.add("p")
    queued = bench.pop()
    assert bench.queue.handle_failure(queued, None, unschedulable=(FIT,)) is None
    assert bench.places("p") == ()
    assert bench.queue.in_flight.pods() == 0


def test_the_attempt_hands_back_the_informer_s_pod() -> None:
    bench = Bench("1.36.2")
    bench.add("p")
    queued = bench.pop()
    newer = bench.pod("p", labels={"a": "b"})
    bench.queue.handle_failure(queued, newer, unschedulable=(FIT,))
    assert bench.queue.unschedulable["default/p"].pod is newer
