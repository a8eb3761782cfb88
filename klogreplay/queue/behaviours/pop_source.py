"""May Pop take a pod that is still backing off?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="pop_source",
    asks="Does Pop take from backoffQ when activeQ is empty?",
    behaviours=(
        Behaviour(
            name="active-only",
            does="No: Pop waits for activeQ.",
            rule=False,
        ),
        Behaviour(
            name="backoff-when-idle",
            does="Yes: with activeQ empty Pop takes the head of backoffQ, never of the error backoff queue "
            "(SchedulerPopFromBackoffQ on).",
            rule=True,
            upstream=("kubernetes#130772",),
        ),
    ),
)
"""The rule is true where it does."""
