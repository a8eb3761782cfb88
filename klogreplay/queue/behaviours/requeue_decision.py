"""What does an event mean to a pod that some plugins rejected?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import Hint, Occurrence, QueuedPod, Strategy

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

RequeueDecision = Callable[["QueueState", QueuedPod, Occurrence], Strategy]


def _by_registration(state: QueueState, queued: QueuedPod, occurrence: Occurrence) -> Strategy:
    interested = state.interested(occurrence.event)
    if any(plugin in interested for plugin in queued.unschedulable_plugins):
        return Strategy.AFTER_BACKOFF
    return Strategy.SKIP


def _strongest_hint(state: QueueState, queued: QueuedPod, occurrence: Occurrence) -> Strategy:
    strongest = Strategy.SKIP
    interested = state.interested(occurrence.event)
    for plugin in queued.unschedulable_plugins:
        for function in interested.get(plugin, ()):
            hint = Hint.QUEUE if function is None else function(plugin, queued.pod, occurrence)
            if hint is Hint.IMMEDIATELY:
                return Strategy.IMMEDIATELY
            if hint is not Hint.SKIP:
                strongest = Strategy.AFTER_BACKOFF
    return strongest


def _pending_first(state: QueueState, queued: QueuedPod, occurrence: Occurrence) -> Strategy:
    strongest = Strategy.SKIP
    interested = state.interested(occurrence.event)
    pending = queued.pending_plugins
    for plugin in queued.rejector_plugins:
        for function in interested.get(plugin, ()):
            hint = Hint.QUEUE if function is None else function(plugin, queued.pod, occurrence)
            if hint is Hint.SKIP:
                continue
            if plugin in pending:
                return Strategy.IMMEDIATELY
            strongest = Strategy.AFTER_BACKOFF
            if not pending:
                return strongest
    return strongest


def decide(state: QueueState, queued: QueuedPod, occurrence: Occurrence) -> Strategy:
    """What this occurrence means to this pod.

    A pod that no plugin rejected is worth a retry on any event; a wildcard event is worth a retry to every pod it is
    for; all else is for the rejectors' registrations and hints to say.
    """
    if not queued.unschedulable_plugins and not queued.pending_plugins:
        return Strategy.AFTER_BACKOFF
    if occurrence.event.is_wildcard:
        if state.rules.wildcard_events(queued.pod, occurrence):
            return Strategy.AFTER_BACKOFF
        return Strategy.SKIP
    return state.rules.requeue_decision(state, queued, occurrence)


AXIS: Final = Axis[RequeueDecision](
    name="requeue_decision",
    asks="What does an event mean to a pod that some plugins rejected?",
    behaviours=(
        Behaviour(
            name="by-registration",
            does="A retry after backoff if any of those plugins registered for it; nobody is asked further.",
            rule=_by_registration,
            upstream=("kubernetes#98241",),
        ),
        Behaviour(
            name="strongest-hint",
            does="The hint functions of those plugins are asked and the strongest answer counts: skip, after backoff, "
            "immediately. A function cannot fail.",
            rule=_strongest_hint,
            upstream=("kubernetes#118551",),
        ),
        Behaviour(
            name="pending-first",
            does="The hint functions answer queue or skip (an error counts as queue); queue from a pending plugin "
            "means immediately, from any other after backoff.",
            rule=_pending_first,
            upstream=("kubernetes#119517",),
        ),
    ),
)
