"""Events of the cluster: which plugins they match, what hints come to, whom they move."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    ClusterEvent,
    Hint,
    Occurrence,
    Pod,
    Registration,
    Strategy,
    actions,
)
from klogreplay.queue.releases import HINTS
from tests.queue.build import (
    EVERYTHING,
    FIT,
    LABEL,
    NODE_ADD,
    NODE_LABEL,
    PVC_ADD,
    WILDCARD,
    Bench,
)

POD_UPDATE = ClusterEvent("UnschedulablePod", actions.UPDATE, "UnschedulablePodUpdate")
POD_LABEL = ClusterEvent("UnschedulablePod", actions.UPDATE_POD_LABEL)
ASSIGNED = ClusterEvent("AssignedPod", actions.DELETE)


@pytest.mark.parametrize(
    ("release", "registered", "event", "matches"),
    [
        ("1.22.6", Registration("Node", actions.ADD | actions.DELETE), NODE_ADD, True),
        ("1.22.6", Registration("Node", actions.DELETE), NODE_ADD, False),
        ("1.22.6", Registration("Pod", actions.ADD), NODE_ADD, False),
        ("1.22.6", EVERYTHING, NODE_ADD, True),
        ("1.22.6", Registration("*", actions.ADD), NODE_ADD, False),
        ("1.28.0", EVERYTHING, NODE_ADD, False),
        ("1.28.0", EVERYTHING, WILDCARD, True),
        ("1.30.1", EVERYTHING, NODE_ADD, True),
        ("1.30.1", Registration("*", actions.ADD), NODE_ADD, True),
        ("1.30.1", Registration("*", actions.DELETE), NODE_ADD, False),
        ("1.30.1", Registration("Pod", actions.DELETE), ASSIGNED, False),
        ("1.32.2", Registration("Pod", actions.DELETE), ASSIGNED, True),
        ("1.32.2", Registration("Pod", actions.ADD), ASSIGNED, False),
        ("1.32.2", Registration("Node", actions.DELETE), ASSIGNED, False),
        ("1.32.2", Registration("Pod", actions.UPDATE_POD_LABEL), POD_UPDATE, True),
        ("1.34.1", Registration("Pod", actions.UPDATE_POD_LABEL), POD_UPDATE, False),
        ("1.34.1", Registration("Pod", actions.UPDATE), POD_UPDATE, True),
        ("1.34.1", Registration("Pod", actions.UPDATE_POD_LABEL), POD_LABEL, True),
        ("1.34.1", Registration("Pod", actions.UPDATE), POD_LABEL, True),
        ("1.34.1", EVERYTHING, POD_UPDATE, True),
    ],
)
def test_matching(release: str, registered: Registration, event: ClusterEvent, matches: bool) -> None:
    bench = Bench(release, registrations={"Plugin": (registered,)})
    assert ("Plugin" in bench.queue.interested(event)) is matches
    assert ("Plugin" in bench.queue.interested(event)) is matches


@pytest.mark.parametrize(("release", "kept"), [("1.29.1", True), ("1.30.1", False)])
def test_an_event_of_no_interest_is_dropped_from_1_30(release: str, kept: bool) -> None:
    bench = Bench(release, gates={HINTS: True})
    bench.add("p")
    bench.pop()
    assert bench.queue.move_all_to_active_or_backoff(PVC_ADD) == []
    assert bench.queue.in_flight.holds_events() is kept
    assert bench.queue.move_request_cycle == (1 if kept else -1)
    bench.queue.move_all_to_active_or_backoff(WILDCARD)
    assert bench.queue.move_request_cycle == 1
    assert bench.queue.in_flight.entries()[-1].occurrence == Occurrence(WILDCARD)


@pytest.mark.parametrize(
    ("release", "answer", "pending", "strategy"),
    [
        ("1.27.1", Hint.SKIP, False, Strategy.AFTER_BACKOFF),
        ("1.28.0", Hint.SKIP, False, Strategy.SKIP),
        ("1.28.0", Hint.QUEUE, False, Strategy.AFTER_BACKOFF),
        ("1.28.0", Hint.ERROR, False, Strategy.AFTER_BACKOFF),
        ("1.28.0", Hint.IMMEDIATELY, False, Strategy.IMMEDIATELY),
        ("1.28.0", Hint.QUEUE, True, Strategy.AFTER_BACKOFF),
        ("1.29.1", Hint.SKIP, False, Strategy.SKIP),
        ("1.29.1", Hint.SKIP, True, Strategy.SKIP),
        ("1.29.1", Hint.QUEUE, False, Strategy.AFTER_BACKOFF),
        ("1.29.1", Hint.IMMEDIATELY, False, Strategy.AFTER_BACKOFF),
        ("1.29.1", Hint.ERROR, False, Strategy.AFTER_BACKOFF),
        ("1.29.1", Hint.QUEUE, True, Strategy.IMMEDIATELY),
        ("1.29.1", Hint.ERROR, True, Strategy.IMMEDIATELY),
    ],
)
def test_what_a_hint_comes_to(release: str, answer: Hint, pending: bool, strategy: Strategy) -> None:
    bench = Bench(release, hints={LABEL: lambda plugin, pod, occurrence: answer})
    bench.add("p")
    queued = bench.pop()
    if pending:
        bench.fail(queued, pending=(LABEL,))
    else:
        bench.fail(queued, LABEL)
    moves = bench.queue.move_all_to_active_or_backoff(NODE_LABEL, None, "n1")
    if strategy is Strategy.SKIP:
        assert moves == []
        assert bench.places("p") == ("unschedulable",)
    else:
        (move,) = moves
        assert (move.strategy, move.because) == (strategy, Occurrence(NODE_LABEL, None, "n1"))
        assert move.because.label == "NodeLabelChange"
        assert move.where == ("active" if strategy is Strategy.IMMEDIATELY else "backoff")


def test_a_hint_function_is_given_plugin_pod_and_occurrence() -> None:
    asked: list[tuple[str, Pod, Occurrence]] = []

    def hint(*about: object) -> Hint:
        asked.append(about)
        return Hint.SKIP

    bench = Bench("1.36.2", hints={LABEL: hint})
    pod = bench.park("p", LABEL).pod
    bench.queue.move_all_to_active_or_backoff(NODE_LABEL, "old", "new")
    assert asked == [(LABEL, pod, Occurrence(NODE_LABEL, "old", "new"))]


def test_the_strongest_of_several_rejectors_counts() -> None:
    answers = {FIT: Hint.QUEUE, LABEL: Hint.IMMEDIATELY}
    for release, strategy in (("1.28.0", Strategy.IMMEDIATELY), ("1.29.1", Strategy.AFTER_BACKOFF)):
        bench = Bench(release, hints={name: lambda *_, hint=hint: hint for name, hint in answers.items()})
        bench.park("p", FIT, LABEL, "Unregistered")
        (move,) = bench.queue.move_all_to_active_or_backoff(NODE_ADD)
        assert move.strategy is strategy
    bench = Bench("1.29.1")
    bench.add("p")
    bench.fail(bench.pop(), FIT, pending=(LABEL,))
    (move,) = bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    assert move.strategy is Strategy.IMMEDIATELY


def test_the_strongest_of_several_concurrent_events_counts() -> None:
    for events, strategy in (((NODE_ADD, NODE_LABEL), Strategy.IMMEDIATELY), ((NODE_ADD,), Strategy.AFTER_BACKOFF)):
        bench = Bench("1.29.1", gates={HINTS: True})
        bench.add("p")
        queued = bench.pop()
        for event in (PVC_ADD, *events, PVC_ADD):
            bench.queue.move_all_to_active_or_backoff(event)
        move = bench.fail(queued, FIT, pending=(LABEL,) if len(events) == 2 else ())
        assert (move.strategy, move.because.event) == (strategy, NODE_ADD)
    bench = Bench("1.28.0", hints={LABEL: lambda plugin, pod, occurrence: Hint(occurrence.new)})
    bench.add("p")
    queued = bench.pop()
    for answer in (Hint.SKIP, Hint.QUEUE, Hint.IMMEDIATELY, Hint.QUEUE):
        bench.queue.move_all_to_active_or_backoff(NODE_LABEL, None, answer)
    move = bench.fail(queued, LABEL)
    assert (move.strategy, move.because.new, move.where) == (Strategy.IMMEDIATELY, Hint.IMMEDIATELY, "active")


def test_a_wildcard_event_with_an_object_is_for_the_pod_of_that_uid() -> None:
    for new, freed in ((None, True), ("node", False), (Pod("a/b", "uid-q"), False), (Pod("a/b", "uid-p"), True)):
        bench = Bench("1.36.2")
        bench.park("p")
        bench.queue.move_all_to_active_or_backoff(WILDCARD, None, new)
        assert (bench.places("p") == ("backoff",)) is freed
    bench = Bench("1.31.1")
    bench.park("p")
    bench.queue.move_all_to_active_or_backoff(WILDCARD, None, Pod("a/b", "uid-q"))
    assert bench.places("p") == ("backoff",)


def test_before_1_21_every_event_moves_every_pod() -> None:
    for release, moved in (("1.20.15", True), ("1.21.4", False)):
        bench = Bench(release)
        queued = bench.park("p", FIT)
        assert queued.rejector_plugins == (frozenset() if moved else {FIT})
        bench.queue.move_all_to_active_or_backoff(PVC_ADD)
        assert (bench.places("p") == ("backoff",)) is moved


def test_a_pre_check_leaves_pods_out() -> None:
    bench = Bench("1.36.2")
    bench.park("p", labels={"zone": "a"})
    bench.park("q")
    moves = bench.queue.move_all_to_active_or_backoff(NODE_ADD, pre_check=lambda pod: pod.labels.get("zone") == "a")
    assert [move.pod.pod.key for move in moves] == ["default/p"]


def test_every_registration_for_an_event_is_asked() -> None:
    registrations = {
        FIT: (
            Registration("Node", actions.ADD, lambda *_: Hint.SKIP),
            Registration("Node", actions.ADD, lambda *_: Hint.QUEUE),
        )
    }
    for release in ("1.28.0", "1.36.2"):
        bench = Bench(release, registrations=registrations)
        bench.park("p")
        (move,) = bench.queue.move_all_to_active_or_backoff(NODE_ADD)
        assert move.strategy is Strategy.AFTER_BACKOFF
