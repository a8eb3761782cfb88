"""For which pods is a wildcard event that carries an object?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import Occurrence, Pod

WildcardEvents = Callable[[Pod, Occurrence], bool]


def _for_every_pod(pod: Pod, occurrence: Occurrence) -> bool:
    return True


def _for_the_named_pod(pod: Pod, occurrence: Occurrence) -> bool:
    new = occurrence.new
    return new is None or (isinstance(new, Pod) and new.uid == pod.uid)


AXIS: Final = Axis[WildcardEvents](
    name="wildcard_events",
    asks="For which pods is a wildcard event?",
    behaviours=(
        Behaviour(
            name="for-every-pod",
            does="For all of them: whatever rejected the pod, it is retried after backoff.",
            rule=_for_every_pod,
        ),
        Behaviour(
            name="for-the-named-pod",
            does="If it carries an object, only for the pod of that UID (ForceActivate of a pod in flight); others "
            "skip it.",
            rule=_for_the_named_pod,
            upstream=("kubernetes#128170",),
        ),
    ),
)
