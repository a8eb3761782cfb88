"""Where does a pod stay that a PreEnqueue plugin gates?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState


class GatedPlacement(Protocol):
    """What is done with a pod that did not pass PreEnqueue."""

    def before_active(self, state: QueueState, queued: QueuedPod) -> None:
        """It was to enter activeQ."""

    def before_backoff(self, state: QueueState, queued: QueuedPod) -> None:
        """It was to enter a backoff queue."""


class ParkedAlways:
    """Into unschedulablePods, wherever else a copy of it is."""

    def before_active(self, state: QueueState, queued: QueuedPod) -> None:
        """Park it."""
        state.unschedulable[queued.pod.key] = queued

    def before_backoff(self, state: QueueState, queued: QueuedPod) -> None:
        """Park it."""
        state.unschedulable[queued.pod.key] = queued


class UnlessQueued(ParkedAlways):
    """Into unschedulablePods, unless it is in activeQ or backing off: then it stays there."""

    def before_active(self, state: QueueState, queued: QueuedPod) -> None:
        """Park it if it is in no other queue."""
        key = queued.pod.key
        if key not in state.active and state.waiting(key) is None:
            self.before_backoff(state, queued)


class UnlessQueuedOrParked(UnlessQueued):
    """As before, and a copy that is parked already stays the one that counts."""

    def before_backoff(self, state: QueueState, queued: QueuedPod) -> None:
        """Park it if it is not parked."""
        state.unschedulable.setdefault(queued.pod.key, queued)


AXIS: Final = Axis[GatedPlacement](
    name="gated_placement",
    asks="Where does a pod go that a PreEnqueue plugin gates?",
    behaviours=(
        Behaviour(
            name="parked-always",
            does="Into unschedulablePods, also when a copy of it is in activeQ or backing off: it is in two places "
            "then.",
            rule=ParkedAlways(),
            upstream=("kubernetes#113275",),
        ),
        Behaviour(
            name="unless-queued",
            does="Into unschedulablePods, unless it is in activeQ or backing off; there it stays, marked as gated.",
            rule=UnlessQueued(),
        ),
        Behaviour(
            name="unless-queued-or-parked",
            does="As before, and one that is in unschedulablePods already stays as it is: a newly added object of the "
            "same name is dropped.",
            rule=UnlessQueuedOrParked(),
        ),
        Behaviour(
            name="replaces-parked",
            does="Into unschedulablePods, unless it is in activeQ or backing off; one that is there already is "
            "replaced by the new object.",
            rule=UnlessQueued(),
            upstream=("kubernetes#135368",),
        ),
    ),
)
