"""Is a generated resource claim an event of its own?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="claim_event",
    asks="Is the name of a generated resource claim in a pod's status an event of its own?",
    behaviours=(
        Behaviour(
            name="unnoticed",
            does="No; such an update is like any other update of the status.",
            rule=False,
        ),
        Behaviour(
            name="generated-claim",
            does="Yes, UpdatePodGeneratedResourceClaim (DynamicResourceAllocation on).",
            rule=True,
            upstream=("kubernetes#127497",),
        ),
    ),
)
"""The rule is true where it is; it matters only where changes of pods are told apart by kind."""
