"""What an update changed about a pod, told from the pod before and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue import actions
from klogreplay.queue.types import Pod


def is_changed(old: Pod | None, new: Pod) -> bool:
    """Whether anything but the status and the resource version differs; true where `old` is not known."""
    return old is None or not (
        old.labels == new.labels
        and old.annotations == new.annotations
        and old.requests == new.requests
        and old.priority == new.priority
        and old.tolerations == new.tolerations
        and old.scheduling_gates == new.scheduling_gates
        and old.required_affinity == new.required_affinity
        and old.node == new.node
        and old.uid == new.uid
    )


def labels_changed(old: Pod, new: Pod) -> bool:
    """Whether the labels differ."""
    return old.labels != new.labels


def scaled_down(old: Pod, new: Pod) -> bool:
    """Whether the pod asks less of any resource, or no longer asks for it."""
    return any(name not in new.requests or new.requests[name] < asked for name, asked in old.requests.items())


def gates_eliminated(old: Pod, new: Pod) -> bool:
    """Whether the last scheduling gate went."""
    return bool(old.scheduling_gates) and not new.scheduling_gates


def toleration_added(old: Pod, new: Pod) -> bool:
    """Whether the number of tolerations differs; the API lets them be added only."""
    return len(old.tolerations) != len(new.tolerations)


def claims_generated(old: Pod, new: Pod) -> bool:
    """Whether the names of the generated resource claims differ."""
    return old.claim_statuses != new.claim_statuses


PodChange = tuple[str, int, Callable[[Pod, Pod], bool]]
"""A kind of change: its name in event labels, its action, and how it is told."""

LABEL: Final[PodChange] = ("UpdatePodLabel", actions.UPDATE_POD_LABEL, labels_changed)
SCALE_DOWN: Final[PodChange] = ("UpdatePodScaleDown", actions.UPDATE_POD_SCALE_DOWN, scaled_down)
GATES: Final[PodChange] = (
    "UpdatePodSchedulingGatesEliminated",
    actions.UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
    gates_eliminated,
)
TOLERATION: Final[PodChange] = ("UpdatePodToleration", actions.UPDATE_POD_TOLERATION, toleration_added)
TOLERATIONS: Final[PodChange] = ("UpdatePodTolerations", actions.UPDATE_POD_TOLERATION, toleration_added)
CLAIM: Final[PodChange] = (
    "UpdatePodGeneratedResourceClaim",
    actions.UPDATE_POD_GENERATED_RESOURCE_CLAIM,
    claims_generated,
)
