"""Plays the operations of one recording on the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from klogreplay.queue.conformance.numbers import ActionNumbers
from klogreplay.queue.conformance.recording import (
    DamagedRecordingError,
    Header,
    RecordedEvent,
    RecordedPod,
    Result,
    Row,
)
from klogreplay.queue.profiles import Profile
from klogreplay.queue.scheduling_queue import SchedulingQueue
from klogreplay.queue.types import (
    AffinityTerm,
    AlreadyQueuedError,
    ClusterEvent,
    Hint,
    Occurrence,
    Pod,
    PreEnqueue,
    QueueConfig,
    QueuedPod,
    QueueError,
    Registration,
)

HINTS: Final = {"Skip": Hint.SKIP, "Queue": Hint.QUEUE, "Immediately": Hint.IMMEDIATELY, "Error": Hint.ERROR}
SCHEDULING_GATES: Final = "SchedulingGates"

HintTable = Mapping[str, Mapping[str, str]]


class NamedObject(msgspec.Struct, frozen=True):
    """An object that is no pod."""

    name: str


class Player:
    """The model under the operations of one recording, with the recording driver's own bookkeeping.

    That bookkeeping: the clock, the test plugins' state, the objects popped and not returned (`held`), the pods as the
    informer has them.
    """

    def __init__(self, header: Header, profile: Profile) -> None:
        """Starts with an empty queue at the header's clock."""
        self.now = header.clock
        self.numbers = ActionNumbers(header.action_masks)
        self.held: dict[int, QueuedPod] = {}
        self._popped: dict[int, QueuedPod] = {}
        self._informer: dict[str, Pod] = {}
        self._open_gates: set[str] = set()
        self._gates_exist = bool(header.config.pre_enqueue)
        self._overrides: dict[str, HintTable] = {}
        self._rules = profile.rules
        self.queue = SchedulingQueue(profile, self._config(header), lambda: self.now)

    def play(self, row: Row) -> Result:
        """Do what the row did and give what the model gave; a skipped operation only lets time pass.

        Raises DamagedRecordingError for a row that lacks the pod it is about.
        """
        op = row.op
        self.now += op.tick_ns
        if row.result.skipped:
            return row.result
        handler = _HANDLERS.get(op.op)
        if handler is None:
            return Result(error=f"the model knows no operation {op.op!r}")
        return handler(self, row)

    def name_of(self, obj: object) -> str | None:
        """How the recording names an object: pods by name and resource version."""
        if isinstance(obj, Pod):
            return f"{obj.key.partition('/')[2]}@{obj.resource_version}"
        return obj.name if isinstance(obj, NamedObject) else None

    def recorded(self, event: ClusterEvent) -> RecordedEvent:
        """The event with the release's numbers."""
        return RecordedEvent(label=event.label, resource=event.resource, action=self.numbers.to_recorded(event.action))

    # --- operations ---

    def add(self, row: Row) -> Result:
        """Add."""
        pod = self._subject(row)
        self._informer[pod.key] = pod
        self.queue.add(pod)
        return Result()

    def update(self, row: Row) -> Result:
        """Update; the events told from the two pods are part of the result, where they were recorded."""
        old = None if row.op.old is None else self._pod(row.op.old)
        new = self._subject(row)
        self._informer[new.key] = new
        self.queue.update(old, new)
        if row.result.pod_events is None:
            return Result()
        return Result(pod_events=self._all(self._rules.pod_events.of_unscheduled(old, new, self._rules.claim_event)))

    def delete(self, row: Row) -> Result:
        """Delete."""
        self.queue.delete(self._subject(row))
        return Result()

    def pop(self, row: Row) -> Result:
        """Pop, under the row's handle."""
        source = "active" if len(self.queue.active) else "backoff"
        return self._popped_as(row.op.handle, self.queue.pop(), source)

    def pop_specific(self, row: Row) -> Result:
        """PopSpecificPod, under the row's handle."""
        try:
            return self._popped_as(row.op.handle, self.queue.pop_specific(self._subject(row)), "")
        except QueueError as error:
            return Result(error=str(error))

    def add_unschedulable(self, row: Row) -> Result:
        """The failure handler's notes, then AddUnschedulableIfNotPresent."""
        op = row.op
        handle = -1 if op.handle is None else op.handle
        queued = self._popped.get(handle)
        if queued is None:
            return Result(error=f"nothing was popped under handle {op.handle}")
        self.held.pop(handle, None)
        if op.mode == "unschedulable":
            self.queue.record_rejectors(queued, op.unschedulable_plugins, op.pending_plugins)
        elif op.mode == "error":
            self.queue.record_rejectors(queued, error=True)
        if op.pod is not None:
            queued.pod = self._pod(op.pod)
        try:
            self.queue.add_unschedulable_if_not_present(queued, op.cycle)
        except AlreadyQueuedError as error:
            return Result(error=str(error))
        return Result()

    def done(self, row: Row) -> Result:
        """Done."""
        self.held.pop(-1 if row.op.handle is None else row.op.handle, None)
        self.queue.done(row.op.uid)
        return Result()

    def move_all(self, row: Row) -> Result:
        """MoveAllToActiveOrBackoffQueue with the event that was delivered."""
        op, delivered = row.op, row.result.event
        if delivered is None:
            return Result(error="the row does not say which event was delivered")
        event = ClusterEvent(delivered.resource, self.numbers.to_model(delivered.action), delivered.label)
        old = None if op.old_obj is None else NamedObject(op.old_obj)
        new = None if op.new_obj is None else NamedObject(op.new_obj)
        self._override(op.hints, old if new is None else new)
        wanted = op.pre_check
        pre_check = None if wanted is None else lambda pod: wanted.items() <= pod.labels.items()
        self.queue.move_all_to_active_or_backoff(event, old, new, pre_check)
        return Result(event=self.recorded(event))

    def assigned_pod_added(self, row: Row) -> Result:
        """AssignedPodAdded."""
        pod = self._subject(row)
        self._override(row.op.hints, pod)
        self.queue.assigned_pod_added(pod)
        return Result()

    def assigned_pod_updated(self, row: Row) -> Result:
        """AssignedPodUpdated; the events told from the two pods are part of the result."""
        old = None if row.op.old is None else self._pod(row.op.old)
        new = self._subject(row)
        self._override(row.op.hints, new)
        self.queue.assigned_pod_updated(old, new)
        return Result(events=self._all(self._rules.pod_events.of_assigned(old, new, self._rules.claim_event)))

    def activate(self, row: Row) -> Result:
        """Activate."""
        self.queue.activate([self._informer.get(f"default/{name}") or Pod(f"default/{name}") for name in row.op.pods])
        return Result()

    def advance(self, row: Row) -> Result:
        """Time passes."""
        self.now += row.op.advance_ns
        return Result()

    def flush_backoff(self, row: Row) -> Result:
        """FlushBackoffQCompleted."""
        self.queue.flush_backoff_completed()
        return Result()

    def flush_leftover(self, row: Row) -> Result:
        """FlushUnschedulablePodsLeftover."""
        self.queue.flush_unschedulable_leftover()
        return Result()

    def set_gate(self, row: Row) -> Result:
        """A test plugin opens or closes; nothing is evaluated anew."""
        if row.op.open:
            self._open_gates.add(row.op.gate)
        else:
            self._open_gates.discard(row.op.gate)
        return Result()

    # --- bookkeeping ---

    def _popped_as(self, handle: int | None, queued: QueuedPod | None, source: str) -> Result:
        if queued is None:
            return Result()
        if handle is not None:
            self.held[handle] = self._popped[handle] = queued
        return Result(
            pod=queued.pod.key.partition("/")[2],
            uid=queued.pod.uid,
            attempts=queued.attempts,
            scheduling_cycle=self.queue.scheduling_cycle,
            source=source,
        )

    def _all(self, events: Iterable[ClusterEvent]) -> list[RecordedEvent]:
        return [self.recorded(event) for event in events]

    def _subject(self, row: Row) -> Pod:
        if row.op.pod is None:
            raise DamagedRecordingError(f"row {row.i}: {row.op.op} without a pod")
        return self._pod(row.op.pod)

    def _pod(self, recorded: RecordedPod) -> Pod:
        app = recorded.affinity_app
        return Pod(
            key=f"{recorded.ns}/{recorded.name}",
            uid=recorded.uid,
            priority=recorded.priority,
            labels=recorded.labels,
            annotations={"annotation": recorded.annotation},
            requests={"cpu": recorded.cpu_milli},
            required_affinity=(AffinityTerm({"app": app}),) if app else (),
            scheduling_gates=tuple(range(min(recorded.scheduling_gates, 64))) if self._gates_exist else (),
            tolerations=tuple(range(min(recorded.tolerations, 64))),
            node=recorded.node,
            claim_statuses=recorded.claim_status,
            status=recorded.status_rev,
            resource_version=str(recorded.rv),
        )

    def _config(self, header: Header) -> QueueConfig:
        config = header.config
        return QueueConfig(
            initial_backoff_ns=config.initial_backoff_ns,
            max_backoff_ns=config.max_backoff_ns,
            max_in_unschedulable_ns=config.pod_max_in_unschedulable_pods_duration_ns,
            pre_enqueue=tuple(PreEnqueue(name, self._passes(name)) for name in config.pre_enqueue),
            registrations={
                plugin.name: tuple(
                    Registration(
                        event.resource_name, self.numbers.to_model(event.action_mask), self._hint(event.default)
                    )
                    for event in plugin.events
                    if not event.ignored
                )
                for plugin in config.plugins
            },
        )

    def _passes(self, plugin: str) -> Callable[[Pod], bool]:
        def passes(pod: Pod) -> bool:
            if plugin in self._open_gates:
                return True
            return not pod.scheduling_gates if plugin == SCHEDULING_GATES else pod.labels.get("gate") != plugin

        return passes

    def _override(self, hints: HintTable, obj: object) -> None:
        name = self.name_of(obj)
        if hints and name is not None:
            self._overrides[name] = hints

    def _hint(self, default: Mapping[str, str]) -> Callable[[str, Pod, Occurrence], Hint]:
        def hint(plugin: str, pod: Pod, occurrence: Occurrence) -> Hint:
            obj = self.name_of(occurrence.old if occurrence.new is None else occurrence.new)
            table = self._overrides.get(obj or "", {}).get(plugin, default)
            return HINTS.get(table.get(pod.labels.get("grp", ""), ""), Hint.QUEUE)

        return hint


_HANDLERS: Final[Mapping[str, Callable[[Player, Row], Result]]] = {
    "add": Player.add,
    "update": Player.update,
    "delete": Player.delete,
    "pop": Player.pop,
    "popSpecific": Player.pop_specific,
    "addUnschedulable": Player.add_unschedulable,
    "done": Player.done,
    "moveAll": Player.move_all,
    "assignedPodAdded": Player.assigned_pod_added,
    "assignedPodUpdated": Player.assigned_pod_updated,
    "activate": Player.activate,
    "advance": Player.advance,
    "flushBackoffQCompleted": Player.flush_backoff,
    "flushUnschedulablePodsLeftover": Player.flush_leftover,
    "setGate": Player.set_gate,
}
