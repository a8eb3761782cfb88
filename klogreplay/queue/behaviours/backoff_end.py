"""Is a pod still backing off at the very moment its backoff ends?"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

BackoffEnd = Callable[[int, int], bool]

AXIS: Final = Axis[BackoffEnd](
    name="backoff_end",
    asks="Is a pod still backing off at the very moment its backoff ends?",
    behaviours=(
        Behaviour(
            name="over-at-expiry",
            does="No: it backs off while the expiry is after now.",
            rule=operator.gt,
        ),
        Behaviour(
            name="over-after-expiry",
            does="Yes: equality counts as backing off.",
            rule=operator.ge,
            upstream=("kubernetes#130680",),
        ),
    ),
)
"""The rule takes the expiry and now."""
