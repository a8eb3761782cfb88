"""Which failures make the backoff longer?"""

from __future__ import annotations

from typing import Final, Protocol

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod


class BackoffCount(Protocol):
    """The count from which the backoff follows."""

    def failures(self, queued: QueuedPod) -> int:
        """The count as of now; 0 for a pod without one."""

    def note_return(self, queued: QueuedPod) -> None:
        """A failed attempt of this pod was taken back."""


class Attempts:
    """All attempts count."""

    def failures(self, queued: QueuedPod) -> int:
        """The number of Pops."""
        return queued.attempts

    def note_return(self, queued: QueuedPod) -> None:
        """Pop has counted already."""


class FailuresByKind:
    """Rejections and consecutive errors are counted apart."""

    def failures(self, queued: QueuedPod) -> int:
        """The errors in a row, if the last attempt was one, else the rejections."""
        return queued.consecutive_errors_count or queued.unschedulable_count

    def note_return(self, queued: QueuedPod) -> None:
        """An error lengthens the row of errors; a rejection counts and ends the row."""
        if queued.unschedulable_plugins or queued.pending_plugins:
            queued.unschedulable_count += 1
            queued.consecutive_errors_count = 0
        else:
            queued.consecutive_errors_count += 1


AXIS: Final = Axis[BackoffCount](
    name="backoff_count",
    asks="Which failures make the backoff longer?",
    behaviours=(
        Behaviour(
            name="attempts",
            does="Every attempt: the backoff doubles with each Pop.",
            rule=Attempts(),
        ),
        Behaviour(
            name="failures-by-kind",
            does="Rejections and errors apart: errors start at the initial backoff again and do not lengthen the "
            "backoff of later rejections.",
            rule=FailuresByKind(),
            upstream=("kubernetes#128748",),
        ),
    ),
)
