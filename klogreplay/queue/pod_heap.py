"""A keyed heap of queued pods: the shape of activeQ and of the backoff queues."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

from klogreplay.queue.types import QueuedPod

Order = Callable[[QueuedPod], tuple[int, ...]]
"""The sort key of a pod in a heap; fixed while the pod stays in it."""

_Entry = tuple[tuple[int, ...], int, QueuedPod]

_SLACK = 16


class PodHeap:
    """Pods by key, smallest order first.

    Adding a key that is present replaces it. Replaced and removed entries stay in the heap list until they surface or
    until they outnumber the live ones, so memory and time stay proportional to the live pods.
    """

    __slots__ = ("_entries", "_heap", "_order", "_sequence")

    def __init__(self, order: Order) -> None:
        """`order` gives the sort key; pods of equal order leave in the order they came."""
        self._order = order
        self._entries: dict[str, _Entry] = {}
        self._heap: list[_Entry] = []
        self._sequence = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[QueuedPod]:
        """The pods in the order in which they would leave."""
        return (entry[2] for entry in sorted(self._entries.values()))

    def get(self, key: str) -> QueuedPod | None:
        """The pod of this key, or None."""
        entry = self._entries.get(key)
        return None if entry is None else entry[2]

    def add(self, queued: QueuedPod) -> None:
        """Add the pod, or replace the one of the same key."""
        self._sequence = sequence = self._sequence + 1
        entry = (self._order(queued), sequence, queued)
        self._entries[queued.pod.key] = entry
        heap = self._heap
        heapq.heappush(heap, entry)
        if len(heap) > 2 * len(self._entries) + _SLACK:
            self._heap = list(self._entries.values())
            heapq.heapify(self._heap)

    def remove(self, key: str) -> QueuedPod | None:
        """Take the pod of this key out, wherever it stands; None if it is not there."""
        entry = self._entries.pop(key, None)
        return None if entry is None else entry[2]

    def peek(self) -> QueuedPod | None:
        """The pod that would leave next, or None."""
        heap, entries = self._heap, self._entries
        while heap:
            entry = heap[0]
            if entries.get(entry[2].pod.key) is entry:
                return entry[2]
            heapq.heappop(heap)
        return None

    def pop(self) -> QueuedPod | None:
        """Take out the pod that is next, or None."""
        heap, entries = self._heap, self._entries
        while heap:
            entry = heapq.heappop(heap)
            key = entry[2].pod.key
            if entries.get(key) is entry:
                del entries[key]
                return entry[2]
        return None
