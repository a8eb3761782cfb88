"""The informer handlers (eventhandlers.go): pods and nodes that came, changed and went.

1.18-1.20 print sentences ("add event for unscheduled pod ns/name"), later releases pairs. The updates have lines only
in newer releases: scheduled pods from 1.24, unscheduled pods and nodes from 1.30.
"""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import (
    POD,
    PrintfForm,
    Reader,
    of_node,
    of_pod,
    printed_node,
    printed_pod,
    printf,
)

_NODE = r"\"?(?P<node>[^\s\"]+)\"?"

STRUCTURED: dict[str, Reader] = {
    "Add event for unscheduled pod": of_pod(ev.PodAdded),
    "Update event for unscheduled pod": of_pod(ev.PodUpdated),
    "Delete event for unscheduled pod": of_pod(ev.PodDeleted),
    "Add event for scheduled pod": of_pod(ev.AssignedPodAdded),
    "Update event for scheduled pod": of_pod(ev.AssignedPodUpdated),
    "Delete event for scheduled pod": of_pod(ev.AssignedPodDeleted),
    "Add event for node": of_node(ev.NodeAdded),
    "Update event for node": of_node(ev.NodeUpdated),
    "Delete event for node": of_node(ev.NodeDeleted),
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("add event for unscheduled pod ", POD, printed_pod(ev.PodAdded)),
    printf("delete event for unscheduled pod ", POD, printed_pod(ev.PodDeleted)),
    printf("add event for scheduled pod ", POD, printed_pod(ev.AssignedPodAdded)),
    printf("delete event for scheduled pod ", POD, printed_pod(ev.AssignedPodDeleted)),
    printf("add event for node ", _NODE, printed_node(ev.NodeAdded)),
    printf("delete event for node ", _NODE, printed_node(ev.NodeDeleted)),
)
