"""The cluster events a scheduler received, as far as its lines show them, each with the span in which it fell.

The queue handles one event under its lock, so every event has one moment; a line shows it exactly or bounds it. A
handler line ("Add event for node") is printed before the event reaches the queue: it is the lower bound, and the
next line of the same informer handler the upper one, since a handler runs one event at a time. Lines that the queue
prints while it handles an event stand between its lock and unlock, so a run of them is one moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from klogreplay.events.types import HintLine
from klogreplay.replay.answers import Answer

HANDLER_SLACK_US = 2_000
"""How long after its handler line an event reaches the queue at most, where no later line bounds it (measured)."""

MOST_BEFORE = 300
"""Events before a pod's own Pop that are looked at for its attempt; all but a few do not matter."""

MOST_WITHIN = 2_000
"""Events since a pod's own Pop, of which only some are told and weighed anyway."""

MOST_KEPT = 20_000
"""Events that are kept for those in flight."""

BURST_GAP_US = 20_000
"""Lines of one event for several parked pods stand closer together than this."""


class Observed(msgspec.Struct, gc=False):
    """One event: it fell between `lo` and `hi` (microseconds). `line` 0 means that it has no line of its own.

    `how` is "handler", "queue" or "derived". `pods` are the parked pods that were seen to react. `waker` is the pod
    whose own failure raised the event, for a derived one. `said` are the lines of the hint functions
    that were asked about it, `answers` what became of the pods they judged.
    """

    label: str
    lo: int
    hi: int
    line: int
    text: str
    obj: str | None
    how: str
    listener: str | None = None
    pods: set[str] | None = None
    waker: str | None = None
    last_line: int = 0
    said: Sequence[HintLine] | None = None
    answers: Sequence[Answer] | None = None


class Timeline:
    """Collects observed events in the order of their lines and forgets those older than every open window."""

    def __init__(self) -> None:
        self._events: deque[Observed] = deque()
        self._cut_before: int | None = None
        self._open: dict[str, Observed] = {}
        self._burst: Observed | None = None

    def handler(self, listener: str, label: str, obj: str, t: int, line: int, text: str) -> Observed:
        """A handler line that is followed by an event called `label`."""
        self.handler_quiet(listener, t)
        event = Observed(label, t, t + HANDLER_SLACK_US, line, text, obj, "handler", listener, last_line=line)
        self._open[listener] = event
        self._keep(event)
        return event

    def handler_quiet(self, listener: str, t: int) -> None:
        """A handler line without an event: it still ends the handling of the one before."""
        previous = self._open.pop(listener, None)
        if previous is not None and previous.how == "handler" and t < previous.hi:
            previous.hi = max(previous.lo, t)

    def queue_line(self, label: str, pod: str | None, t: int, line: int, text: str) -> Observed:
        """A line that the queue printed while it handled an event called `label` (for `pod`, or for none)."""
        burst = self._burst
        if (
            burst is not None
            and burst.label == label
            and t - burst.hi <= BURST_GAP_US
            and (pod is None or burst.pods is None or pod not in burst.pods)
        ):
            burst.hi = max(burst.hi, t)
            burst.last_line = line
        else:
            burst = self._begin(label, t, line, text)
        if pod is None:
            # "Event received while pods are in flight" is the last line of an event.
            self._burst = None
        else:
            if burst.pods is None:
                burst.pods = set()
            burst.pods.add(pod)
            self._burst = burst
        return burst

    def _begin(self, label: str, t: int, line: int, text: str) -> Observed:
        for event in self._open.values():
            if event.label == label and event.how == "handler" and event.lo <= t <= event.hi:
                event.how = "queue"
                event.lo = event.hi = t
                event.last_line = line
                return event
        event = Observed(label, t, t, line, text, None, "queue", last_line=line)
        self._keep(event)
        return event

    def other_queue_line(self) -> None:
        """A queue line that belongs to no cluster event: it ends a run."""
        self._burst = None

    def derived(self, label: str, lo: int, hi: int, waker: str) -> Observed:
        """An event without a line of its own that follows from another line."""
        event = Observed(label, lo, hi, 0, "", f"pod {waker}", "derived", waker=waker)
        self._keep(event)
        return event

    def around(self, lo: int, hi: int, start: int | None = None) -> tuple[list[Observed], bool]:
        """The events that may have fallen between `lo` and `hi`, and of those since `start` before it the last ones.

        In order of their lines; and whether some are missing, since there are more than anybody could weigh. A pod may
        be in flight for hours, or its end not be told: what was long before a window is not gone through for it.
        """
        start = lo if start is None else start
        found: list[Observed] = []
        crowded = self._cut_before is not None and lo <= self._cut_before
        before = 0
        for seen, event in enumerate(reversed(self._events)):
            if event.hi < lo:
                before += 1
                if before > MOST_BEFORE:
                    break
            elif seen - before >= MOST_WITHIN:
                crowded = True
                break
            if event.hi >= start and event.lo <= hi:
                found.append(event)
        found.reverse()
        return found, crowded

    def _keep(self, event: Observed) -> None:
        self._events.append(event)
        if len(self._events) > MOST_KEPT:
            dropped = self._events.popleft()
            self._cut_before = dropped.hi if self._cut_before is None else max(self._cut_before, dropped.hi)

    def forget_before(self, t: int) -> None:
        """Drop the events that ended before `t`."""
        events = self._events
        while events and events[0].hi < t:
            events.popleft()
