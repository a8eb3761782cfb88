"""Small queues for the tests: a clock that is set by hand, two plugins, pods by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from klogreplay.queue import (
    ClusterEvent,
    Hint,
    Pod,
    PreEnqueue,
    Profile,
    QueueConfig,
    QueuedPod,
    Registration,
    SchedulingQueue,
    profile_for,
)
from klogreplay.queue.actions import (
    ADD,
    ALL,
    DELETE,
    UPDATE_NODE_LABEL,
    UPDATE_POD_LABEL,
    UPDATE_POD_SCALE_DOWN,
    action_mask,
)

SECOND = 1_000_000_000
NODE_ADD = ClusterEvent("Node", ADD, "NodeAdd")
NODE_LABEL = ClusterEvent("Node", UPDATE_NODE_LABEL, "NodeLabelChange")
PVC_ADD = ClusterEvent("PersistentVolumeClaim", ADD, "PvcAdd")
WILDCARD = ClusterEvent("*", ALL, "WildCardEvent")

FIT, LABEL, GATE, SHRINK = "NodeResourcesFit", "NodeAffinity", "Gate", "Shrink"
REGISTRATIONS: Mapping[str, tuple[Registration, ...]] = {
    FIT: (Registration("Node", ADD), Registration("Pod", DELETE)),
    LABEL: (Registration("Node", ADD | UPDATE_NODE_LABEL), Registration("Pod", UPDATE_POD_LABEL)),
    SHRINK: (Registration("Pod", UPDATE_POD_SCALE_DOWN),),
    GATE: (Registration("Node", ADD), Registration("Pod", action_mask("Update"))),
}


EVERYTHING = Registration("*", ALL)
"""What a plugin registers that wants every event."""


class Clock:
    """Nanoseconds; every read moves it on by one, so that no two timestamps are equal."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


class Bench:
    """A queue under test with its clock and its gate.

    Pods whose key is in `closed` are gated by the plugin Gate.
    """

    def __init__(
        self,
        profile: Profile | str,
        *,
        hints: Mapping[str, Callable[..., Hint]] | None = None,
        gates: Mapping[str, bool] | None = None,
        **config: object,
    ) -> None:
        self.clock = Clock()
        self.closed: set[str] = set()
        registrations = {
            plugin: tuple(Registration(r.resource, r.action_mask, (hints or {}).get(plugin)) for r in registered)
            for plugin, registered in REGISTRATIONS.items()
        }
        settings = {"registrations": registrations, "pre_enqueue": (PreEnqueue(GATE, self._passes),), **config}
        self.queue = SchedulingQueue(
            profile_for(profile, gates) if isinstance(profile, str) else profile, QueueConfig(**settings), self.clock
        )

    def _passes(self, pod: Pod) -> bool:
        return pod.key not in self.closed

    def pod(self, name: str, **fields: object) -> Pod:
        return Pod(f"default/{name}", f"uid-{name}", **fields)

    def add(self, name: str, **fields: object) -> Pod:
        pod = self.pod(name, **fields)
        self.queue.add(pod)
        return pod

    def pop(self) -> QueuedPod:
        queued = self.queue.pop()
        assert queued is not None
        return queued

    def fail(self, queued: QueuedPod, *plugins: str, pending: tuple[str, ...] = (), **more: object) -> object:
        error = not plugins and not pending
        return self.queue.handle_failure(
            queued, queued.pod, unschedulable=plugins, pending=pending, error=error, **more
        )

    def park(self, name: str, *plugins: str, **fields: object) -> QueuedPod:
        """Add a pod and let one attempt of it fail without any concurrent event."""
        self.add(name, **fields)
        queued = self.pop()
        self.fail(queued, *(plugins or (FIT,)))
        return queued

    def sleep(self, seconds: float) -> None:
        self.clock.now += int(seconds * SECOND)

    def places(self, name: str) -> tuple[str, ...]:
        return self.queue.places(f"default/{name}")
