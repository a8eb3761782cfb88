"""What is known of each live pod between its lines."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.rejectors import NOTHING, PluginSet


class PodState(msgspec.Struct):
    """One queue entry, as far as the log shows it.

    `attempts` counts the pod's failed or bound attempts seen in this log; `queue_attempts` is the entry's own counter
    and `held` its plugin set (both None where the entry's beginning was not seen). `ready_t` is when the pod last got
    into activeQ. `pending` is a failed attempt whose destination is not known yet, `parked` one that is in
    unschedulablePods, `refused` one whose hand-back a second entry will make the queue refuse.
    """

    pod: str
    attempts: int = 0
    queue_attempts: int | None = None
    held: PluginSet | None = None
    held_lines: tuple[tuple[int, str], ...] = ()
    ready_t: int | None = None
    pending: Attempt | None = None
    parked: Attempt | None = None
    rejected_by: str | None = None
    rejected_at: str | None = None
    plugin_failed_t: int | None = None
    bind_t: int | None = None
    second_entry: bool = False
    bound: bool = False
    claims: frozenset[str] | None = None

    def new_entry(self) -> None:
        """A fresh queue entry begins: nothing held, nothing counted."""
        self.queue_attempts = 0
        self.held = NOTHING
        self.held_lines = ()


class PodBook:
    """All live pods of one scheduler process; bound pods are kept only until their informer line has come."""

    MAX_BOUND = 20_000

    def __init__(self) -> None:
        self._pods: dict[str, PodState] = {}
        self._bound: dict[str, int] = {}

    def get(self, pod: str) -> PodState | None:
        """The pod's state, if it is known."""
        return self._pods.get(pod)

    def need(self, pod: str) -> PodState:
        """The pod's state; a pod first met in the middle of its life has an unknown entry."""
        state = self._pods.get(pod)
        if state is None:
            state = self._pods[pod] = PodState(pod)
        return state

    def added(self, pod: str) -> PodState:
        """The pod was added: a new entry whose beginning is known."""
        state = self._pods[pod] = PodState(pod)
        state.new_entry()
        self._bound.pop(pod, None)
        return state

    def bound(self, pod: str, t: int) -> None:
        """The pod was bound: nothing of it matters any more, but its informer's Delete line is still to come."""
        self._pods.pop(pod, None)
        self._bound[pod] = t
        if len(self._bound) > self.MAX_BOUND:
            self._bound.pop(next(iter(self._bound)))

    def take_bound(self, pod: str) -> bool:
        """Whether the pod's Delete line is the one that follows its binding."""
        return self._bound.pop(pod, None) is not None

    def deleted(self, pod: str) -> PodState | None:
        """The pod is gone; gives its last state."""
        return self._pods.pop(pod, None)

    def __iter__(self) -> Iterator[PodState]:
        return iter(self._pods.values())
