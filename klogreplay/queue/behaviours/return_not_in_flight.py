"""Where does a failed pod go that the queue does not know to be in flight?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod, Strategy

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

ReturnNotInFlight = Callable[["QueueState", QueuedPod], Strategy]


def _error_by_held_events(state: QueueState, queued: QueuedPod) -> Strategy:
    if queued.unschedulable_plugins or state.in_flight.holds_events():
        return Strategy.AFTER_BACKOFF
    return Strategy.SKIP


def _after_backoff(state: QueueState, queued: QueuedPod) -> Strategy:
    return Strategy.AFTER_BACKOFF


AXIS: Final = Axis[ReturnNotInFlight](
    name="return_not_in_flight",
    asks="Where does a failed pod go that is not known to be in flight (returned after its Done)?",
    behaviours=(
        Behaviour(
            name="error-by-held-events",
            does="With unschedulable plugins after backoff; without, after backoff only if events are kept for "
            "others, else it is parked (pending plugins do not count).",
            rule=_error_by_held_events,
        ),
        Behaviour(
            name="after-backoff",
            does="After backoff.",
            rule=_after_backoff,
        ),
    ),
)
"""Asked only where the way back is decided by concurrent events."""
