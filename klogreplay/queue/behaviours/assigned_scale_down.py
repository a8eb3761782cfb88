"""Whom does the scale-down of an assigned pod concern?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue import actions
from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import ClusterEvent

AssignedScaleDown = Callable[[ClusterEvent], ClusterEvent | None]

_GENERAL: Final = ClusterEvent("Pod", actions.UPDATE, "AssignedPodUpdate")


def _as_any_update(event: ClusterEvent) -> ClusterEvent | None:
    return None


def _all_pods_as_general_update(event: ClusterEvent) -> ClusterEvent | None:
    return _GENERAL if event.action == actions.UPDATE_POD_SCALE_DOWN else None


def _all_pods(event: ClusterEvent) -> ClusterEvent | None:
    return event if event.action == actions.UPDATE_POD_SCALE_DOWN else None


AXIS: Final = Axis[AssignedScaleDown](
    name="assigned_scale_down",
    asks="Whom does the scale-down of an assigned pod concern?",
    behaviours=(
        Behaviour(
            name="as-any-update",
            does="The pods that any update of an assigned pod concerns.",
            rule=_as_any_update,
        ),
        Behaviour(
            name="all-pods-as-general-update",
            does="All pods in unschedulablePods; it is delivered as the general AssignedPodUpdate (Pod, Update).",
            rule=_all_pods_as_general_update,
            upstream=("kubernetes#122628",),
        ),
        Behaviour(
            name="all-pods",
            does="All pods in unschedulablePods, delivered as what it is.",
            rule=_all_pods,
        ),
    ),
)
"""The rule gives the event to deliver to all pods, None where it concerns the usual candidates."""
