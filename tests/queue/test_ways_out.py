"""Activate, Delete, the flushes and PopSpecificPod."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    Pod,
    QueueError,
)
from klogreplay.queue.releases import HINTS, POP
from tests.queue.build import (
    FIT,
    NODE_ADD,
    SECOND,
    Bench,
)


@pytest.mark.parametrize(("release", "remembered"), [("1.31.1", False), ("1.32.2", True), ("1.36.2", True)])
def test_activating_a_pod_in_flight_is_remembered_for_it_alone_from_1_32(release: str, remembered: bool) -> None:
    bench = Bench(release, gates={HINTS: True})
    bench.add("p")
    bench.add("q")
    held = [bench.pop(), bench.pop()]
    bench.queue.activate([held[0].pod])
    assert bench.queue.move_request_cycle == (2 if remembered else -1)
    assert [bench.fail(queued, FIT).where for queued in held] == [
        "backoff" if remembered else "unschedulable",
        "unschedulable",
    ]


def test_activating_an_unknown_pod_is_a_move_request_from_1_32() -> None:
    for release, cycle in (("1.31.1", -1), ("1.33.0", 0)):
        bench = Bench(release, gates={HINTS: False})
        bench.queue.activate([bench.pod("nobody")])
        assert bench.queue.move_request_cycle == cycle
        assert bench.queue.in_flight.entries() == []


def test_activate_takes_a_pod_from_wherever_it_waits() -> None:
    for failed in ((FIT,), ()):
        bench = Bench("1.36.2", gates={POP: False})
        bench.add("p")
        bench.fail(bench.pop(), *failed)
        bench.queue.activate([bench.pod("p")])
        assert bench.places("p") == ("active",)
        assert bench.queue.move_request_cycle == -1


def test_activating_an_active_pod_does_nothing_to_it() -> None:
    bench = Bench("1.36.2")
    bench.add("p")
    before = bench.queue.active.get("default/p")
    bench.queue.activate([bench.pod("p")])
    assert bench.queue.active.get("default/p") is before
    assert bench.places("p") == ("active",)


def test_delete_finds_a_pod_in_every_queue() -> None:
    bench = Bench("1.36.2")
    bench.add("active")
    bench.queue.delete(bench.pod("active"))
    bench.park("parked")
    bench.park("waiting")
    bench.queue.move_all_to_active_or_backoff(NODE_ADD, pre_check=lambda pod: pod.key == "default/waiting")
    bench.add("errored")
    bench.queue.delete(bench.pod("waiting"))
    bench.fail(bench.pop())
    bench.queue.delete(bench.pod("errored"))
    bench.queue.delete(bench.pod("parked"))
    bench.queue.delete(bench.pod("nobody"))
    assert [bench.places(name) for name in ("active", "parked", "waiting", "errored")] == [()] * 4


def test_the_flush_takes_what_is_over_the_limit_only() -> None:
    bench = Bench("1.36.2")
    old = bench.park("old")
    bench.clock.now = old.timestamp + 300 * SECOND - 1
    young = bench.park("young")
    bench.clock.now = old.timestamp + 300 * SECOND - 1
    assert bench.queue.flush_unschedulable_leftover() == []
    assert bench.queue.move_request_cycle == -1
    (move,) = bench.queue.flush_unschedulable_leftover()
    assert (move.pod, move.where, move.because.label) == (old, "active", "UnschedulableTimeout")
    assert (old.was_flushed, young.was_flushed) == (True, False)
    assert bench.queue.move_request_cycle == bench.queue.scheduling_cycle
    assert bench.pop().was_flushed
    bench.fail(old, FIT)
    assert not old.was_flushed


def test_before_1_36_nothing_remembers_the_flush() -> None:
    bench = Bench("1.35.4")
    old = bench.park("old")
    bench.sleep(301)
    assert len(bench.queue.flush_unschedulable_leftover()) == 1
    assert not old.was_flushed


def test_a_gated_pod_over_the_limit_is_marked_though_it_stays() -> None:
    bench = Bench("1.36.2")
    bench.closed.add("default/p")
    bench.add("p")
    bench.sleep(301)
    assert bench.queue.flush_unschedulable_leftover() == []
    assert bench.queue.unschedulable["default/p"].was_flushed


def test_a_given_pod_can_be_popped_from_1_36() -> None:
    bench = Bench("1.36.2")
    for name in ("first", "wanted", "gated"):
        bench.add(name)
    queued = bench.queue.pop_specific(bench.pod("wanted"))
    assert (queued.pod.key, queued.attempts, bench.queue.scheduling_cycle) == ("default/wanted", 1, 1)
    assert "uid-wanted" in bench.queue.in_flight.markers()
    assert bench.queue.pop_specific(bench.pod("wanted")) is None
    assert bench.queue.pop_specific(bench.pod("nobody")) is None
    assert bench.queue.move_request_cycle == -1
    bench.fail(queued, FIT)
    assert bench.queue.pop_specific(bench.pod("wanted")) is queued
    bench.queue.add(bench.pod("wanted"))
    assert bench.queue.pop_specific(bench.pod("wanted")) is None
    assert bench.places("wanted") == ()
    gated = bench.queue.pop_specific(bench.pod("gated"))
    bench.fail(gated, FIT)
    bench.closed.add("default/gated")
    assert bench.queue.pop_specific(bench.pod("gated")) is None
    assert bench.places("gated") == ("unschedulable",)


def test_a_release_without_pop_specific_says_so() -> None:
    with pytest.raises(QueueError, match=r"1\.35\.4 has no PopSpecificPod"):
        Bench("1.35.4").queue.pop_specific(Pod("default/p"))
