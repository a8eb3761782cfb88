"""Where does a failed pod go that no plugin rejected (a plain error)?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod, Strategy

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

ReturnWithoutRejectors = Callable[["QueueState", QueuedPod], Strategy | None]


def _as_any_other(state: QueueState, queued: QueuedPod) -> Strategy | None:
    return None


def _any_event_held(state: QueueState, queued: QueuedPod) -> Strategy | None:
    return Strategy.AFTER_BACKOFF if state.in_flight.holds_events() else Strategy.SKIP


def _always_after_backoff(state: QueueState, queued: QueuedPod) -> Strategy | None:
    return Strategy.AFTER_BACKOFF


AXIS: Final = Axis[ReturnWithoutRejectors](
    name="return_without_rejectors",
    asks="Where does a failed pod go that no plugin rejected?",
    behaviours=(
        Behaviour(
            name="as-any-other",
            does="Where the release's general way sends it: into backoff if anything happened during the attempt, "
            "else it is parked in unschedulablePods, though any event will move it.",
            rule=_as_any_other,
        ),
        Behaviour(
            name="any-event-held",
            does="After backoff if the in-flight list holds any event at all, also an older one or one kept for "
            "others; else it is parked.",
            rule=_any_event_held,
            upstream=("kubernetes#118438",),
        ),
        Behaviour(
            name="always-after-backoff",
            does="After backoff, always: an error says nothing about what could help.",
            rule=_always_after_backoff,
            upstream=("kubernetes#119105",),
        ),
    ),
)
"""The rule gives None where the general way decides."""
