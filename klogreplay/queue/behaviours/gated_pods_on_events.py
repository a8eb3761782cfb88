"""Which gated pods does an event not even ask?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import ClusterEvent, QueuedPod

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

GatedPodsOnEvents = Callable[["QueueState", QueuedPod, ClusterEvent], bool]

SCHEDULING_GATES: Final = "SchedulingGates"


def _examined(state: QueueState, queued: QueuedPod, event: ClusterEvent) -> bool:
    return False


def _all_skipped(state: QueueState, queued: QueuedPod, event: ClusterEvent) -> bool:
    return True


def _scheduling_gates_skipped(state: QueueState, queued: QueuedPod, event: ClusterEvent) -> bool:
    return SCHEDULING_GATES in queued.unschedulable_plugins


def _skipped_unless_registered(state: QueueState, queued: QueuedPod, event: ClusterEvent) -> bool:
    return queued.gating_plugin not in state.interested(event)


AXIS: Final = Axis[GatedPodsOnEvents](
    name="gated_pods_on_events",
    asks="Which gated pods in unschedulablePods does an event pass by without a question?",
    behaviours=(
        Behaviour(
            name="examined",
            does="None: gated pods are examined like others, and PreEnqueue runs again if one would move.",
            rule=_examined,
        ),
        Behaviour(
            name="all-skipped",
            does="All of them, also those that another PreEnqueue plugin gates and that the event would free.",
            rule=_all_skipped,
            upstream=("kubernetes#124618",),
        ),
        Behaviour(
            name="scheduling-gates-skipped",
            does="Those with SchedulingGates among their plugins.",
            rule=_scheduling_gates_skipped,
            upstream=("kubernetes#125527",),
        ),
        Behaviour(
            name="skipped-unless-registered",
            does="Those whose gating plugin did not register for the event; the timeout flush passes them by, too.",
            rule=_skipped_unless_registered,
            upstream=("kubernetes#127180",),
        ),
    ),
)
"""The rule is asked for gated pods only and is true where the pod is passed by."""
