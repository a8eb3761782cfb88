"""Where on a pod's ways do the PreEnqueue plugins run?"""

from __future__ import annotations

from typing import Final, Protocol

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.placement import LeavesBackoff


class PreEnqueuePoints(Protocol):
    """The points at which the PreEnqueue plugins run."""

    before_backoff: bool
    """Whether they run before a pod enters a backoff queue."""

    def runs_before_active(self, leaves_backoff: LeavesBackoff) -> bool:
        """Whether they run before a pod enters activeQ, which may come from a backoff queue."""


class Nowhere:
    """There are no PreEnqueue plugins."""

    before_backoff = False

    def runs_before_active(self, leaves_backoff: LeavesBackoff) -> bool:
        """Never."""
        return False


class EnteringActive:
    """Before every entry to activeQ."""

    before_backoff = False

    def runs_before_active(self, leaves_backoff: LeavesBackoff) -> bool:
        """Always."""
        return True


class EnteringActiveButFlush(EnteringActive):
    """Before every entry to activeQ but that at the end of a backoff."""

    def runs_before_active(self, leaves_backoff: LeavesBackoff) -> bool:
        """Unless the backoff is complete."""
        return leaves_backoff != "complete"


class EnteringBackoffToo(EnteringActiveButFlush):
    """Before backoff as well, so not again when the backoff is complete."""

    before_backoff = True


class EnteringBackoffTrusted(EnteringBackoffToo):
    """Before backoff as well, so not again when a pod leaves a backoff queue, by whatever."""

    def runs_before_active(self, leaves_backoff: LeavesBackoff) -> bool:
        """Unless the pod comes from a backoff queue."""
        return leaves_backoff == ""


AXIS: Final = Axis[PreEnqueuePoints](
    name="pre_enqueue",
    asks="Where do the PreEnqueue plugins run?",
    behaviours=(
        Behaviour(
            name="nowhere",
            does="There are none; pods are never gated.",
            rule=Nowhere(),
        ),
        Behaviour(
            name="entering-active-but-flush",
            does="Before a pod enters activeQ, except at the end of its backoff.",
            rule=EnteringActiveButFlush(),
        ),
        Behaviour(
            name="entering-active",
            does="Before a pod enters activeQ, on every way.",
            rule=EnteringActive(),
            upstream=("kubernetes#113275", "kubernetes#117194"),
        ),
        Behaviour(
            name="entering-backoff-too",
            does="Before backoff and before activeQ, but not at the end of a backoff: a pod that became gated while "
            "it backed off gets through (SchedulerPopFromBackoffQ on).",
            rule=EnteringBackoffToo(),
            upstream=("kubernetes#130772",),
        ),
        Behaviour(
            name="entering-backoff-trusted",
            does="As before, and Activate of a pod in a backoff queue does not run them either.",
            rule=EnteringBackoffTrusted(),
            upstream=("kubernetes#133518",),
        ),
    ),
)
