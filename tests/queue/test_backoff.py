"""Backoff: how long, counted how, over when, and in which order pods leave it."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    Pod,
    QueuedPod,
    Strategy,
)
from klogreplay.queue.releases import HINTS, POP
from tests.queue.build import (
    FIT,
    GATE,
    LABEL,
    NODE_ADD,
    SECOND,
    Bench,
)


@pytest.mark.parametrize(
    ("release", "expiry"), [("1.31.1", SECOND + 1), ("1.32.2", 1), ("1.33.0", None), ("1.36.2", None)]
)
def test_the_backoff_of_a_pod_that_was_never_tried(release: str, expiry: int | None) -> None:
    bench = Bench(release, gates={POP: False})
    assert bench.queue.backoff_expiry(QueuedPod(Pod("default/p"), 1)) == expiry
    assert bench.queue.is_backing_off(QueuedPod(Pod("default/p"), 1)) == (release == "1.31.1")


@pytest.mark.parametrize("attempts", [1, 2, 3, 4, 5, 6, 63, 64, 10**9])
def test_backoff_doubles_up_to_its_maximum(attempts: int) -> None:
    bench = Bench("1.22.6")
    seconds = {1: 1, 2: 2, 3: 4, 4: 8}.get(attempts, 10)
    queued = QueuedPod(Pod("default/p"), 5, attempts)
    assert bench.queue.backoff_expiry(queued) == 5 + seconds * SECOND


def test_from_1_34_errors_and_rejections_are_counted_apart() -> None:
    bench = Bench("1.34.1", gates={POP: False})
    bench.add("p")
    lengths, counts = [], []
    for plugins in ((FIT,), (FIT,), (FIT,), (), (), (FIT,)):
        queued = bench.pop()
        bench.fail(queued, *plugins)
        expiry = bench.queue.backoff_expiry(queued)
        lengths.append((expiry - queued.timestamp) // SECOND)
        counts.append((queued.unschedulable_count, queued.consecutive_errors_count))
        bench.queue.activate([bench.pod("p")])
    assert lengths == [1, 2, 4, 1, 2, 8]
    assert counts == [(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (4, 0)]


@pytest.mark.parametrize(("release", "where"), [("1.33.0", "backoff"), ("1.34.1", "active")])
def test_a_maximum_backoff_of_zero_switches_it_off_from_1_34(release: str, where: str) -> None:
    bench = Bench(release, max_backoff_ns=0)
    bench.clock.now = 5 * SECOND
    bench.park("p")
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.places("p") == (where,)


@pytest.mark.parametrize(("release", "backs_off"), [("1.31.1", False), ("1.32.2", True)])
def test_a_gated_pod_backs_off_from_1_32_again(release: str, backs_off: bool) -> None:
    bench = Bench(release)
    queued = bench.park("p")
    queued.gating_plugin = GATE
    assert bench.queue.is_backing_off(queued) is backs_off
    queued.gating_plugin = ""
    assert bench.queue.is_backing_off(queued)


@pytest.mark.parametrize(("release", "still"), [("1.32.2", False), ("1.33.0", True)])
def test_the_moment_of_expiry(release: str, still: bool) -> None:
    bench = Bench(release, gates={POP: False})
    queued = bench.park("p")
    expiry = bench.queue.backoff_expiry(queued)
    bench.clock.now = expiry - 1
    assert bench.queue.is_backing_off(queued) is still
    bench.clock.now = expiry
    assert not bench.queue.is_backing_off(queued)


def test_with_pop_from_backoff_time_is_told_in_whole_seconds() -> None:
    bench = Bench("1.33.0")
    bench.clock.now = 5 * SECOND + 999
    queued = bench.park("p")
    assert bench.queue.backoff_expiry(queued) == 6 * SECOND
    bench.clock.now = 7 * SECOND - 2
    assert bench.queue.is_backing_off(queued)
    bench.clock.now = 7 * SECOND - 1
    assert not bench.queue.is_backing_off(queued)


def test_pods_of_one_second_are_popped_from_backoff_by_priority_then_age() -> None:
    bench = Bench("1.33.0")
    for name, priority in (("old", 1), ("young", 1), ("vip", 9)):
        bench.add(name, priority=priority)
    held = {queued.pod.key: queued for queued in (bench.pop(), bench.pop(), bench.pop())}
    for name in ("old", "young", "vip"):
        bench.fail(held[f"default/{name}"], FIT)
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert [bench.pop().pod.key for _ in held] == ["default/vip", "default/old", "default/young"]
    assert bench.queue.pop() is None


def test_pop_never_takes_from_the_error_queue_early() -> None:
    bench = Bench("1.33.0")
    bench.add("p")
    move = bench.fail(bench.pop())
    assert (move.where, bench.places("p")) == ("errorBackoff", ("errorBackoff",))
    assert bench.queue.pop() is None
    bench.sleep(2)
    (flushed,) = bench.queue.flush_backoff_completed()
    assert (flushed.where, flushed.strategy, flushed.pod.pod.key) == ("active", Strategy.AFTER_BACKOFF, "default/p")
    assert bench.queue.flush_backoff_completed() == []


def test_a_pod_changes_the_backoff_queue_with_what_rejected_it() -> None:
    bench = Bench("1.33.0", gates={POP: False})
    bench.add("p")
    queued = bench.pop()
    bench.fail(queued)
    queued.unschedulable_plugins = frozenset({FIT})
    bench.queue.rules.error_backoff(bench.queue, queued)
    assert bench.places("p") == ("backoff",)
    queued.unschedulable_plugins, queued.pending_plugins = frozenset(), frozenset({LABEL})
    bench.queue.rules.error_backoff(bench.queue, queued)
    assert bench.places("p") == ("backoff",)
    queued.pending_plugins = frozenset()
    bench.queue.rules.error_backoff(bench.queue, queued)
    assert bench.places("p") == ("errorBackoff",)


@pytest.mark.parametrize("release", ["1.32.2", "1.33.0", "1.36.2"])
def test_pods_leave_backoff_by_the_end_of_their_backoff_whatever_their_priority(release: str) -> None:
    for pop in (False, True):
        for failed in ((FIT,), ()):
            bench = Bench(release, gates={HINTS: True, POP: pop})
            for name, priority, seconds in (("late", 9, 3), ("early", 1, 0), ("middle", 5, 1.5)):
                bench.add(name, priority=priority)
                queued = bench.pop()
                bench.clock.now = int((100 + seconds) * SECOND)
                bench.fail(queued, *failed)
                if failed:
                    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
            waiting = [queued.pod.key for queue in (bench.queue.backoff, bench.queue.error_backoff) for queued in queue]
            assert waiting == ["default/early", "default/middle", "default/late"]
            bench.clock.now = 103 * SECOND
            assert [move.pod.pod.key for move in bench.queue.flush_backoff_completed()] == waiting[:2]


def test_a_maximum_backoff_of_a_nanosecond_is_one() -> None:
    bench = Bench("1.36.2", gates={POP: False}, max_backoff_ns=1)
    queued = bench.park("p")
    assert bench.queue.backoff_expiry(queued) == queued.timestamp + 1
