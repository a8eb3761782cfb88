"""How finely is the end of a backoff told, and in which order do pods leave backoffQ?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.pod_heap import Entry, MakeEntry
from klogreplay.queue.types import QueuedPod

Expiry = Callable[[QueuedPod], int | None]

_SECOND_NS: Final = 1_000_000_000


class BackoffWindow(Protocol):
    """The grain of backoff times."""

    def align(self, time_ns: int) -> int:
        """The time, cut to the grain."""

    def entry(self, expiry: Expiry) -> MakeEntry:
        """How backoffQ builds its entries, given how a pod's expiry is told."""


class Exact:
    """Backoff times as they are; order by expiry."""

    def align(self, time_ns: int) -> int:
        """The time itself."""
        return time_ns

    def entry(self, expiry: Expiry) -> MakeEntry:
        """By expiry."""
        return entry_by_expiry(expiry)


class WholeSecond:
    """Expiry and now are cut down to whole seconds; within a second, order as in activeQ."""

    def align(self, time_ns: int) -> int:
        """The whole second the time is in."""
        return time_ns - time_ns % _SECOND_NS

    def entry(self, expiry: Expiry) -> MakeEntry:
        """By expiry, then priority, then timestamp."""

        def by_second_then_priority(queued: QueuedPod, sequence: int) -> Entry:
            return (expiry(queued) or 0, -queued.pod.priority, queued.timestamp, sequence, queued)

        return by_second_then_priority


def entry_by_expiry(expiry: Expiry) -> MakeEntry:
    """Entries ordered by expiry; a pod without one comes first."""

    def by_expiry(queued: QueuedPod, sequence: int) -> Entry:
        return (expiry(queued) or 0, sequence, queued)

    return by_expiry


AXIS: Final = Axis[BackoffWindow](
    name="backoff_window",
    asks="How finely is the end of a backoff told?",
    behaviours=(
        Behaviour(
            name="exact",
            does="To the nanosecond; pods leave backoffQ by expiry.",
            rule=Exact(),
        ),
        Behaviour(
            name="whole-second",
            does="Expiry and now are cut down to the whole second, and pods of one second leave backoffQ by priority "
            "(SchedulerPopFromBackoffQ on).",
            rule=WholeSecond(),
            upstream=("kubernetes#130680",),
        ),
    ),
)
