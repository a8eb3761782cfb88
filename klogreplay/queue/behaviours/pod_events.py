"""Into which events is a change of a pod told apart?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from klogreplay.queue import actions
from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.pod_changes import CLAIM, GATES, LABEL, SCALE_DOWN, TOLERATION, TOLERATIONS, PodChange
from klogreplay.queue.types import ClusterEvent, Pod


class PodEvents(Protocol):
    """The events that stand for what happened to a pod."""

    assigned_add: ClusterEvent
    """A pod was assigned to a node."""

    def of_assigned(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """The events of an update of an assigned pod, one at least; `claims`: generated claims are noticed."""

    def of_unscheduled(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """The events of an update of an unscheduled pod, one at least; `claims`: generated claims are noticed."""


class OneUpdate:
    """Any update is one and the same event."""

    assigned_add = ClusterEvent("Pod", actions.ADD, "AssignedPodAdd")
    assigned_update = ClusterEvent("Pod", actions.UPDATE, "AssignedPodUpdate")
    unscheduled_update = ClusterEvent("Pod", actions.UPDATE, "PodUpdate")

    def of_assigned(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """AssignedPodUpdate."""
        return (self.assigned_update,)

    def of_unscheduled(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """PodUpdate."""
        return (self.unscheduled_update,)


class LabelAndScaleDown:
    """Label changes and scale-downs have events of their own, with custom labels; all else is "other"."""

    assigned_add = ClusterEvent("Pod", actions.ADD, "AssignedPodAdd")
    other = ClusterEvent("Pod", actions.UPDATE_POD_OTHER, "AssignedPodUpdate")
    changes = (
        (ClusterEvent("Pod", actions.UPDATE_POD_LABEL, "PodLabelChange"), LABEL),
        (ClusterEvent("Pod", actions.UPDATE_POD_SCALE_DOWN, "PodRequestScaledDown"), SCALE_DOWN),
    )

    def of_assigned(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """One event for each change, or "other"."""
        if old is None:
            return (self.other,)
        return tuple(event for event, change in self.changes if change[2](old, new)) or (self.other,)

    def of_unscheduled(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """The same events as for assigned pods."""
        return self.of_assigned(old, new, claims)


class ByKind:
    """Assigned and unscheduled pods are resources of their own, each change an action; labels are their sum."""

    assigned_add = ClusterEvent("AssignedPod", actions.ADD, "AssignedPodAdd")

    def __init__(self, changes: Sequence[PodChange], otherwise: int) -> None:
        """`otherwise` is the action of an update in which nothing of `changes` changed."""
        self._assigned = _events("AssignedPod", changes)
        self._unscheduled = _events("UnschedulablePod", changes)
        self._assigned_other = ClusterEvent("AssignedPod", otherwise, "AssignedPodUpdate")
        self._unscheduled_other = ClusterEvent("UnschedulablePod", otherwise, "UnschedulablePodUpdate")

    def of_assigned(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """One event for each change, or the update as such."""
        return _changed(self._assigned, old, new, claims) or (self._assigned_other,)

    def of_unscheduled(self, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
        """One event for each change, or the update as such."""
        return _changed(self._unscheduled, old, new, claims) or (self._unscheduled_other,)


_Changes = tuple[tuple[ClusterEvent, PodChange], ...]


def _events(resource: str, changes: Sequence[PodChange]) -> _Changes:
    return tuple((ClusterEvent(resource, change[1], resource + change[0]), change) for change in changes)


def _changed(changes: _Changes, old: Pod | None, new: Pod, claims: bool) -> tuple[ClusterEvent, ...]:
    if old is None:
        return ()
    return tuple(event for event, change in changes if change[2](old, new) and (claims or change is not CLAIM))


_OTHER: Final = actions.UPDATE_POD_OTHER

AXIS: Final = Axis[PodEvents](
    name="pod_events",
    asks="Into which events is a change of a pod told apart?",
    behaviours=(
        Behaviour(
            name="one-update",
            does="Not at all: every update of an assigned pod is AssignedPodUpdate (Pod, Update).",
            rule=OneUpdate(),
        ),
        Behaviour(
            name="label-and-scale-down",
            does="PodLabelChange and PodRequestScaledDown (resource Pod); an update with neither is AssignedPodUpdate "
            "with an action nobody registers for by name.",
            rule=LabelAndScaleDown(),
            upstream=("kubernetes#122628",),
        ),
        Behaviour(
            name="by-kind",
            does="Label, scale-down, gates eliminated, UpdatePodTolerations, with the resources AssignedPod and "
            "UnschedulablePod; an update with none of these has the action other.",
            rule=ByKind((LABEL, SCALE_DOWN, GATES, TOLERATIONS, CLAIM), _OTHER),
            upstream=("kubernetes#127083",),
        ),
        Behaviour(
            name="by-kind-toleration",
            does="As before; the toleration event is spelt UpdatePodToleration.",
            rule=ByKind((LABEL, SCALE_DOWN, GATES, TOLERATION, CLAIM), _OTHER),
        ),
        Behaviour(
            name="by-kind-or-general",
            does="As before; an update with none of these is the general Update.",
            rule=ByKind((LABEL, SCALE_DOWN, GATES, TOLERATION, CLAIM), actions.UPDATE),
            upstream=("kubernetes#131693",),
        ),
    ),
)
