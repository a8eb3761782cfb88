"""When a pod in backoffQ would have shown up again, and what silence until then says."""

from __future__ import annotations

import heapq
import itertools
import re

from klogreplay.replay.attempts import Attempt

SECOND_US = 1_000_000

FLUSH_EVERY_US = SECOND_US
"""backoffQ is flushed once a second (PriorityQueue.Run, all releases)."""

TICK_SLACK_US = 150_000
"""Jitter and drift of the flush ticker (20–40 ms and 1 ms a second were measured), with room."""

SILENCE_SLACK_US = FLUSH_EVERY_US + TICK_SLACK_US
"""A pod in backoffQ is moved within this after its expiry."""

QUIET_US = 900_000
"""A failed pod comes back from its backoff after this at the earliest, by default. Where no goroutine printed anything
for so long within an attempt, the end of it and the beginning of another may be missing."""

LOG_GAP_US = 30 * SECOND_US
"""A scheduler at -v=5 prints at least its lease renewals; a longer silence of all lines may be missing lines."""

_INITIAL = re.compile(r"podInitialBackoffSeconds: (\d{1,9})\b")
_MAX = re.compile(r"podMaxBackoffSeconds: (\d{1,9})\b")


class BackoffTimes:
    """The configured backoff: from the component config where it was printed, else the defaults (1 s, 10 s)."""

    def __init__(self) -> None:
        self.initial_us = SECOND_US
        self.max_us = 10 * SECOND_US
        self.configured = False

    def read_config(self, config: str) -> None:
        """Take the two settings from a printed KubeSchedulerConfiguration."""
        first, last = _INITIAL.search(config), _MAX.search(config)
        if first and last:
            self.initial_us = int(first[1]) * SECOND_US
            self.max_us = int(last[1]) * SECOND_US
            self.configured = True

    def of(self, queue_attempts: int | None) -> int:
        """Backoff after so many attempts (the longest one, where the counter is not known), in microseconds."""
        if queue_attempts is None:
            return self.max_us
        if queue_attempts < 1:
            return min(self.initial_us, self.max_us)
        return min(self.initial_us << min(queue_attempts - 1, 40), self.max_us)


_NEVER = 1 << 62


class Deadlines:
    """Pending attempts by the moment at which silence proves that they are not in backoffQ.

    `next_due` is the first moment to come; far away where nothing waits.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Attempt]] = []
        self._serial = itertools.count()
        self.next_due = _NEVER

    def add(self, due: int, attempt: Attempt) -> None:
        """Remember `attempt` until `due`."""
        heapq.heappush(self._heap, (due, next(self._serial), attempt))
        self.next_due = self._heap[0][0]

    def passed(self, t: int) -> list[tuple[int, Attempt]]:
        """Take out all attempts whose moment lies before `t`, with that moment."""
        out: list[tuple[int, Attempt]] = []
        heap = self._heap
        while heap and heap[0][0] < t:
            due, _, attempt = heapq.heappop(heap)
            out.append((due, attempt))
        self.next_due = heap[0][0] if heap else _NEVER
        return out
