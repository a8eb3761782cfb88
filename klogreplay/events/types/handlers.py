"""The informer handlers' events (eventhandlers.go): pods and nodes that came, changed and went."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class PodAdded(SchedulerEvent, tag="pod-added"):
    """ "Add event for unscheduled pod"."""

    pod: str


class PodUpdated(SchedulerEvent, tag="pod-updated"):
    """ "Update event for unscheduled pod" (1.30+)."""

    pod: str


class PodDeleted(SchedulerEvent, tag="pod-deleted"):
    """ "Delete event for unscheduled pod": deleted, or bound (a bound pod leaves that informer too)."""

    pod: str


class AssignedPodAdded(SchedulerEvent, tag="assigned-pod-added"):
    """ "Add event for scheduled pod"."""

    pod: str


class AssignedPodUpdated(SchedulerEvent, tag="assigned-pod-updated"):
    """ "Update event for scheduled pod"."""

    pod: str


class AssignedPodDeleted(SchedulerEvent, tag="assigned-pod-deleted"):
    """ "Delete event for scheduled pod"."""

    pod: str


class NodeAdded(SchedulerEvent, tag="node-added"):
    """ "Add event for node"."""

    node: str


class NodeUpdated(SchedulerEvent, tag="node-updated"):
    """ "Update event for node" (1.30+)."""

    node: str


class NodeDeleted(SchedulerEvent, tag="node-deleted"):
    """ "Delete event for node"."""

    node: str
