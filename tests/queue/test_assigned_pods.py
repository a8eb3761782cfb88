"""Assigned pods: which parked pods they concern."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    AffinityTerm,
    ClusterEvent,
    Pod,
    actions,
)
from tests.queue.build import (
    EVERYTHING,
    REGISTRATIONS,
    SHRINK,
    Bench,
)


def assigned_bench(release: str) -> Bench:
    bench = Bench(release, registrations={**REGISTRATIONS, "PodTopologySpread": (EVERYTHING,), "Near": (EVERYTHING,)})
    near = (AffinityTerm({"app": "web"}),)
    bench.park("near", "Near", required_affinity=near)
    bench.park("far", "Near", required_affinity=(AffinityTerm({"app": "web"}, ("elsewhere",)),))
    bench.park("spread", "PodTopologySpread")
    bench.park("small", SHRINK)
    return bench


@pytest.mark.parametrize(
    ("release", "namespace", "moved"),
    [
        ("1.30.1", "default", {"near"}),
        ("1.30.1", "elsewhere", {"far"}),
        ("1.31.1", "default", {"near", "spread"}),
        ("1.31.1", "elsewhere", {"far"}),
        ("1.36.2", "default", {"near", "spread"}),
    ],
)
def test_an_assigned_pod_concerns_the_pods_it_could_help(release: str, namespace: str, moved: set[str]) -> None:
    assigned = Pod(f"{namespace}/x", labels={"app": "web", "b": "c"}, node="n")
    for moves in (
        assigned_bench(release).queue.assigned_pod_added(assigned),
        assigned_bench(release).queue.assigned_pod_updated(assigned, assigned),
    ):
        assert {move.pod.pod.key.removeprefix("default/") for move in moves} == moved
    other = Pod(f"{namespace}/x", labels={"app": "db"}, node="n")
    assert {move.pod.pod.key for move in assigned_bench(release).queue.assigned_pod_added(other)} <= {"default/spread"}


@pytest.mark.parametrize(
    ("release", "label", "moved"),
    [
        ("1.30.1", "AssignedPodUpdate", {"near"}),
        ("1.31.1", "AssignedPodUpdate", {"near", "far", "spread", "small"}),
        ("1.32.2", "AssignedPodUpdatePodScaleDown", {"near", "far", "spread", "small"}),
        ("1.36.2", "AssignedPodUpdatePodScaleDown", {"near", "far", "spread", "small"}),
    ],
)
def test_the_scale_down_of_an_assigned_pod_concerns_all_from_1_31(release: str, label: str, moved: set[str]) -> None:
    bench = assigned_bench(release)
    old = Pod("default/x", labels={"app": "web"}, node="n", requests={"cpu": 2})
    moves = bench.queue.assigned_pod_updated(old, Pod(old.key, labels=old.labels, node="n", requests={"cpu": 1}))
    assert {move.pod.pod.key.removeprefix("default/") for move in moves} == moved
    assert {move.because.label for move in moves} == {label}


def test_the_events_of_an_assigned_pod_can_be_told_by_the_caller() -> None:
    bench = assigned_bench("1.36.2")
    pod = Pod("default/x", labels={"app": "web"}, node="n")
    told = ClusterEvent("AssignedPod", actions.UPDATE_POD_SCALE_DOWN, "told")
    assert len(bench.queue.assigned_pod_updated(pod, pod, (told,))) == 4
    assert bench.queue.assigned_pod_updated(pod, pod, ()) == []


def test_each_event_of_an_assigned_pod_s_update_adds_its_moves() -> None:
    bench = assigned_bench("1.36.2")
    old = Pod("default/x", labels={"app": "db"}, requests={"cpu": 2})
    moves = bench.queue.assigned_pod_updated(old, Pod("default/x", labels={"app": "web"}, requests={"cpu": 1}))
    assert sorted((move.pod.pod.key, move.because.label) for move in moves) == [
        ("default/far", "AssignedPodUpdatePodScaleDown"),
        ("default/near", "AssignedPodUpdatePodLabel"),
        ("default/small", "AssignedPodUpdatePodScaleDown"),
        ("default/spread", "AssignedPodUpdatePodLabel"),
    ]
    bench = assigned_bench("1.36.2")
    claimed = Pod("default/x", labels={"app": "web"}, claim_statuses="claim")
    moves = bench.queue.assigned_pod_updated(Pod("default/x", labels={"app": "web"}), claimed)
    assert {move.because.label for move in moves} == {"AssignedPodUpdatePodGeneratedResourceClaim"}
    two = (ClusterEvent("AssignedPod", actions.ADD, "one"), ClusterEvent("AssignedPod", actions.ADD, "two"))
    bench = assigned_bench("1.36.2")
    first = bench.queue.assigned_pod_updated(claimed, claimed, two)
    assert {move.because.label for move in first} == {"one"}
