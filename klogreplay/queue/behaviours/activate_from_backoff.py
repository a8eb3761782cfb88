"""Does Activate take a pod out of backoff before PreEnqueue has its say?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="activate_from_backoff",
    asks="Does Activate take a pod out of its backoff queue before PreEnqueue has its say?",
    behaviours=(
        Behaviour(
            name="left-until-active",
            does="No: a pod that is gated by now stays where the release puts gated pods that are queued already.",
            rule=False,
        ),
        Behaviour(
            name="taken-out-first",
            does="Yes: a pod that is gated by now goes to unschedulablePods.",
            rule=True,
            upstream=("kubernetes#130772",),
        ),
    ),
)
"""The rule is true where it does."""
