"""What does an update do to a pod that is backing off?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="update_in_backoff",
    asks="Does any update take a pod out of backoffQ?",
    behaviours=(
        Behaviour(
            name="moved-to-active",
            does="Yes: it goes to activeQ at once, whatever changed.",
            rule=True,
        ),
        Behaviour(
            name="in-place",
            does="No: the pod is replaced where it is.",
            rule=False,
            upstream=("kubernetes#98829",),
        ),
    ),
)
"""The rule is true where it does."""
