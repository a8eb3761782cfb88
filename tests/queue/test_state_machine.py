"""Any sequence of operations, on any release: what always holds of the queue's state."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from klogreplay.queue import AlreadyQueuedError, Hint, Pod, QueuedPod, all_releases, profile_for
from klogreplay.queue.behaviours.in_flight import MarkerCounters
from klogreplay.queue.releases import HINTS, POP
from tests.queue.build import FIT, LABEL, NODE_ADD, NODE_LABEL, PVC_ADD, WILDCARD, Bench

NAMES = st.sampled_from([f"p{number}" for number in range(4)])
PLUGINS = st.sampled_from([(), (FIT,), (LABEL,), (FIT, LABEL), ("Other",)])
EVENTS = st.sampled_from([NODE_ADD, NODE_LABEL, PVC_ADD, WILDCARD])


class QueueMachine(RuleBasedStateMachine):
    """Drives a queue as a scheduler could, and as a scheduler should not: names come back with other UIDs."""

    attempts = Bundle("attempts")

    @initialize(
        release=st.sampled_from(all_releases()),
        hints=st.booleans(),
        pop=st.booleans(),
        answer=st.sampled_from(list(Hint)),
    )
    def start(self, release: str, hints: bool, pop: bool, answer: Hint) -> None:
        self.bench = Bench(
            profile_for(release, {HINTS: hints, POP: pop}), hints={FIT: lambda plugin, pod, occurrence: answer}
        )
        self.queue = self.bench.queue
        self.known: dict[str, Pod] = {}
        self.number = 0

    def current(self, name: str) -> Pod:
        return self.known.get(name) or self.bench.pod(name)

    @rule(name=NAMES, priority=st.integers(0, 2))
    def add(self, name: str, priority: int) -> None:
        self.number += 1
        pod = Pod(f"default/{name}", f"{name}-{self.number}", priority)
        self.known[name] = pod
        self.queue.add(pod)

    @rule(name=NAMES, what=st.sampled_from(["labels", "status", "priority"]))
    def update(self, name: str, what: str) -> None:
        self.number += 1
        old = self.current(name)
        changed = {"labels": {"a": str(self.number)}, "status": self.number, "priority": self.number % 3}[what]
        new = Pod(old.key, old.uid, old.priority, old.labels, status=old.status)
        setattr(new, what, changed)
        self.known[name] = new
        self.queue.update(old, new)

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        self.queue.delete(self.current(name))

    @rule(name=NAMES)
    def activate(self, name: str) -> None:
        self.queue.activate([self.current(name)])

    @rule(target=attempts)
    def pop(self) -> object:
        queued = self.queue.pop()
        return multiple() if queued is None else queued

    @rule(target=attempts, name=NAMES)
    def pop_specific(self, name: str) -> object:
        if not self.queue.rules.pop_specific:
            return multiple()
        queued = self.queue.pop_specific(self.current(name))
        return multiple() if queued is None else queued

    @rule(queued=consumes(attempts), plugins=PLUGINS, pending=PLUGINS, gone=st.booleans())
    def fail(self, queued: QueuedPod, plugins: tuple[str, ...], pending: tuple[str, ...], gone: bool) -> None:
        before = self.bench.places(queued.pod.key.partition("/")[2])
        current = None if gone else self.known.get(queued.pod.key.partition("/")[2], queued.pod)
        error = not plugins and not pending
        move = refused = None
        try:
            move = self.queue.handle_failure(queued, current, unschedulable=plugins, pending=pending, error=error)
        except AlreadyQueuedError as caught:
            refused = str(caught)
        if refused is not None:
            assert before
            assert refused.startswith(f"Pod {queued.pod.key} is already present in")
        if move is not None:
            assert not before
            assert (move.where,) == self.queue.places(queued.pod.key)

    @rule(queued=consumes(attempts))
    def done(self, queued: QueuedPod) -> None:
        self.queue.done(queued.pod.uid)

    @rule(event=EVENTS)
    def move(self, event: object) -> None:
        for moved in self.queue.move_all_to_active_or_backoff(event):
            assert moved.where in self.queue.places(moved.pod.pod.key)

    @rule(name=NAMES)
    def assigned(self, name: str) -> None:
        self.queue.assigned_pod_added(Pod(f"default/{name}", node="n"))
        self.queue.assigned_pod_updated(None, Pod(f"default/{name}", node="n"))

    @rule(seconds=st.sampled_from([0, 1, 2, 12, 400]))
    def sleep(self, seconds: int) -> None:
        self.bench.sleep(seconds)

    @rule()
    def flush(self) -> None:
        self.queue.flush_backoff_completed()
        self.queue.flush_unschedulable_leftover()

    @rule(name=NAMES)
    def gate(self, name: str) -> None:
        self.bench.closed ^= {f"default/{name}"}

    def places(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for name in ("p0", "p1", "p2", "p3"):
            yield name, self.bench.places(name)

    @invariant()
    def a_pod_is_in_one_queue_but_for_the_real_double_places(self) -> None:
        rules, chosen = self.queue.rules, self.queue.profile.behaviours
        for _, places in self.places():
            assert len(places) == len(set(places))
            assert len(places) < 2 or "unschedulable" in places or not rules.active_entry
            if len(places) > 1 and chosen["gated_placement"] != "parked-always":
                assert chosen["update_parked"] == "by-hints-until-active"
                assert set(places) <= {"backoff", "errorBackoff", "unschedulable"}

    @invariant()
    def a_pod_in_flight_is_not_queued_but_where_releases_let_it(self) -> None:
        chosen = self.queue.profile.behaviours
        if chosen["update_in_flight"] == "queued-again" or chosen["recreated_pod"] == "returned":
            return
        queue = self.queue
        queued = [*queue.active, *queue.backoff, *queue.error_backoff, *queue.unschedulable.values()]
        assert not {entry.pod.uid for entry in queued} & queue.in_flight.markers().keys()

    @invariant()
    def every_pod_stands_under_its_own_key(self) -> None:
        queue = self.queue
        for key, queued in queue.unschedulable.items():
            assert queued.pod.key == key
        for heap in (queue.active, queue.backoff, queue.error_backoff):
            assert sorted(heap.entries) == sorted(queued.pod.key for queued in heap)

    @invariant()
    def active_leaves_by_priority_then_age(self) -> None:
        order = [(-queued.pod.priority, queued.timestamp) for queued in self.queue.active]
        assert order == sorted(order)

    @invariant()
    def pods_of_the_error_queue_were_rejected_by_nobody(self) -> None:
        assert len(self.queue.error_backoff) == 0 or self.queue.profile.behaviours["error_backoff"] == "own-queue"

    @invariant()
    def the_cycles_only_grow(self) -> None:
        assert -1 <= self.queue.move_request_cycle <= self.queue.scheduling_cycle

    @invariant()
    def events_are_kept_only_while_somebody_needs_them(self) -> None:
        tracker = self.queue.in_flight
        entries = tracker.entries()
        assert len(entries) == tracker.entries_kept()
        markers = tracker.markers()
        assert len(markers) == tracker.pods()
        if self.queue.profile.behaviours["in_flight"] == "not-tracked":
            assert not entries
            return
        if isinstance(tracker, MarkerCounters):
            assert all(entry.ref_count > 0 for entry in entries)
            return
        # The list begins with a pod: one in flight, or one that was popped twice before that was prevented.
        if entries:
            assert entries[0].uid is not None
        if self.queue.rules.duplicate_pop:
            assert [entry.uid for entry in entries if entry.uid] == [
                uid for uid, _ in sorted(markers.items(), key=lambda item: item[1])
            ]


QueueMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestQueue = QueueMachine.TestCase
