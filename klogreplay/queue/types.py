"""What goes into the scheduling queue and what it holds: pods, events, registrations, configuration.

All times and durations are integer nanoseconds on the clock that was handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final, Literal

import msgspec

from klogreplay.queue.actions import ALL

WILDCARD: Final = "*"
"""The resource of a wildcard event or registration."""

NO_PLUGINS: Final[frozenset[str]] = frozenset()

Where = Literal["active", "backoff", "errorBackoff", "unschedulable"]
"""The queue a pod is in: activeQ, backoffQ, the error backoff queue (1.33+) or unschedulablePods."""


class Hint(IntEnum):
    """What a queueing hint function answers about one pod and one event.

    IMMEDIATELY is the QueueImmediately of 1.28; later releases read it as QUEUE. ERROR stands for a function that
    returned an error: the queue then retries the pod rather than risk to lose it.
    """

    SKIP = 0
    QUEUE = 1
    IMMEDIATELY = 2
    ERROR = 3


class Strategy(IntEnum):
    """What an event means to a pod as a whole; the numbers are those that the log prints as `hint` (1.29+)."""

    SKIP = 0
    AFTER_BACKOFF = 1
    IMMEDIATELY = 2


class AffinityTerm(msgspec.Struct, frozen=True, gc=False):
    """A required pod affinity term: labels the other pod must have, and the namespaces it may be in (empty: own)."""

    match_labels: Mapping[str, str]
    namespaces: tuple[str, ...] = ()


class Pod(msgspec.Struct, gc=False):
    """A pod as the queue sees it; `key` is "namespace/name".

    `uid` defaults to the key, for logs that print none. `requests` are resource quantities by name.
    `scheduling_gates`, `tolerations`, `claim_statuses` (status.resourceClaimStatuses) and `status` may hold anything
    that compares by value. A pod counts as changed when anything but `status`, `claim_statuses` and
    `resource_version` differs.
    """

    key: str
    uid: str = ""
    priority: int = 0
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
    requests: Mapping[str, int] = {}
    required_affinity: tuple[AffinityTerm, ...] = ()
    scheduling_gates: tuple[object, ...] = ()
    tolerations: tuple[object, ...] = ()
    node: str = ""
    claim_statuses: object = None
    status: object = None
    resource_version: str = ""

    def __post_init__(self) -> None:
        """Use the key for want of a UID."""
        if not self.uid:
            self.uid = self.key

    @property
    def namespace(self) -> str:
        """The namespace, the part of the key before the slash."""
        return self.key.partition("/")[0]


class ClusterEvent(msgspec.Struct, frozen=True, gc=False):
    """Something that happened in the cluster: a resource, an action (bits of `klogreplay.queue.actions`), a label.

    `label` is what the log prints; it takes no part in any decision.
    """

    resource: str
    action: int
    label: str = ""

    @property
    def is_wildcard(self) -> bool:
        """Whether the event concerns everything, whatever the plugins registered for."""
        return self.resource == WILDCARD and self.action == ALL


class Occurrence(msgspec.Struct, gc=False):
    """One delivery of a cluster event with the objects it came with.

    `old` and `new` are the objects before and after; an addition has no `old`, a deletion no `new`.
    """

    event: ClusterEvent
    old: object = None
    new: object = None

    @property
    def label(self) -> str:
        """The event's label."""
        return self.event.label


HintFunction = Callable[[str, Pod, Occurrence], Hint]
"""A queueing hint function: (plugin, pod, occurrence) -> Hint."""


class Registration(msgspec.Struct, frozen=True, gc=False):
    """An event a plugin registered for; without a hint function every match means QUEUE."""

    resource: str
    action_mask: int
    hint: HintFunction | None = None

    @property
    def is_wildcard(self) -> bool:
        """Whether the plugin registered for everything."""
        return self.resource == WILDCARD and self.action_mask == ALL


class PreEnqueue(msgspec.Struct, frozen=True, gc=False):
    """A PreEnqueue plugin: `passes(pod)` is false for a pod it gates."""

    name: str
    passes: Callable[[Pod], bool]


class QueueConfig(msgspec.Struct, frozen=True, gc=False):
    """What the scheduler hands its queue.

    Durations in nanoseconds. `max_in_unschedulable_ns` None stands for the release's default (one or five minutes).
    `pre_enqueue` runs in order; the first plugin that does not pass gates the pod. `registrations` has every
    enabled plugin. With SchedulerQueueingHints off the scheduler itself replaces every hint function by "always
    queue" before the queue sees it: leave the functions out then. Upstream defaults: 1 s, 10 s.
    """

    initial_backoff_ns: int = 1_000_000_000
    max_backoff_ns: int = 10_000_000_000
    max_in_unschedulable_ns: int | None = None
    pre_enqueue: tuple[PreEnqueue, ...] = ()
    registrations: Mapping[str, tuple[Registration, ...]] = {}


class QueuedPod(msgspec.Struct, gc=False):
    """A pod with the queue's own notes on it (upstream's QueuedPodInfo).

    `timestamp` is the time it entered the queue, renewed at each hand-back; `initial_attempt_timestamp` None until
    set. `gating_plugin` is empty while no PreEnqueue plugin holds the pod. The two counts are kept from 1.34 on,
    `was_flushed` from 1.36 on.
    """

    pod: Pod
    timestamp: int
    attempts: int = 0
    initial_attempt_timestamp: int | None = None
    unschedulable_plugins: frozenset[str] = NO_PLUGINS
    pending_plugins: frozenset[str] = NO_PLUGINS
    gating_plugin: str = ""
    unschedulable_count: int = 0
    consecutive_errors_count: int = 0
    was_flushed: bool = False

    @property
    def gated(self) -> bool:
        """Whether a PreEnqueue plugin held the pod when they ran last."""
        return self.gating_plugin != ""

    @property
    def rejector_plugins(self) -> frozenset[str]:
        """The plugins that made the attempt fail: unschedulable plus pending."""
        pending = self.pending_plugins
        return self.unschedulable_plugins | pending if pending else self.unschedulable_plugins


class Move(msgspec.Struct, gc=False):
    """Where a decision put a pod, by which strategy, and which occurrence decided it (None where none did)."""

    pod: QueuedPod
    where: Where
    strategy: Strategy
    because: Occurrence | None = None


class QueueError(Exception):
    """The queue refused an operation; the text is upstream's."""


class AlreadyQueuedError(QueueError):
    """A failed pod was handed back that is queued already; `where` is "active", "backoff" or "unschedulable"."""

    def __init__(self, key: str, where: Literal["active", "backoff", "unschedulable"]) -> None:
        """`key` is the pod's "namespace/name"."""
        article = "" if where == "unschedulable" else "the "
        super().__init__(f"Pod {key} is already present in {article}{where} queue")
        self.key = key
        self.where = where
