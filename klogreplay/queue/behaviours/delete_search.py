"""Does Delete look further once it has found the pod in backoff?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="delete_search",
    asks="Does Delete stop at a hit in a backoff queue?",
    behaviours=(
        Behaviour(
            name="backoff-and-unschedulable",
            does="No: what is not in activeQ is removed from backoffQ and from unschedulablePods.",
            rule=False,
        ),
        Behaviour(
            name="first-hit",
            does="Yes: of a pod that is in backoffQ and in unschedulablePods the copy in unschedulablePods stays, and "
            "the deleted pod comes back.",
            rule=True,
        ),
    ),
)
"""The rule is true where it stops."""
