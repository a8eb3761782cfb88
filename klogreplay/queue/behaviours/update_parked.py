"""When does an update free a pod from unschedulablePods?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.behaviours.requeue_decision import decide
from klogreplay.queue.placement import requeue
from klogreplay.queue.types import ClusterEvent, Move, Occurrence, Pod, QueuedPod, Strategy

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

UpdateParked = Callable[["QueueState", QueuedPod, Pod | None, tuple[ClusterEvent, ...]], Move]


def _any_difference(state: QueueState, queued: QueuedPod, old: Pod | None, events: tuple[ClusterEvent, ...]) -> Move:
    return _moved_if_changed(state, queued, old, Strategy.AFTER_BACKOFF)


def _any_difference_at_once(
    state: QueueState, queued: QueuedPod, old: Pod | None, events: tuple[ClusterEvent, ...]
) -> Move:
    return _moved_if_changed(state, queued, old, Strategy.IMMEDIATELY)


def _moved_if_changed(state: QueueState, queued: QueuedPod, old: Pod | None, strategy: Strategy) -> Move:
    if not state.rules.update_difference(old, queued.pod):
        return Move(queued, "unschedulable", Strategy.SKIP)
    del state.unschedulable[queued.pod.key]
    return Move(queued, requeue(state, queued, strategy), strategy)


def _by_hints_until(*last: str) -> UpdateParked:
    def by_hints(state: QueueState, queued: QueuedPod, old: Pod | None, events: tuple[ClusterEvent, ...]) -> Move:
        move = Move(queued, "unschedulable", Strategy.SKIP)
        for event in events:
            occurrence = Occurrence(event, old, queued.pod)
            strategy = decide(state, queued, occurrence)
            where = requeue(state, queued, strategy)
            if where != "unschedulable":
                state.unschedulable.pop(queued.pod.key, None)
                move = Move(queued, where, strategy, occurrence)
            if where in last:
                break
        return move

    return by_hints


AXIS: Final = Axis[UpdateParked](
    name="update_parked",
    asks="When does an update free a pod from unschedulablePods?",
    behaviours=(
        Behaviour(
            name="any-difference-at-once",
            does="When anything but the status differs: into activeQ, whatever is left of its backoff.",
            rule=_any_difference_at_once,
        ),
        Behaviour(
            name="any-difference",
            does="When anything but the status differs: into backoff while the pod backs off, else into activeQ.",
            rule=_any_difference,
            upstream=("kubernetes#98829",),
        ),
        Behaviour(
            name="by-hints-until-active",
            does="When the hints of its rejectors say so: the events of the update are tried one by one until one "
            "takes the pod to activeQ. One that takes it to backoff is followed by the next, and if that says "
            "skip the pod is in both backoffQ and unschedulablePods.",
            rule=_by_hints_until("active"),
            upstream=("kubernetes#122234",),
        ),
        Behaviour(
            name="by-hints-until-queued",
            does="As before, but the first event that takes the pod anywhere is the last (SchedulerPopFromBackoffQ "
            "on).",
            rule=_by_hints_until("active", "backoff", "errorBackoff"),
            upstream=("kubernetes#130772",),
        ),
    ),
)
"""The rule takes the pod with its new object, the old object and the events of the update."""
