"""Can a gated pod be backing off?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="gated_backoff",
    asks="Is a gated pod never backing off?",
    behaviours=(
        Behaviour(
            name="as-any-other",
            does="A gated pod backs off like any other.",
            rule=False,
        ),
        Behaviour(
            name="never",
            does="A gated pod is never backing off: freed by an event or an update it goes to activeQ at once.",
            rule=True,
            upstream=("kubernetes#113275",),
        ),
    ),
)
"""The rule is true where gated pods never back off."""
