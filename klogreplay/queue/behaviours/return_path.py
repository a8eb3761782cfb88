"""By what is a failed pod's way back decided?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.behaviours.requeue_decision import decide
from klogreplay.queue.placement import backoff_place, move_to_backoff, requeue
from klogreplay.queue.types import Move, Occurrence, QueuedPod, Strategy

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

ReturnPath = Callable[["QueueState", QueuedPod, int], Move]


def _by_move_cycle(state: QueueState, queued: QueuedPod, cycle: int) -> Move:
    without = None
    if not queued.unschedulable_plugins and not queued.pending_plugins:
        without = state.rules.return_without_rejectors(state, queued)
    if state.move_request_cycle >= cycle or without is Strategy.AFTER_BACKOFF:
        if move_to_backoff(state, queued):
            return Move(queued, backoff_place(state, queued.pod.key), Strategy.AFTER_BACKOFF)
        return Move(queued, "unschedulable", Strategy.AFTER_BACKOFF)
    state.unschedulable[queued.pod.key] = queued
    return Move(queued, "unschedulable", Strategy.SKIP)


def _by_concurrent_events(state: QueueState, queued: QueuedPod, cycle: int) -> Move:
    rules = state.rules
    strategy, because = Strategy.SKIP, None
    concurrent = state.in_flight.since_pop(queued.pod.uid)
    without = None
    if concurrent is None:
        strategy = rules.return_not_in_flight(state, queued)
    else:
        if not queued.unschedulable_plugins and not queued.pending_plugins:
            without = rules.return_without_rejectors(state, queued)
        if without is not None:
            strategy = without
        elif concurrent:
            strategy, because = _strongest(state, queued, concurrent)
    return Move(queued, requeue(state, queued, strategy), strategy, because)


def _strongest(
    state: QueueState, queued: QueuedPod, concurrent: Sequence[Occurrence]
) -> tuple[Strategy, Occurrence | None]:
    strongest, because = Strategy.SKIP, None
    for occurrence in concurrent:
        strategy = decide(state, queued, occurrence)
        if strategy > strongest:
            strongest, because = strategy, occurrence
            if strategy is Strategy.IMMEDIATELY:
                break
    return strongest, because


AXIS: Final = Axis[ReturnPath](
    name="return_path",
    asks="By what is it decided where a failed pod goes?",
    behaviours=(
        Behaviour(
            name="by-move-cycle",
            does="By the move-request cycle: if any move request came since the attempt's cycle, into backoff "
            "(however little is left of it), else into unschedulablePods. Releases before 1.28, and "
            "SchedulerQueueingHints off.",
            rule=_by_move_cycle,
        ),
        Behaviour(
            name="by-concurrent-events",
            does="By the events kept since its Pop: the strongest answer of its rejectors counts, and the pod is "
            "placed as an event would place it.",
            rule=_by_concurrent_events,
            upstream=("kubernetes#118438",),
        ),
    ),
)
