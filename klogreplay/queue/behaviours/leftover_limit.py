"""How long may a pod stay in unschedulablePods before the flush moves it?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

_MINUTE_NS: Final = 60_000_000_000

AXIS: Final = Axis[int](
    name="leftover_limit",
    asks="How long may a pod stay in unschedulablePods, unless configured otherwise?",
    behaviours=(
        Behaviour(
            name="one-minute",
            does="60 seconds, a constant.",
            rule=_MINUTE_NS,
        ),
        Behaviour(
            name="five-minutes",
            does="5 minutes, and a flag of the scheduler changes it.",
            rule=5 * _MINUTE_NS,
            upstream=("kubernetes#108761", "kubernetes#108017"),
        ),
    ),
)
"""The rule is the limit in nanoseconds."""
