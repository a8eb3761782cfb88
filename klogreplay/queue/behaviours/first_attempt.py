"""When is a pod's initial attempt timestamp set?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="first_attempt",
    asks="Is the initial attempt timestamp set when the queue first sees the pod?",
    behaviours=(
        Behaviour(
            name="at-creation",
            does="Yes, with the pod's entry; the time a pod is gated counts into its scheduling duration.",
            rule=True,
        ),
        Behaviour(
            name="at-first-active",
            does="No, at its first entry to activeQ.",
            rule=False,
            upstream=("kubernetes#118049",),
        ),
    ),
)
"""The rule is true where it is set at creation."""
