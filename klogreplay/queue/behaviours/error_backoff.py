"""Where do pods back off that no plugin rejected?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import QueuedPod

if TYPE_CHECKING:
    from klogreplay.queue.state import QueueState

ErrorBackoff = Callable[["QueueState", QueuedPod], None]


def _with_the_others(state: QueueState, queued: QueuedPod) -> None:
    state.backoff.add(queued)


def _own_queue(state: QueueState, queued: QueuedPod) -> None:
    if queued.unschedulable_plugins or queued.pending_plugins:
        chosen, other = state.backoff, state.error_backoff
    else:
        chosen, other = state.error_backoff, state.backoff
    chosen.add(queued)
    other.remove(queued.pod.key)


AXIS: Final = Axis[ErrorBackoff](
    name="error_backoff",
    asks="Where do pods back off that no plugin rejected?",
    behaviours=(
        Behaviour(
            name="in-backoffq",
            does="In backoffQ with the others.",
            rule=_with_the_others,
        ),
        Behaviour(
            name="own-queue",
            does="In a backoff queue of their own, from which Pop never takes early.",
            rule=_own_queue,
            upstream=("kubernetes#130214",),
        ),
    ),
)
