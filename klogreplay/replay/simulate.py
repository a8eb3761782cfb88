"""Putting one world to one queue: where does it hand the pod back to?"""

from __future__ import annotations

from typing import Final

from klogreplay.queue import ClusterEvent, Pod, Profile, QueueConfig, QueuedPod, Registration, SchedulingQueue
from klogreplay.queue.actions import ADD, ALL
from klogreplay.replay.worlds import Op, World

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


_KEPT = 50_000
_KNOWN: dict[tuple[tuple[str, ...], tuple[Op, ...], bool, bool], str] = {}
"""Most windows are alike once what cannot matter is left out of them."""


class _Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


def outcome(profile: Profile, world: World, *, is_error: bool) -> str:
    """ "Active", "Backoff" or "Unschedulable": where `profile`'s queue puts the pod in this world."""
    key = (tuple(profile.behaviours.values()), world.ops, world.held, is_error)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= _KEPT:
            _KNOWN.clear()
        found = _KNOWN[key] = _run(profile, world.ops, held=world.held, is_error=is_error)
    return found


def _run(profile: Profile, ops: tuple[Op, ...], *, held: bool, is_error: bool) -> str:
    queue = SchedulingQueue(profile, _CONFIG, _Clock())
    queue.add(Pod(_TARGET))
    if held:
        _hold(queue)
    popped: QueuedPod | None = None
    for what, arg in ops:
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
    own = () if is_error else (_OWN,)
    move = queue.handle_failure(popped, popped.pod, unschedulable=own, error=is_error)
    assert move is not None  # It lets go only of pods that the informer has no more.
    return _QUEUES[move.where]


def _hold(queue: SchedulingQueue) -> None:
    """Let an earlier attempt be rejected, so that the entry holds a plugin if the release keeps it."""
    earlier = queue.pop()
    assert earlier is not None  # It was just added.
    queue.handle_failure(earlier, earlier.pod, unschedulable=(_HELD,))
    queue.activate([earlier.pod])
