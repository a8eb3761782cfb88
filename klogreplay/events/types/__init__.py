"""The typed events: what a scheduler's line says about the queue, whatever version printed it.

Every event carries the record's first line number, its time `t` in microseconds on the log's own clock (see
`klogreplay.klog.clock`), the process id printed (None where the dialect prints none), the call site as "file.go:line"
and the first physical line as it stood. Pods are "namespace/name" as printed.
"""

from __future__ import annotations

from klogreplay.events.types.attempts import (
    AttemptFailed,
    Attempting,
    AttemptSkipped,
    BindAttempted,
    Bound,
    ConditionUpdated,
    DuplicateDiscarded,
    PluginFailed,
    PluginRejected,
    PluginStatus,
    PodGone,
    Popped,
    RequeueRefused,
    StatusPatchFailed,
)
from klogreplay.events.types.base import SchedulerEvent
from klogreplay.events.types.claims import ClaimLine
from klogreplay.events.types.dumps import CacheMismatch, NodeDump, QueueDump
from klogreplay.events.types.handlers import (
    AssignedPodAdded,
    AssignedPodDeleted,
    AssignedPodUpdated,
    NodeAdded,
    NodeDeleted,
    NodeUpdated,
    PodAdded,
    PodDeleted,
    PodUpdated,
)
from klogreplay.events.types.preemption import PreemptionLine, PreemptorMissing, VictimKept, VictimPreempted
from klogreplay.events.types.process import (
    ComponentConfig,
    FeatureGatesLogged,
    Flag,
    LeaderElection,
    SchedulerStarted,
    Terminating,
)
from klogreplay.events.types.queue import (
    EventNotHelping,
    EventOfNoInterest,
    EventReceived,
    FlushedPodBound,
    HintFailed,
    HintLine,
    InFlightEventChecked,
    InFlightEventsChecked,
    Moved,
    PreEnqueueStatus,
    QueueClosed,
    UpdateNotQueued,
    WorthRequeuing,
)

__all__ = [
    "AnyEvent",
    "AssignedPodAdded",
    "AssignedPodDeleted",
    "AssignedPodUpdated",
    "AttemptFailed",
    "AttemptSkipped",
    "Attempting",
    "BindAttempted",
    "Bound",
    "CacheMismatch",
    "ClaimLine",
    "ComponentConfig",
    "ConditionUpdated",
    "DuplicateDiscarded",
    "EventNotHelping",
    "EventOfNoInterest",
    "EventReceived",
    "FeatureGatesLogged",
    "Flag",
    "FlushedPodBound",
    "HintFailed",
    "HintLine",
    "InFlightEventChecked",
    "InFlightEventsChecked",
    "LeaderElection",
    "Moved",
    "NodeAdded",
    "NodeDeleted",
    "NodeDump",
    "NodeUpdated",
    "PluginFailed",
    "PluginRejected",
    "PluginStatus",
    "PodAdded",
    "PodDeleted",
    "PodGone",
    "PodUpdated",
    "Popped",
    "PreEnqueueStatus",
    "PreemptionLine",
    "PreemptorMissing",
    "QueueClosed",
    "QueueDump",
    "RequeueRefused",
    "SchedulerEvent",
    "SchedulerStarted",
    "StatusPatchFailed",
    "Terminating",
    "UpdateNotQueued",
    "VictimKept",
    "VictimPreempted",
    "WorthRequeuing",
]

AnyEvent = (
    PodAdded
    | PodUpdated
    | PodDeleted
    | AssignedPodAdded
    | AssignedPodUpdated
    | AssignedPodDeleted
    | NodeAdded
    | NodeUpdated
    | NodeDeleted
    | Popped
    | Attempting
    | AttemptSkipped
    | PluginFailed
    | PluginRejected
    | PluginStatus
    | AttemptFailed
    | ConditionUpdated
    | StatusPatchFailed
    | BindAttempted
    | Bound
    | RequeueRefused
    | PodGone
    | DuplicateDiscarded
    | Moved
    | EventNotHelping
    | EventReceived
    | InFlightEventsChecked
    | InFlightEventChecked
    | WorthRequeuing
    | EventOfNoInterest
    | UpdateNotQueued
    | HintFailed
    | HintLine
    | PreEnqueueStatus
    | FlushedPodBound
    | QueueClosed
    | QueueDump
    | NodeDump
    | CacheMismatch
    | VictimPreempted
    | VictimKept
    | PreemptorMissing
    | PreemptionLine
    | SchedulerStarted
    | Flag
    | FeatureGatesLogged
    | ComponentConfig
    | LeaderElection
    | Terminating
    | ClaimLine
)
