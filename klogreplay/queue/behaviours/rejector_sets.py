"""Which sets of rejector plugins does a failed attempt leave on the pod?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod

RejectorSets = Callable[[QueuedPod, frozenset[str], frozenset[str]], None]


def _none(queued: QueuedPod, unschedulable: frozenset[str], pending: frozenset[str]) -> None:
    pass


def _one(queued: QueuedPod, unschedulable: frozenset[str], pending: frozenset[str]) -> None:
    queued.unschedulable_plugins = unschedulable | pending


def _two(queued: QueuedPod, unschedulable: frozenset[str], pending: frozenset[str]) -> None:
    queued.unschedulable_plugins = unschedulable
    queued.pending_plugins = pending


AXIS: Final = Axis[RejectorSets](
    name="rejector_sets",
    asks="Which sets of rejector plugins does a rejection leave on the pod?",
    behaviours=(
        Behaviour(
            name="none",
            does="None: the queue does not know who rejected a pod, and every event moves every pod.",
            rule=_none,
        ),
        Behaviour(
            name="unschedulable",
            does="One set; a plugin that answers pending counts as any other.",
            rule=_one,
            upstream=("kubernetes#98241",),
        ),
        Behaviour(
            name="unschedulable-and-pending",
            does="Two sets; a hint of a pending plugin lets the pod skip its backoff.",
            rule=_two,
            upstream=("kubernetes#119517",),
        ),
    ),
)
