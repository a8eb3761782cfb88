"""Putting one world to one queue: where does it hand the pod back to?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue import ClusterEvent, Pod, Profile, QueueConfig, QueuedPod, Registration, SchedulingQueue
from klogreplay.queue.actions import ADD, ALL
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.worlds import World

PARKED: Final = "Unschedulable"

_OWN, _HELD = "own", "held"
_TARGET = "target"
_AHEAD = 1_000

_CONFIG = QueueConfig(
    registrations={
        _OWN: (Registration("queue,queue", ALL), Registration("queue,skip", ALL)),
        _HELD: (Registration("queue,queue", ALL), Registration("skip,queue", ALL)),
    }
)
"""An event is named after what it means to this attempt's rejectors and to the plugins held before."""

_QUEUES: Final = {
    "active": "Active",
    "backoff": "Backoff",
    "errorBackoff": "Backoff",
    "unschedulable": PARKED,
}


class _Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


def outcome(profile: Profile, world: World, attempt: Attempt) -> str:
    """ "Active", "Backoff" or "Unschedulable": where `profile`'s queue puts the pod in this world."""
    queue = SchedulingQueue(profile, _CONFIG, _Clock())
    queue.add(Pod(_TARGET))
    if world.held:
        _hold(queue)
    popped: QueuedPod | None = None
    for what, arg in world.ops:
        if what == "pop":
            queue.add(Pod(arg, priority=_AHEAD))
            queue.pop()
        elif what == "done":
            queue.done(arg)
        elif what == "event":
            queue.move_all_to_active_or_backoff(ClusterEvent(arg, ADD, arg))
        elif what == "target-pop":
            popped = queue.pop()
        else:
            break
    if popped is None:
        raise ValueError("a world without the attempt's own Pop")
    own = () if attempt.is_error else (_OWN,)
    move = queue.handle_failure(popped, popped.pod, unschedulable=own, error=attempt.is_error)
    if move is None:
        raise ValueError("the queue let the pod go")
    return _QUEUES[move.where]


def _hold(queue: SchedulingQueue) -> None:
    """Let an earlier attempt be rejected, so that the entry holds a plugin if the release keeps it."""
    earlier = queue.pop()
    if earlier is None:
        raise ValueError("the pod just added is not in activeQ")
    queue.handle_failure(earlier, earlier.pod, unschedulable=(_HELD,))
    queue.activate([earlier.pod])
