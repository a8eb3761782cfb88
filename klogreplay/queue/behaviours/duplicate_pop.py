"""What does Pop do with a pod that is in flight already?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="duplicate_pop",
    asks="Does Pop drop a pod that is in flight already?",
    behaviours=(
        Behaviour(
            name="popped-again",
            does="No: it is popped again and its in-flight record is overwritten; in the list of pods and events its "
            "first entry stays behind for ever.",
            rule=False,
        ),
        Behaviour(
            name="discarded",
            does="Yes: its attempts are raised, then it is dropped for good and the next pod is taken.",
            rule=True,
            upstream=("kubernetes#127016",),
        ),
    ),
)
"""The rule is true where it is dropped."""
