"""Single behaviours at their edges, above all those that no recording has."""

from __future__ import annotations

import pytest

from klogreplay.queue import (
    AffinityTerm,
    ClusterEvent,
    Hint,
    Move,
    Occurrence,
    Pod,
    PreEnqueue,
    QueuedPod,
    QueueError,
    Registration,
    Strategy,
    actions,
    profile_for,
)
from klogreplay.queue.releases import DRA, HINTS, POP
from tests.queue.build import (
    FIT,
    GATE,
    LABEL,
    NODE_ADD,
    NODE_LABEL,
    PVC_ADD,
    REGISTRATIONS,
    SECOND,
    SHRINK,
    WILDCARD,
    Bench,
)

POD_UPDATE = ClusterEvent("UnschedulablePod", actions.UPDATE, "UnschedulablePodUpdate")


# --- PreEnqueue ---


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


# --- gated pods and events ---


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


# --- backoff ---


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


# --- events ---

POD_LABEL = ClusterEvent("UnschedulablePod", actions.UPDATE_POD_LABEL)
ASSIGNED = ClusterEvent("AssignedPod", actions.DELETE)
EVERYTHING = Registration("*", actions.ALL)


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


# --- the way back ---


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


# --- updates ---


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


# --- assigned pods ---


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


# --- Activate, Delete, flushes, PopSpecificPod ---


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


# --- small things ---


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


def test_the_marker_of_the_first_generation() -> None:
    bench = Bench("1.28.0")
    bench.add("p")
    first = bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    bench.add("q")
    bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_LABEL)
    tracker = bench.queue.in_flight
    assert tracker.markers() == {"uid-p": None, "uid-q": 0}
    assert [(entry.occurrence.label, entry.ref_count) for entry in tracker.entries()] == [
        ("NodeAdd", 1),
        ("NodeLabelChange", 2),
    ]
    bench.queue.done(first.pod.uid)
    bench.queue.done(first.pod.uid)
    assert tracker.markers() == {"uid-q": "removed"}
    assert [(entry.occurrence.label, entry.ref_count) for entry in tracker.entries()] == [("NodeLabelChange", 1)]
    assert tracker.record_for("uid-q", (Occurrence(NODE_ADD),)) is False
    assert tracker.since_pop("uid-q") == []
    assert tracker.since_pop("uid-p") is None
    assert tracker.popped("uid-q", True) is False
    assert tracker.popped("uid-q", False) is True
    assert tracker.markers() == {"uid-q": 0}
    bench.queue.done("uid-q")
    assert (tracker.pods(), tracker.entries_kept(), tracker.holds_events()) == (0, 1, True)


def test_a_tracker_that_tracks_nothing() -> None:
    tracker = Bench("1.22.6").queue.in_flight
    assert tracker.popped("u", True)
    assert not tracker.record(Occurrence(NODE_ADD))
    assert not tracker.record_for("u", (Occurrence(NODE_ADD),))
    assert tracker.since_pop("u") is None
    tracker.done("u")
    assert (tracker.pods(), tracker.entries_kept(), tracker.holds_events()) == (0, 0, False)
    assert (tracker.entries(), tracker.markers()) == ([], {})


# --- what a decision tells its caller ---


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


def test_keeping_an_event_is_told() -> None:
    for release in ("1.28.0", "1.36.2"):
        bench = Bench(release, gates={HINTS: True})
        tracker = bench.queue.in_flight
        assert tracker.record(Occurrence(NODE_ADD)) is False
        bench.add("p")
        bench.pop()
        assert tracker.record(Occurrence(NODE_ADD)) is True
    assert tracker.record_for("uid-p", (Occurrence(NODE_ADD),)) is True
    assert tracker.record_for("uid-q", (Occurrence(NODE_ADD),)) is False


def test_a_maximum_backoff_of_a_nanosecond_is_one() -> None:
    bench = Bench("1.36.2", gates={POP: False}, max_backoff_ns=1)
    queued = bench.park("p")
    assert bench.queue.backoff_expiry(queued) == queued.timestamp + 1
