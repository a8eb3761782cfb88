"""Does a pod that enters activeQ leave all other queues?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="active_entry",
    asks="Does a pod that enters activeQ leave every other queue?",
    behaviours=(
        Behaviour(
            name="by-caller",
            does="Only as far as the caller sees to it: Add and Activate clear the other queues, an event that moves "
            "the pod does not look into backoffQ, the flush not into unschedulablePods.",
            rule=False,
        ),
        Behaviour(
            name="leaves-all-others",
            does="Yes, by whatever way it enters.",
            rule=True,
        ),
    ),
)
"""The rule is true where it always does."""
