"""What becomes of Activate for a pod that does not get to activeQ?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue import actions
from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import WILDCARD, ClusterEvent, Occurrence, Pod

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

ActivateMissed = Callable[["QueueState", Pod], None]

_EVENT: Final = ClusterEvent(WILDCARD, actions.ALL, "ForceActivate")


def _ignored(state: QueueState, pod: Pod) -> None:
    pass


def _remembered(state: QueueState, pod: Pod) -> None:
    state.in_flight.record_for(pod.uid, (Occurrence(_EVENT, None, pod),))
    state.move_request_cycle = state.scheduling_cycle


AXIS: Final = Axis[ActivateMissed](
    name="activate_missed",
    asks="What becomes of Activate for a pod that does not get to activeQ?",
    behaviours=(
        Behaviour(
            name="ignored",
            does="Nothing.",
            rule=_ignored,
        ),
        Behaviour(
            name="remembered",
            does="A pod in flight gets a ForceActivate event for its return; and, whatever the pod, it counts as a "
            "move request, so that with hints off every pod in flight profits.",
            rule=_remembered,
            upstream=("kubernetes#128170",),
        ),
    ),
)
