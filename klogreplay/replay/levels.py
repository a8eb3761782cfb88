"""Which typed event stands for which line of the level table."""

from __future__ import annotations

from klogreplay.events import types as ev

_NAMES: dict[type, str] = {
    ev.PodAdded: "Add event for unscheduled pod",
    ev.PodUpdated: "Update event for unscheduled pod",
    ev.PodDeleted: "Delete event for unscheduled pod",
    ev.AssignedPodAdded: "Add event for scheduled pod",
    ev.AssignedPodUpdated: "Update event for scheduled pod",
    ev.AssignedPodDeleted: "Delete event for scheduled pod",
    ev.NodeAdded: "Add event for node",
    ev.NodeUpdated: "Update event for node",
    ev.NodeDeleted: "Delete event for node",
    ev.Popped: "About to try and schedule pod",
    ev.Attempting: "Attempting to schedule pod",
    ev.Bound: "bound",
    ev.EventNotHelping: "Event is not making pod schedulable",
    ev.EventReceived: "Event received while pods are in flight",
    ev.InFlightEventsChecked: "Checking events for in-flight pod",
    ev.InFlightEventChecked: "Checking event for in-flight pod",
    ev.EventOfNoInterest: "event of no interest",
    ev.UpdateNotQueued: "Pod in flight, update not queued",
    ev.PreEnqueueStatus: "PreEnqueue status",
}


def line_name(event: ev.SchedulerEvent) -> str | None:
    """The line's name in the level table; None where the event says nothing of the verbosity."""
    if isinstance(event, ev.AttemptFailed):
        return None if event.error else "no fit"
    if isinstance(event, ev.WorthRequeuing):
        return "Worth requeuing, wildcard"
    if isinstance(event, ev.Moved):
        if event.variant == "gated":
            return "moved, because the pod is gated"
        if event.variant == "updated":
            return "moved, because the Pod is updated"
        if event.event == "ScheduleAttemptFailure":
            return "moved: failed attempt, hints on" if event.cycle is not None else None
        if event.event in ("PodAdd", "BackoffComplete", "PodUpdate", "UnschedulablePodAdd"):
            return "moved: new pod, update, backoff done"
        return "moved: cluster event, line with hint or struct" if event.hint is not None else None
    return _NAMES.get(type(event))
