"""Updates of a pending pod, and the events they stand for."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    AffinityTerm,
    ClusterEvent,
    Pod,
    Strategy,
    actions,
    profile_for,
)
from klogreplay.queue.releases import DRA, HINTS
from tests.queue.build import (
    FIT,
    NODE_ADD,
    SHRINK,
    Bench,
)


def test_an_update_is_in_place_in_active_and_backoff() -> None:
    bench = Bench("1.36.2")
    low, high = bench.add("p", priority=1), bench.add("q", priority=2)
    assert bench.queue.update(low, Pod(low.key, low.uid, 3)) is None
    assert [queued.pod.key for queued in bench.queue.active] == ["default/p", "default/q"]
    for _ in range(2):
        bench.fail(bench.pop(), FIT)
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert bench.queue.update(high, Pod(high.key, high.uid, 9)) is None
    assert [queued.pod.priority for queued in bench.queue.backoff] == [9, 3]
    bench = Bench("1.36.2")
    old = bench.add("p")
    bench.fail(bench.pop())
    new = Pod(old.key, old.uid, status="x")
    assert bench.queue.update(old, new) is None
    assert bench.queue.error_backoff.get("default/p").pod is new


@pytest.mark.parametrize(("release", "where"), [("1.20.15", "active"), ("1.21.4", "backoff")])
def test_up_to_1_20_any_update_takes_a_pod_out_of_backoff(release: str, where: str) -> None:
    bench = Bench(release)
    old = bench.park("p").pod
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    move = bench.queue.update(old, Pod(old.key, old.uid, status="x"))
    assert bench.places("p") == (where,)
    assert (move is not None and move.where == "active") == (where == "active")


@pytest.mark.parametrize(("release", "where"), [("1.20.15", "active"), ("1.21.4", "backoff"), ("1.30.1", "backoff")])
def test_an_update_of_a_parked_pod_respects_its_backoff_from_1_21(release: str, where: str) -> None:
    for status_only in (False, True):
        bench = Bench(release)
        old = bench.park("p").pod
        new = Pod(old.key, old.uid, status="x") if status_only else Pod(old.key, old.uid, annotations={"a": "b"})
        move = bench.queue.update(old, new)
        assert bench.places("p") == (("unschedulable",) if status_only else (where,))
        assert move.where == bench.places("p")[0]
        assert (move.strategy is Strategy.SKIP) is status_only
        assert move.pod.pod is new


@pytest.mark.parametrize(
    ("release", "hints", "counts"), [("1.27.1", False, False), ("1.28.0", False, True), ("1.33.0", False, True)]
)
def test_a_generated_claim_is_a_difference_from_1_28(release: str, hints: bool, counts: bool) -> None:
    bench = Bench(release, gates={HINTS: hints})
    old = bench.park("p").pod
    bench.queue.update(old, Pod(old.key, old.uid, claim_statuses=("claim",)))
    assert (bench.places("p") == ("backoff",)) is counts


def test_an_update_without_the_old_pod_counts_as_a_change() -> None:
    for release in ("1.22.6", "1.28.0", "1.33.0"):
        bench = Bench(release, gates={HINTS: False})
        old = bench.park("p").pod
        bench.queue.update(None, Pod(old.key, old.uid))
        assert bench.places("p") == ("backoff",)


@pytest.mark.parametrize(
    "field",
    [
        {"labels": {"a": "b"}},
        {"annotations": {"a": "b"}},
        {"requests": {"cpu": 1}},
        {"priority": 1},
        {"tolerations": ("t",)},
        {"scheduling_gates": ("g",)},
        {"required_affinity": (AffinityTerm({"a": "b"}),)},
        {"node": "n"},
        {"uid": "other"},
    ],
)
def test_every_field_but_the_status_is_a_difference(field: dict[str, object]) -> None:
    bench = Bench("1.30.1")
    old = bench.park("p").pod
    bench.queue.update(old, Pod(**{"key": old.key, "uid": old.uid, **field}))
    assert bench.places("p") == ("backoff",)


def test_an_unknown_pod_becomes_active_by_its_update() -> None:
    bench = Bench("1.36.2")
    move = bench.queue.update(None, bench.pod("p"))
    assert (move.where, move.strategy, bench.places("p")) == ("active", Strategy.IMMEDIATELY, ("active",))


def labels_of(release: str, old: Pod, new: Pod, assigned: bool = False, **gates: bool) -> list[tuple[str, str, int]]:
    rules = profile_for(release, gates).rules
    told = rules.pod_events.of_assigned if assigned else rules.pod_events.of_unscheduled
    return [(event.label, event.resource, event.action) for event in told(old, new, rules.claim_event)]


BIG = Pod("a/b", "u", 0, {"x": "1"}, requests={"cpu": 2, "gpu": 1}, scheduling_gates=("g",), claim_statuses="none")
SMALL = Pod("a/b", "u", 0, {"x": "2"}, requests={"cpu": 2}, tolerations=("t",), claim_statuses="one")


def test_the_events_of_an_update() -> None:
    assert labels_of("1.30.1", BIG, SMALL) == [("PodUpdate", "Pod", actions.UPDATE)]
    assert labels_of("1.30.1", BIG, SMALL, assigned=True) == [("AssignedPodUpdate", "Pod", actions.UPDATE)]
    assert labels_of("1.31.1", BIG, SMALL) == [
        ("PodLabelChange", "Pod", actions.UPDATE_POD_LABEL),
        ("PodRequestScaledDown", "Pod", actions.UPDATE_POD_SCALE_DOWN),
    ]
    assert labels_of("1.31.1", BIG, SMALL) == labels_of("1.31.1", BIG, SMALL, assigned=True)
    assert labels_of("1.31.1", BIG, BIG) == [("AssignedPodUpdate", "Pod", actions.UPDATE_POD_OTHER)]
    kinds = [
        ("UpdatePodLabel", actions.UPDATE_POD_LABEL),
        ("UpdatePodScaleDown", actions.UPDATE_POD_SCALE_DOWN),
        ("UpdatePodSchedulingGatesEliminated", actions.UPDATE_POD_SCHEDULING_GATES_ELIMINATED),
        ("UpdatePodTolerations", actions.UPDATE_POD_TOLERATION),
        ("UpdatePodGeneratedResourceClaim", actions.UPDATE_POD_GENERATED_RESOURCE_CLAIM),
    ]
    for resource in ("AssignedPod", "UnschedulablePod"):
        assigned = resource == "AssignedPod"
        told = [(resource + kind, resource, action) for kind, action in kinds]
        assert labels_of("1.32.2", BIG, SMALL, assigned, **{DRA: True}) == told
        assert labels_of("1.32.2", BIG, SMALL, assigned) == told[:-1]
        singular = [(label.replace("Tolerations", "Toleration"), *rest) for label, *rest in told]
        assert labels_of("1.33.0", BIG, SMALL, assigned) == singular[:-1]
        assert labels_of("1.34.1", BIG, SMALL, assigned) == singular
        assert labels_of("1.34.1", BIG, SMALL, assigned, **{DRA: False}) == singular[:-1]
        assert labels_of("1.33.0", BIG, BIG, assigned) == [(f"{resource}Update", resource, actions.UPDATE_POD_OTHER)]
        assert labels_of("1.34.1", BIG, BIG, assigned) == [(f"{resource}Update", resource, actions.UPDATE)]


def test_an_update_whose_old_pod_is_unknown_is_a_general_one() -> None:
    for release, action in (("1.31.1", actions.UPDATE_POD_OTHER), ("1.36.2", actions.UPDATE)):
        rules = profile_for(release).rules
        (event,) = rules.pod_events.of_unscheduled(None, BIG, True)
        assert event.action == action
        (event,) = rules.pod_events.of_assigned(None, BIG, True)
        assert event.action == action


def test_growing_is_not_scaling_down() -> None:
    grown = Pod("a/b", "u", 0, {"x": "1"}, requests={"cpu": 3, "gpu": 1}, scheduling_gates=("g", "h"))
    assert labels_of("1.31.1", BIG, grown) == [("AssignedPodUpdate", "Pod", actions.UPDATE_POD_OTHER)]
    shrunk = Pod("a/b", "u", 0, {"x": "1"}, requests={"cpu": 1, "gpu": 1})
    assert labels_of("1.31.1", BIG, shrunk) == [("PodRequestScaledDown", "Pod", actions.UPDATE_POD_SCALE_DOWN)]


def test_the_events_of_an_update_can_be_told_by_the_caller() -> None:
    bench = Bench("1.36.2")
    pod = bench.park("p", SHRINK).pod
    told = (ClusterEvent("UnschedulablePod", actions.UPDATE_POD_SCALE_DOWN, "told"),)
    move = bench.queue.update(pod, pod, told)
    assert (move.where, move.because.label) == ("backoff", "told")


def test_an_update_of_a_pod_in_flight_is_recorded_for_all_pods_in_flight() -> None:
    for release, labels in (
        ("1.31.1", ["UnschedulablePodUpdate"]),
        ("1.32.2", ["UnschedulablePodUpdatePodLabel", "UnschedulablePodUpdatePodScaleDown"]),
    ):
        bench = Bench(release, gates={HINTS: True})
        old = bench.add("p", requests={"cpu": 2})
        bench.pop()
        new = Pod(old.key, old.uid, labels={"a": "b"}, requests={"cpu": 1})
        bench.queue.update(old, new)
        occurrences = [entry.occurrence for entry in bench.queue.in_flight.entries()[1:]]
        assert [occurrence.label for occurrence in occurrences] == labels
        assert all(occurrence.old is old and occurrence.new is new for occurrence in occurrences)
