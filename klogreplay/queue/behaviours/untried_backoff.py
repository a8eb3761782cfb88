"""When does the backoff of a pod end that has no failure yet?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueueConfig, QueuedPod

UntriedBackoff = Callable[[QueuedPod, QueueConfig], int | None]


def _initial_backoff(queued: QueuedPod, config: QueueConfig) -> int | None:
    return queued.timestamp + config.initial_backoff_ns


def _at_timestamp(queued: QueuedPod, config: QueueConfig) -> int | None:
    return queued.timestamp


def _none(queued: QueuedPod, config: QueueConfig) -> int | None:
    return None


AXIS: Final = Axis[UntriedBackoff](
    name="untried_backoff",
    asks="When does the backoff of a pod end that has no failure yet (a gated pod, for one)?",
    behaviours=(
        Behaviour(
            name="initial-backoff",
            does="After the initial backoff, as if it had failed once.",
            rule=_initial_backoff,
        ),
        Behaviour(
            name="at-timestamp",
            does="At its timestamp: a duration of zero.",
            rule=_at_timestamp,
            upstream=("kubernetes#126029",),
        ),
        Behaviour(
            name="no-backoff",
            does="It has no backoff at all.",
            rule=_none,
        ),
    ),
)
