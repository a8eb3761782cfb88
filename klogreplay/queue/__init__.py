"""The reference scheduling queue: a pure model of the scheduler's queue, exact for each release.

`SchedulingQueue(profile, config, clock)` is the queue; `profile_for(release, gates)` says what that release does, as a
table of named behaviours (`klogreplay.queue.behaviours`), and `FIXES` are upstream's fixes as changes to such a table.
"""

from klogreplay.queue.fixes import FIXES, Fix
from klogreplay.queue.profiles import (
    REFERENCE,
    Profile,
    UnknownRelease,
    all_releases,
    nearest_release,
    profile_for,
    version_table,
)
from klogreplay.queue.scheduling_queue import SchedulingQueue
from klogreplay.queue.types import (
    AffinityTerm,
    AlreadyQueuedError,
    ClusterEvent,
    Hint,
    Move,
    Occurrence,
    Pod,
    PreEnqueue,
    QueueConfig,
    QueuedPod,
    QueueError,
    Registration,
    Strategy,
)

__all__ = [
    "FIXES",
    "REFERENCE",
    "AffinityTerm",
    "AlreadyQueuedError",
    "ClusterEvent",
    "Fix",
    "Hint",
    "Move",
    "Occurrence",
    "Pod",
    "PreEnqueue",
    "Profile",
    "QueueConfig",
    "QueueError",
    "QueuedPod",
    "Registration",
    "SchedulingQueue",
    "Strategy",
    "UnknownRelease",
    "all_releases",
    "nearest_release",
    "profile_for",
    "version_table",
]
