"""Which parked pods does an event of an assigned pod ask?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import Pod, QueuedPod

AssignedPods = Callable[[QueuedPod, Pod], bool]

POD_TOPOLOGY_SPREAD: Final = "PodTopologySpread"


def _affinity(queued: QueuedPod, assigned: Pod) -> bool:
    for term in queued.pod.required_affinity:
        namespaces = term.namespaces or (queued.pod.namespace,)
        if assigned.namespace in namespaces and term.match_labels.items() <= assigned.labels.items():
            return True
    return False


def _affinity_or_spread(queued: QueuedPod, assigned: Pod) -> bool:
    if POD_TOPOLOGY_SPREAD in queued.unschedulable_plugins and queued.pod.namespace == assigned.namespace:
        return True
    return _affinity(queued, assigned)


AXIS: Final = Axis[AssignedPods](
    name="assigned_pods",
    asks="Which pods in unschedulablePods does an event of an assigned pod ask?",
    behaviours=(
        Behaviour(
            name="affinity",
            does="Those with a required pod affinity term that the assigned pod matches.",
            rule=_affinity,
        ),
        Behaviour(
            name="affinity-or-spread",
            does="Those, and those that PodTopologySpread rejected in the assigned pod's namespace.",
            rule=_affinity_or_spread,
            upstream=("kubernetes#122627",),
        ),
    ),
)
