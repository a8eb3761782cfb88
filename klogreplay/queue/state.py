"""The queue's state, and the questions about it that several behaviours ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from klogreplay.queue.behaviours.backoff_window import entry_by_expiry
from klogreplay.queue.pod_heap import Entry, PodHeap
from klogreplay.queue.types import ClusterEvent, HintFunction, QueueConfig, QueuedPod, Where

if TYPE_CHECKING:
    from klogreplay.queue.rules import Rules

Interested = Mapping[str, tuple[HintFunction | None, ...]]
"""Plugins that registered for an event, each with its hint functions for it."""

_MAX_SHIFT = 62


class QueueState:
    """activeQ, the backoff queues, unschedulablePods, the in-flight bookkeeping and the two cycle counters."""

    __slots__ = (
        "_last_event",
        "_last_interested",
        "_matches",
        "active",
        "backoff",
        "clock",
        "config",
        "error_backoff",
        "in_flight",
        "max_in_unschedulable_ns",
        "move_request_cycle",
        "rules",
        "scheduling_cycle",
        "unschedulable",
    )

    def __init__(self, rules: Rules, config: QueueConfig, clock: Callable[[], int]) -> None:
        """An empty queue; `clock` returns nanoseconds and must not run backwards."""
        self.rules = rules
        self.config = config
        self.clock = clock
        limit = config.max_in_unschedulable_ns
        self.max_in_unschedulable_ns = rules.leftover_limit if limit is None else limit
        self.active = PodHeap(_active_entry)
        self.backoff = PodHeap(rules.backoff_window.entry(self.backoff_expiry))
        self.error_backoff = PodHeap(entry_by_expiry(self.backoff_expiry))
        self.unschedulable: dict[str, QueuedPod] = {}
        self.in_flight = rules.in_flight()
        self.scheduling_cycle = 0
        self.move_request_cycle = -1
        self._matches: dict[tuple[str, int], Interested] = {}
        self._last_event: ClusterEvent | None = None
        self._last_interested: Interested = {}

    def interested(self, event: ClusterEvent) -> Interested:
        """The plugins that registered for this event, each with its hint functions for it."""
        if event is self._last_event:
            return self._last_interested
        key = (event.resource, event.action)
        found = self._matches.get(key)
        if found is None:
            matches = self.rules.event_matching
            found = {}
            for plugin, registrations in self.config.registrations.items():
                hints = tuple(known.hint for known in registrations if matches(known, event))
                if hints:
                    found[plugin] = hints
            self._matches[key] = found
        self._last_event, self._last_interested = event, found
        return found

    def backoff_expiry(self, queued: QueuedPod) -> int | None:
        """When the pod's backoff ends, as of now; None where it has none.

        min(initial * 2^(n-1), max) after the timestamp, n by the release's way of counting.
        """
        rules, config = self.rules, self.config
        if config.max_backoff_ns <= 0 and rules.zero_max_backoff:
            return None
        count = rules.backoff_count.failures(queued)
        if count == 0:
            end = rules.untried_backoff(queued, config)
            if end is None:
                return None
        else:
            duration = config.initial_backoff_ns << min(count - 1, _MAX_SHIFT)
            end = queued.timestamp + min(duration, config.max_backoff_ns)
        return rules.backoff_window.align(end)

    def is_backing_off(self, queued: QueuedPod) -> bool:
        """Whether the pod must still wait before its next attempt."""
        rules = self.rules
        if rules.gated_backoff and queued.gating_plugin:
            return False
        expiry = self.backoff_expiry(queued)
        return expiry is not None and rules.backoff_end(expiry, rules.backoff_window.align(self.clock()))

    def waiting(self, key: str) -> QueuedPod | None:
        """The pod in backoffQ or the error backoff queue, or None."""
        return self.backoff.get(key) or self.error_backoff.get(key)

    def places(self, key: str) -> tuple[Where, ...]:
        """The queues the pod is in; more than one only in the real double places (docs/queue-model.md)."""
        found: list[Where] = []
        if key in self.active:
            found.append("active")
        if key in self.backoff:
            found.append("backoff")
        if key in self.error_backoff:
            found.append("errorBackoff")
        if key in self.unschedulable:
            found.append("unschedulable")
        return tuple(found)


def _active_entry(queued: QueuedPod, sequence: int) -> Entry:
    return (-queued.pod.priority, queued.timestamp, sequence, queued)
