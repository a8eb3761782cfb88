"""What does a maximum backoff of zero mean?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="zero_max_backoff",
    asks="Does a maximum backoff of zero switch backoff off?",
    behaviours=(
        Behaviour(
            name="zero-length",
            does="No: the backoff has length zero, and where equality counts as backing off it lasts for the instant.",
            rule=False,
        ),
        Behaviour(
            name="switched-off",
            does="Yes: no pod ever backs off.",
            rule=True,
            upstream=("kubernetes#131965",),
        ),
    ),
)
"""The rule is true where it switches backoff off."""
