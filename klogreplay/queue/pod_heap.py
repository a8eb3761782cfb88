"""A keyed heap of queued pods: the shape of activeQ and of the backoff queues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any

from klogreplay.queue.types import QueuedPod

Entry = tuple[Any, ...]
"""A pod in a heap: its sort key, a sequence number that breaks ties by age, the pod itself (last)."""

MakeEntry = Callable[[QueuedPod, int], Entry]
"""Builds a pod's entry with the sequence number given; the sort key must not change while the pod is in the heap."""

_SLACK = 16


class PodHeap:
    """Pods by key, smallest entry first.

    Adding a key that is present replaces it. Replaced and removed entries stay in the heap list until they surface or
    until they outnumber the live ones, so memory and time stay proportional to the live pods. `entries` maps the keys
    of the pods to their entries and is for reading only.
    """

    __slots__ = ("_heap", "_make_entry", "_sequence", "entries")

    def __init__(self, make_entry: MakeEntry) -> None:
        """An empty heap."""
        self._make_entry = make_entry
        self.entries: dict[str, Entry] = {}
        self._heap: list[Entry] = []
        self._sequence = 0

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[QueuedPod]:
        """The pods in the order in which they would leave."""
        return (entry[-1] for entry in sorted(self.entries.values()))

    def get(self, key: str) -> QueuedPod | None:
        """The pod of this key, or None."""
        entry = self.entries.get(key)
        return None if entry is None else entry[-1]

    def add(self, queued: QueuedPod) -> None:
        """Add the pod, or replace the one of the same key."""
        self._sequence = sequence = self._sequence + 1
        entry = self._make_entry(queued, sequence)
        entries, heap = self.entries, self._heap
        entries[queued.pod.key] = entry
        heappush(heap, entry)
        if len(heap) > 2 * len(entries) + _SLACK:
            self._heap = list(entries.values())
            heapify(self._heap)

    def remove(self, key: str) -> QueuedPod | None:
        """Take the pod of this key out, wherever it stands; None if it is not there."""
        entry = self.entries.pop(key, None)
        return None if entry is None else entry[-1]

    def peek(self) -> QueuedPod | None:
        """The pod that would leave next, or None."""
        heap, entries = self._heap, self.entries
        while heap:
            queued: QueuedPod = heap[0][-1]
            if entries.get(queued.pod.key) is heap[0]:
                return queued
            heappop(heap)
        return None

    def pop(self) -> QueuedPod | None:
        """Take out the pod that is next, or None."""
        heap, entries = self._heap, self.entries
        while heap:
            entry = heappop(heap)
            queued: QueuedPod = entry[-1]
            key = queued.pod.key
            if entries.get(key) is entry:
                del entries[key]
                return queued
        return None
