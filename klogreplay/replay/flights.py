"""Pods in flight: when each was popped and when the queue was told that it is done, as spans of time.

The real Pop is earlier than its line and Done has no line at all. Both are therefore spans: `pop_lo`–`pop_hi` and
`done_lo`–`done_hi`, in microseconds on the log's clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import count, islice

import msgspec

POP_SLACK_US = 2_000
"""The scheduling goroutine prints the line of a Pop within this after it.

Of 29,549 attempts recorded with their checked events, 33 had counted an event printed before their Pop was, the
earliest 0.4 ms before.
"""

BOUND_DONE_SLACK_US = 2_000
"""Done follows "Successfully bound" within this (PostBind plugins run between; measured)."""

MAX_PAST = 20_000

MOST_BESIDE = 2_000
"""Flights beside one that are looked at: more are in flight at once only where a clock stands still."""

SURELY_OVER_RUN = 64
"""Flights are kept in the order of their ends; so many in a row that are surely over mean that the rest is, too."""


class Flight(msgspec.Struct, gc=False):
    """One attempt from Pop to Done. `done_lo` None: the end is not known (yet).

    `serial`: it failed within its scheduling cycle. Those follow each other, so it was handed back before the next Pop.
    """

    pod: str
    pop_lo: int
    pop_hi: int
    line: int
    text: str
    window_start: int
    attempting: bool = False
    serial: bool = False
    done_lo: int | None = None
    done_hi: int | None = None

    def surely_over_by(self, t: int) -> bool:
        """Whether Done came before `t` in every reading."""
        return self.done_hi is not None and self.done_hi < t

    def possibly_open_within(self, lo: int, hi: int) -> bool:
        """Whether the pod may have been in flight at some moment of the span."""
        return self.pop_lo <= hi and not self.surely_over_by(lo)


class _Oldest:
    """The first of some open flights by a moment of each; those no longer open are dropped as they come up."""

    def __init__(self, still_open: dict[str, Flight]) -> None:
        self._open = still_open
        self._heap: list[tuple[int, int, Flight]] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, moment: int, flight: Flight) -> None:
        # Nobody may ever ask for the first: only here is the heap sure to be trimmed.
        self._trim()
        heappush(self._heap, (moment, next(self._numbers), flight))

    def first(self) -> Flight | None:
        self._trim()
        heap, still_open = self._heap, self._open
        while heap and still_open.get(heap[0][2].pod) is not heap[0][2]:
            heappop(heap)
        return heap[0][2] if heap else None

    def _trim(self) -> None:
        heap, still_open = self._heap, self._open
        if len(heap) > 2 * len(still_open) + SURELY_OVER_RUN:
            heap[:] = [one for one in heap if still_open.get(one[2].pod) is one[2]]
            heapify(heap)


class Flights:
    """The pods in flight of one scheduler process."""

    def __init__(self) -> None:
        self.open: dict[str, Flight] = {}
        self._windows = _Oldest(self.open)
        self._pops = _Oldest(self.open)
        self._past: deque[Flight] = deque()
        self._last: Flight | None = None
        self._sched_t: int | None = None
        self._cycle_end_hi: int | None = None
        self.cut_before: int | None = None

    def begin(self, t: int) -> None:
        """Scheduling begins: no pod is popped before."""
        self._sched_t = t

    @property
    def busy(self) -> bool:
        """Whether any pod was ever popped."""
        return self._last is not None

    def pop(
        self, pod: str, t: int, line: int, text: str, ready_t: int | None, *, attempting: bool, deep: bool = True
    ) -> Flight:
        """A pod was popped, shown by `line` at `t`; it cannot have been before `ready_t` (in activeQ only then).

        `deep`: its window must reach back to the Pop of everybody who may be in flight now.
        """
        stale = self.open.pop(pod, None)
        if stale is not None:
            stale.done_lo = stale.pop_hi if stale.done_lo is None else stale.done_lo
            stale.done_hi = max(t, stale.done_lo)
            self._retire(stale)
        low = t - POP_SLACK_US
        if ready_t is not None and low < ready_t <= t:
            low = ready_t
        if self._sched_t is not None and low < self._sched_t <= t:
            low = self._sched_t
        self._close_previous_cycle(t)
        start = self._oldest_pop(low) if deep else low
        flight = Flight(pod, low, t, line, text, min(start, low), attempting)
        self.open[pod] = flight
        self._windows.add(flight.window_start, flight)
        self._pops.add(low, flight)
        self._cycle_end_hi = None
        self._last = flight
        self._sched_t = t
        return flight

    def _oldest_pop(self, t: int) -> int:
        """The earliest Pop of those who may be in flight at `t`; `t` where nobody is."""
        first = self._pops.first()
        if first is not None and first.surely_over_by(t):
            return min((f.pop_lo for f in islice(self.overlapping(t, t), MOST_BESIDE)), default=t)
        start = t if first is None else min(first.pop_lo, t)
        past = islice(self._past_overlapping(t, t), MOST_BESIDE)
        return min(start, min((f.pop_lo for f in past), default=t))

    def _close_previous_cycle(self, t: int) -> None:
        previous = self._last
        if previous is not None and previous.serial and previous.done_hi is None:
            previous.done_hi = t

    def attempting(self, pod: str, t: int) -> Flight | None:
        """The scheduling cycle of a popped pod begins; None where its Pop was not seen."""
        flight = self.open.get(pod)
        if flight is None or flight.attempting or flight.done_lo is not None:
            return None
        flight.attempting = True
        self._sched_t = t
        return flight

    def scheduling_line(self, pod: str, t: int) -> None:
        """A line that the scheduling goroutine printed for the pod it works on."""
        if self._last is not None and self._last.pod == pod:
            self._sched_t = t

    def cycle_over(self, pod: str, t: int) -> None:
        """The scheduling cycle of `pod` was over by `t` (its binding cycle speaks, or its failure is handled)."""
        if self._last is not None and self._last.pod == pod and self._cycle_end_hi is None:
            self._cycle_end_hi = t

    def failed(self, pod: str, t: int, *, in_cycle: bool) -> bool:
        """The failure of `pod` was printed at `t`; gives whether that was within its scheduling cycle.

        `in_cycle` says whether the failure is of a kind that happens there: it did if nobody was popped since.
        """
        serial = in_cycle and self._last is not None and self._last.pod == pod
        if serial:
            self._sched_t = t
            self.cycle_over(pod, t)
        flight = self.end(pod, t, None)
        if flight is not None:
            flight.serial = serial
        return serial

    def end(self, pod: str, lo: int, hi: int | None) -> Flight | None:
        """Done for `pod` came between `lo` and `hi` (None: until another line says more)."""
        flight = self.open.get(pod)
        if flight is None:
            return None
        if flight.done_lo is None:
            flight.done_lo = lo
        if hi is not None:
            flight.done_hi = hi if flight.done_hi is None else min(flight.done_hi, hi)
            del self.open[pod]
            self._retire(flight)
        return flight

    def settle(self, pod: str, t: int) -> None:
        """A flight whose end had begun was over by `t`."""
        flight = self.open.get(pod)
        if flight is not None and flight.done_lo is not None:
            self.end(pod, flight.done_lo, max(t, flight.done_lo))

    def _retire(self, flight: Flight) -> None:
        self._past.append(flight)
        if len(self._past) > MAX_PAST:
            dropped = self._past.popleft()
            self.cut_before = dropped.done_hi

    def beside(self, flight: Flight | None, hi: int) -> tuple[list[Flight], bool]:
        """The others that may share a moment with the flight up to `hi`; and whether there are too many to tell all."""
        if flight is None:
            return [], False
        found = list(islice(self.overlapping(flight.pop_lo, hi), MOST_BESIDE))
        return [other for other in found if other is not flight], len(found) == MOST_BESIDE

    def overlapping(self, lo: int, hi: int) -> Iterator[Flight]:
        """All flights that may share a moment with the span."""
        yield from self._past_overlapping(lo, hi)
        for flight in self.open.values():
            if flight.possibly_open_within(lo, hi):
                yield flight

    def _past_overlapping(self, lo: int, hi: int) -> Iterator[Flight]:
        over = 0
        for flight in reversed(self._past):
            if flight.surely_over_by(lo):
                over += 1
                if over >= SURELY_OVER_RUN:
                    break
                continue
            over = 0
            if flight.pop_lo <= hi:
                yield flight

    def idle_since(self, t: int) -> int | None:
        """Since when the scheduling goroutine had been idle at `t`; None where it may have been busy."""
        if self._last is None or self._cycle_end_hi is None or self._cycle_end_hi > t:
            return None
        return self._cycle_end_hi

    def oldest_window(self) -> int | None:
        """The earliest moment that a window still open may ask for; None where no pod is in flight."""
        first = self._windows.first()
        return None if first is None else first.window_start

    def forget_before(self, t: int) -> None:
        """Drop the flights that ended before `t`."""
        past = self._past
        while past and past[0].surely_over_by(t):
            past.popleft()
