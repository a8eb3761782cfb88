"""The scheduling queue: its operations, exact for the release a profile stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from klogreplay.queue import actions
from klogreplay.queue.behaviours.requeue_decision import decide
from klogreplay.queue.placement import move_to_active, requeue
from klogreplay.queue.profiles import Profile
from klogreplay.queue.state import QueueState
from klogreplay.queue.types import (
    WILDCARD,
    AlreadyQueuedError,
    ClusterEvent,
    Move,
    Occurrence,
    Pod,
    QueueConfig,
    QueuedPod,
    QueueError,
    Strategy,
    Where,
)

PreCheck = Callable[[Pod], bool]

UNSCHEDULABLE_TIMEOUT: Final = ClusterEvent(WILDCARD, actions.ALL, "UnschedulableTimeout")


class SchedulingQueue(QueueState):
    """The scheduler's queue as one release has it: pure, sequential, on the clock that is handed in.

    Every operation does what the release's does, its bugs included; what differs between releases lies in the profile.
    The state is open to reading: `active`, `backoff`, `error_backoff` (iterated in the order in which pods leave),
    `unschedulable` (by key), `in_flight`, `scheduling_cycle`, `move_request_cycle`, `places(key)`. Left out:
    nominated pods, metrics, pod groups, and the races between goroutines.
    """

    __slots__ = ("profile",)

    def __init__(self, profile: Profile, config: QueueConfig, clock: Callable[[], int]) -> None:
        """An empty queue; `clock` returns nanoseconds and does not run backwards."""
        super().__init__(profile.rules, config, clock)
        self.profile = profile

    def add(self, pod: Pod) -> Where:
        """A pod appeared; gives the queue it is in now (the old place, for one that stays there)."""
        queued = self._new(pod)
        if move_to_active(self, queued, sweep=True):
            return "active"
        return self.places(pod.key)[-1]

    def update(self, old: Pod | None, new: Pod, events: tuple[ClusterEvent, ...] | None = None) -> Move | None:
        """A pending pod changed.

        `events` are those the change stands for, told from `old` and `new` if None. Gives the move of a parked or an
        unknown pod, None for one that is in activeQ, backing off, or in flight where that is recorded.
        """
        rules = self.rules
        if events is None:
            events = rules.pod_events.of_unscheduled(old, new, rules.claim_event)
        kept = rules.update_in_flight(events)
        if kept is not None and self.in_flight.record_for(new.uid, tuple(Occurrence(e, old, new) for e in kept)):
            return None
        key = new.key
        if old is not None:
            for queue in (self.active, self.backoff, self.error_backoff):
                queued = queue.get(key)
                if queued is None:
                    continue
                queued.pod = new
                if queue is self.backoff and rules.update_in_backoff:
                    queue.remove(key)
                    return Move(queued, requeue(self, queued, Strategy.IMMEDIATELY), Strategy.IMMEDIATELY)
                queue.add(queued)
                return None
        parked = self.unschedulable.get(key)
        if parked is not None:
            parked.pod = new
            return rules.update_parked(self, parked, old, events)
        queued = self._new(new)
        where = requeue(self, queued, Strategy.IMMEDIATELY)
        return Move(queued, where, Strategy.IMMEDIATELY)

    def delete(self, pod: Pod) -> None:
        """A pending pod was deleted, or bound."""
        key = pod.key
        if self.active.remove(key) is not None:
            return
        hit = self.backoff.remove(key) or self.error_backoff.remove(key)
        if hit is not None and self.rules.delete_search:
            return
        self.unschedulable.pop(key, None)

    def pop(self) -> QueuedPod | None:
        """Take the next pod for an attempt; None where upstream would wait."""
        while True:
            queued = self.active.pop()
            if queued is None and self.rules.pop_source:
                queued = self.backoff.pop()
            if queued is None or self._take(queued):
                return queued

    def pop_specific(self, pod: Pod) -> QueuedPod | None:
        """Pop this pod, from wherever it waits; None if it is gated, unknown or only in flight.

        Raises QueueError in a release that has no such operation.
        """
        if not self.rules.pop_specific:
            raise QueueError(f"{self.profile.release} has no PopSpecificPod")
        self._activate(pod.key)
        queued = self.active.remove(pod.key)
        return queued if queued is not None and self._take(queued) else None

    def record_rejectors(
        self, queued: QueuedPod, unschedulable: Iterable[str] = (), pending: Iterable[str] = (), *, error: bool = False
    ) -> None:
        """What the failure handler notes on a failed pod: its rejector plugins; nothing for an error."""
        self.rules.plugins_at_failure(queued)
        if not error:
            self.rules.rejector_sets(queued, frozenset(unschedulable), frozenset(pending))

    def handle_failure(
        self,
        queued: QueuedPod,
        current: Pod | None,
        *,
        unschedulable: Iterable[str] = (),
        pending: Iterable[str] = (),
        error: bool = False,
        cycle: int | None = None,
    ) -> Move | None:
        """The failure handler: note the rejectors, take the informer's pod, hand it back.

        `current` is the pod the informer has, None if it is gone. `cycle` is the attempt's scheduling cycle, by
        default the current one, which is what the scheduler passes. Gives None where the pod is let go. Raises
        AlreadyQueuedError as `add_unschedulable_if_not_present` does.
        """
        self.record_rejectors(queued, unschedulable, pending, error=error)
        if current is None or not self.rules.recreated_pod(queued, current):
            self.done(queued.pod.uid)
            return None
        queued.pod = current
        return self.add_unschedulable_if_not_present(queued, self.scheduling_cycle if cycle is None else cycle)

    def add_unschedulable_if_not_present(self, queued: QueuedPod, cycle: int) -> Move:
        """Hand back a failed pod; `cycle` is the scheduling cycle of its attempt.

        Raises AlreadyQueuedError if it is queued already; the attempt ends in that case, too.
        """
        key = queued.pod.key
        rules = self.rules
        try:
            if key in self.unschedulable:
                raise AlreadyQueuedError(key, "unschedulable")
            if key in self.active.entries:
                raise AlreadyQueuedError(key, "active")
            if key in self.backoff.entries or key in self.error_backoff.entries:
                raise AlreadyQueuedError(key, "backoff")
            queued.timestamp = self.clock()
            queued.was_flushed = False
            rules.backoff_count.note_return(queued)
            return rules.return_path(self, queued, cycle)
        finally:
            self.in_flight.done(queued.pod.uid)

    def done(self, uid: str) -> None:
        """The attempt of the pod of this UID ended without a hand-back."""
        self.in_flight.done(uid)

    def move_all_to_active_or_backoff(
        self, event: ClusterEvent, old: object = None, new: object = None, pre_check: PreCheck | None = None
    ) -> list[Move]:
        """An event of the cluster: ask the parked pods that pass `pre_check`; gives those that moved or were gated."""
        parked = list(self.unschedulable.values())
        if pre_check is not None:
            parked = [queued for queued in parked if pre_check(queued.pod)]
        return self._move(parked, Occurrence(event, old, new))

    def assigned_pod_added(self, pod: Pod) -> list[Move]:
        """A pod was assigned to a node; gives the parked pods that moved."""
        concerns = self.rules.assigned_pods
        parked = [queued for queued in self.unschedulable.values() if concerns(queued, pod)]
        return self._move(parked, Occurrence(self.rules.pod_events.assigned_add, None, pod))

    def assigned_pod_updated(
        self, old: Pod | None, new: Pod, events: tuple[ClusterEvent, ...] | None = None
    ) -> list[Move]:
        """An assigned pod changed; gives the parked pods that moved.

        `events` are those the change stands for, told from `old` and `new` if None.
        """
        rules = self.rules
        moves: list[Move] = []
        if events is None:
            events = rules.pod_events.of_assigned(old, new, rules.claim_event)
        for event in events:
            for_all = rules.assigned_scale_down(event)
            if for_all is not None:
                moves += self._move(list(self.unschedulable.values()), Occurrence(for_all, old, new))
            else:
                concerns = rules.assigned_pods
                parked = [queued for queued in self.unschedulable.values() if concerns(queued, new)]
                moves += self._move(parked, Occurrence(event, old, new))
        return moves

    def activate(self, pods: Iterable[Pod]) -> None:
        """Plugins want these pods tried now: from unschedulablePods or backoff to activeQ, whatever the backoff."""
        for pod in pods:
            if not self._activate(pod.key):
                self.rules.activate_missed(self, pod)

    def flush_backoff_completed(self) -> list[Move]:
        """Move the pods whose backoff is over to activeQ (once a second in the scheduler)."""
        moves = []
        for queue in (self.backoff, self.error_backoff):
            while (head := queue.peek()) is not None and not self.is_backing_off(head):
                queue.pop()
                where: Where = "active" if move_to_active(self, head, leaves_backoff="complete") else "unschedulable"
                moves.append(Move(head, where, Strategy.AFTER_BACKOFF))
        return moves

    def flush_unschedulable_leftover(self) -> list[Move]:
        """Move the pods parked longer than the limit, as the event UnschedulableTimeout (every 30 s)."""
        now, limit = self.clock(), self.max_in_unschedulable_ns
        over = [queued for queued in self.unschedulable.values() if now - queued.timestamp > limit]
        if not over:
            return []
        if self.rules.leftover_flag:
            for queued in over:
                queued.was_flushed = True
        return self._move(over, Occurrence(UNSCHEDULABLE_TIMEOUT))

    def _new(self, pod: Pod) -> QueuedPod:
        now = self.clock()
        return QueuedPod(pod, now, initial_attempt_timestamp=now if self.rules.first_attempt else None)

    def _take(self, queued: QueuedPod) -> bool:
        rules = self.rules
        queued.attempts += 1
        if not self.in_flight.popped(queued.pod.uid, rules.duplicate_pop):
            return False
        self.scheduling_cycle += 1
        rules.plugins_at_pop(queued)
        return True

    def _activate(self, key: str) -> bool:
        if key in self.active:
            return False
        queued = self.unschedulable.get(key)
        if queued is not None:
            return move_to_active(self, queued, sweep=True)
        queued = self.waiting(key)
        if queued is None:
            return False
        if self.rules.activate_from_backoff:
            self.backoff.remove(key)
            self.error_backoff.remove(key)
        return move_to_active(self, queued, sweep=True, leaves_backoff="activated")

    def _move(self, parked: list[QueuedPod], occurrence: Occurrence) -> list[Move]:
        rules, event = self.rules, occurrence.event
        if rules.event_interest and not event.is_wildcard and not self.interested(event):
            return []
        moves = []
        for queued in parked:
            if queued.gating_plugin and rules.gated_pods_on_events(self, queued, event):
                continue
            strategy = decide(self, queued, occurrence)
            if strategy is not Strategy.SKIP:
                self.unschedulable.pop(queued.pod.key, None)
                moves.append(Move(queued, requeue(self, queued, strategy), strategy, occurrence))
        self.move_request_cycle = self.scheduling_cycle
        self.in_flight.record(occurrence)
        return moves
