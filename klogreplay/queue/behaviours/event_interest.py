"""What becomes of an event that no plugin registered for?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour

AXIS: Final = Axis[bool](
    name="event_interest",
    asks="Is an event dropped at once when no enabled plugin registered for it?",
    behaviours=(
        Behaviour(
            name="every-event",
            does="No: it counts as a move request, is kept for the pods in flight, and moves pods that no plugin "
            "rejected.",
            rule=False,
        ),
        Behaviour(
            name="registered-events",
            does="Yes, unless it is a wildcard event: no move-request cycle, nothing kept for the pods in flight, no "
            "pod asked.",
            rule=True,
            upstream=("kubernetes#122629",),
        ),
    ),
)
"""The rule is true where such an event is dropped."""
