"""What an operation tells its caller, and the queue's small types."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    ClusterEvent,
    Move,
    Occurrence,
    Pod,
    QueuedPod,
    Strategy,
    actions,
)
from klogreplay.queue.releases import HINTS
from tests.queue.build import (
    FIT,
    LABEL,
    NODE_ADD,
    NODE_LABEL,
    Bench,
)


def test_add_tells_where_the_pod_is_now() -> None:
    bench = Bench("1.36.2")
    assert bench.queue.add(bench.pod("p")) == "active"
    bench.closed.add("default/q")
    assert bench.queue.add(bench.pod("q")) == "unschedulable"


def test_the_move_of_an_update_names_pod_place_strategy_and_cause() -> None:
    bench = Bench("1.20.15")
    queued = bench.park("p")
    parked = bench.queue.update(queued.pod, Pod("default/p", "uid-p", labels={"a": "b"}))
    assert parked == Move(queued, "active", Strategy.IMMEDIATELY)
    bench = Bench("1.20.15")
    queued = bench.park("q")
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    waiting = bench.queue.update(queued.pod, Pod("default/q", "uid-q", status="x"))
    assert waiting == Move(queued, "active", Strategy.IMMEDIATELY)

    bench = Bench("1.30.1")
    queued = bench.park("p")
    assert bench.queue.update(queued.pod, Pod("default/p", "uid-p", node="n")) == Move(
        queued, "backoff", Strategy.AFTER_BACKOFF
    )
    unknown = bench.queue.update(None, bench.pod("q"))
    assert unknown == Move(bench.queue.active.get("default/q"), "active", Strategy.IMMEDIATELY)

    bench = Bench("1.36.2")
    queued = bench.park("p", LABEL)
    old = queued.pod
    unmoved = bench.queue.update(old, Pod(old.key, old.uid, status="x"))
    assert unmoved == Move(queued, "unschedulable", Strategy.SKIP)
    new = Pod(old.key, old.uid, labels={"a": "b"})
    moved = bench.queue.update(old, new)
    event = ClusterEvent("UnschedulablePod", actions.UPDATE_POD_LABEL, "UnschedulablePodUpdatePodLabel")
    assert moved == Move(queued, "backoff", Strategy.AFTER_BACKOFF, Occurrence(event, old, new))


def test_the_move_of_a_hand_back_names_pod_place_and_strategy() -> None:
    for release, hints, plugins, event, where, strategy in (
        ("1.22.6", False, (FIT,), False, "unschedulable", Strategy.SKIP),
        ("1.22.6", False, (FIT,), True, "backoff", Strategy.AFTER_BACKOFF),
        ("1.33.0", False, (), False, "errorBackoff", Strategy.AFTER_BACKOFF),
        ("1.36.2", True, (FIT,), False, "unschedulable", Strategy.SKIP),
        ("1.36.2", True, (), False, "errorBackoff", Strategy.AFTER_BACKOFF),
    ):
        bench = Bench(release, gates={HINTS: hints})
        bench.add("p")
        queued = bench.pop()
        if event:
            bench.queue.move_all_to_active_or_backoff(NODE_ADD)
        assert bench.fail(queued, *plugins) == Move(queued, where, strategy)
    bench = Bench("1.33.0", gates={HINTS: False})
    bench.add("p")
    queued = bench.pop()
    bench.closed.add("default/p")
    assert bench.fail(queued) == Move(queued, "unschedulable", Strategy.AFTER_BACKOFF)


def test_the_first_of_the_strongest_events_is_named_as_the_cause() -> None:
    bench = Bench("1.36.2")
    bench.add("p")
    queued = bench.pop()
    for name in ("n1", "n2"):
        bench.queue.move_all_to_active_or_backoff(NODE_ADD, None, name)
    bench.queue.move_all_to_active_or_backoff(NODE_LABEL, None, "n3")
    assert bench.fail(queued, FIT).because == Occurrence(NODE_ADD, None, "n1")


def test_the_uid_defaults_to_the_key_and_the_namespace_comes_from_it() -> None:
    assert Pod("ns/name").uid == "ns/name"
    assert Pod("ns/name", "u").uid == "u"
    assert Pod("ns/name").namespace == "ns"


def test_a_mask_is_made_of_upstream_s_names() -> None:
    assert actions.action_mask("Add", "UpdateNodeLabel") == actions.ADD | actions.UPDATE_NODE_LABEL
    assert actions.action_mask() == 0
    assert actions.action_mask("All") == actions.action_mask("Add", "Delete", "Update")
    singles = set(actions.ACTIONS) - {"All", "Update", "Add", "Delete"}
    assert actions.action_mask(*singles) | actions.UPDATE_POD_OTHER == actions.UPDATE
    with pytest.raises(KeyError, match="UpdateEverything"):
        actions.action_mask("UpdateEverything")


def test_places_of_a_pod_in_every_queue_are_told_in_order() -> None:
    bench = Bench("1.36.2")
    queued = QueuedPod(Pod("default/p"), 1)
    bench.queue.active.add(queued)
    bench.queue.backoff.add(queued)
    bench.queue.error_backoff.add(queued)
    bench.queue.unschedulable["default/p"] = queued
    assert bench.places("p") == ("active", "backoff", "errorBackoff", "unschedulable")
    assert bench.queue.waiting("default/p") is queued
    assert bench.queue.waiting("default/q") is None
