"""Can one given pod be popped?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="pop_specific",
    asks="Can one given pod be popped (the members of a pod group)?",
    behaviours=(
        Behaviour(
            name="absent",
            does="No.",
            rule=False,
        ),
        Behaviour(
            name="activates-and-pops",
            does="Yes: the pod is activated as by Activate, then popped; one that is gated, unknown or only in flight "
            "is not.",
            rule=True,
        ),
    ),
)
"""The rule is true where it can."""
