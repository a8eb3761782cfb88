"""Into activeQ, into backoff, into unschedulablePods: how a pod is put somewhere, PreEnqueue included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from klogreplay.queue.types import QueuedPod, Strategy, Where

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

LeavesBackoff = Literal["", "activated", "complete"]
"""Why a pod leaves a backoff queue for activeQ; "" for one that was in none."""


def run_pre_enqueue(state: QueueState, queued: QueuedPod) -> bool:
    """Run the PreEnqueue plugins; the first that does not pass becomes the gating plugin and a rejector."""
    for plugin in state.rules.pre_enqueue_order(queued, state.config.pre_enqueue):
        if not plugin.passes(queued.pod):
            queued.unschedulable_plugins |= {plugin.name}
            queued.gating_plugin = plugin.name
            return False
    queued.gating_plugin = ""
    return True


def move_to_active(
    state: QueueState, queued: QueuedPod, *, sweep: bool = False, leaves_backoff: LeavesBackoff = ""
) -> bool:
    """Put the pod into activeQ unless a PreEnqueue plugin gates it; whether it got there.

    `sweep` says that this caller took the other copies of the pod out already before that became the rule for everyone.
    """
    rules = state.rules
    key = queued.pod.key
    if (
        state.config.pre_enqueue
        and rules.pre_enqueue.runs_before_active(leaves_backoff)
        and not run_pre_enqueue(state, queued)
    ):
        rules.gated_placement.before_active(state, queued)
        return False
    if queued.initial_attempt_timestamp is None:
        queued.initial_attempt_timestamp = state.clock()
    state.active.add(queued)
    if sweep or rules.active_entry:
        if key in state.unschedulable:
            del state.unschedulable[key]
        if key in state.backoff.entries:
            state.backoff.remove(key)
        if key in state.error_backoff.entries:
            state.error_backoff.remove(key)
    return True


def move_to_backoff(state: QueueState, queued: QueuedPod) -> bool:
    """Put the pod into its backoff queue; whether it got there."""
    rules = state.rules
    if rules.pre_enqueue.before_backoff and not run_pre_enqueue(state, queued):
        rules.gated_placement.before_backoff(state, queued)
        return False
    rules.error_backoff(state, queued)
    return True


def requeue(state: QueueState, queued: QueuedPod, strategy: Strategy) -> Where:
    """Put a pod that is in no queue where the strategy says, and say where that was."""
    if strategy is Strategy.SKIP:
        state.unschedulable[queued.pod.key] = queued
        return "unschedulable"
    if strategy is Strategy.AFTER_BACKOFF and state.is_backing_off(queued):
        if move_to_backoff(state, queued):
            return backoff_place(state, queued.pod.key)
        return "unschedulable"
    return "active" if move_to_active(state, queued) else "unschedulable"


def backoff_place(state: QueueState, key: str) -> Where:
    """Which of the two backoff queues holds the pod."""
    return "errorBackoff" if key in state.error_backoff else "backoff"
