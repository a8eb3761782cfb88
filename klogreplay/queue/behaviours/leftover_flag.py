"""Is it remembered that the timeout flush took a pod out?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="leftover_flag",
    asks="Is it remembered on a pod that it stayed over the limit in unschedulablePods?",
    behaviours=(
        Behaviour(
            name="forgotten",
            does="No.",
            rule=False,
        ),
        Behaviour(
            name="was-flushed",
            does="Yes, on every pod over the limit, also one that stays because it is gated; the next accepted return "
            "clears it. It has no effect on where a pod goes.",
            rule=True,
            upstream=("kubernetes#135126",),
        ),
    ),
)
"""The rule is true where it is."""
