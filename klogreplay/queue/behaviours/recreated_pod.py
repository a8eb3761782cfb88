"""Is a failed attempt handed back as the pod that has its name by now?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import Pod, QueuedPod

RecreatedPod = Callable[[QueuedPod, Pod], bool]


def _returned(queued: QueuedPod, current: Pod) -> bool:
    return True


def _dropped(queued: QueuedPod, current: Pod) -> bool:
    return queued.pod.uid == current.uid


AXIS: Final = Axis[RecreatedPod](
    name="recreated_pod",
    asks="Is the failed attempt of a deleted pod handed back as the pod that was created anew under its name?",
    behaviours=(
        Behaviour(
            name="returned",
            does="Yes: the new pod is queued by the old one's failure, and Done goes to the new UID: the old UID "
            "stays in flight for ever and no event after it is dropped any more.",
            rule=_returned,
        ),
        Behaviour(
            name="dropped",
            does="No: the failure handler compares the UIDs and ends the old attempt.",
            rule=_dropped,
            upstream=("kubernetes#138324",),
        ),
    ),
)
"""The rule takes the attempt and the pod the informer has now, and is true where it is handed back."""
