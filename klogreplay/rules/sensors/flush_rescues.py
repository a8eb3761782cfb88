"""Pods that were bound at their first attempt after the periodic flush, or after a silence as long as it takes.

The flush changes nothing in the cluster. So what made such a pod schedulable came before it, and the queue had not
taken it for a reason to retry the pod.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE, TIMEOUT
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook

FLAG = "pod-max-in-unschedulable-pods-duration"
SECOND_US = 1_000_000
TICK_US = 30 * SECOND_US
"""unschedulablePods is looked through every 30 seconds from the start of the queue on (all releases)."""

OWN_PATCH_US = 2 * SECOND_US
"""The scheduler's own update of the pod's status comes back within this after a failure."""

LABELS = 16
"""Kinds of events that are told apart among those that a waiting pod was asked about."""
HINTS = 8
MOST_WAITING = 100_000
"""Pods that wait at once; below -v=3 nothing tells that a waiting pod was deleted."""
NODES_KEPT = 5_000
"""Nodes that joined, remembered for the pods that wait."""

_UNIT_US = {"h": 3600 * SECOND_US, "m": 60 * SECOND_US, "s": SECOND_US, "ms": 1000}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)", re.ASCII)

ClusterChange = ev.NodeAdded | ev.NodeDeleted | ev.AssignedPodAdded | ev.AssignedPodDeleted


class Asked(msgspec.Struct):
    """A kind of events about which the waiting pod was asked, every time with the answer skip."""

    event: str
    count: int
    last: ev.EventNotHelping


class _Wait(msgspec.Struct):
    failed: ev.AttemptFailed
    parked: ev.Moved | None = None
    flush: ev.Moved | None = None
    popped: ev.SchedulerEvent | None = None
    woken: bool = False
    asked: dict[str, Asked] = msgspec.field(default_factory=dict)
    hints: list[ev.HintLine] = msgspec.field(default_factory=list)
    updated: ev.PodUpdated | None = None
    changes: list[ClusterChange] = msgspec.field(default_factory=list)


class Rescue(msgspec.Struct):
    """A pod that failed, waited, and was bound at the next attempt, without any event that moved it.

    `flush` is the line of the flush; None where there was only silence. `waited_us` runs from the failure to the flush,
    else to the Pop, else (below -v=3) to the binding. `limit_us` is the scheduler's own flag, None where it was not
    printed. `off_tick_us` is how long after a tick of the flush the pod showed up again, `ticks` how many there had
    been; None where the start of the queue was not seen. `changes` are the nodes and assigned pods that came and went
    until the flush, of each kind the last; `joined` is the node that it got, if that came meanwhile. `asked` and
    `hints` are what queue and plugins said of the pod meanwhile. `updated` is the latest update of the pod that was not
    the scheduler's own note of the failure.
    """

    pod: str
    failed: ev.AttemptFailed
    parked: ev.Moved | None
    flush: ev.Moved | None
    popped: ev.SchedulerEvent | None
    bound: ev.Bound
    asked: list[Asked]
    hints: list[ev.HintLine]
    updated: ev.PodUpdated | None
    changes: list[ClusterChange]
    joined: ev.NodeAdded | None
    waited_us: int
    limit_us: int | None = None
    off_tick_us: int | None = None
    ticks: int | None = None


class FlushRescues(Sensor[Rescue]):
    """Follows each failed pod until it is bound, and keeps the latest changes of the cluster for all of them."""

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._waits: dict[str, _Wait] = {}
        self._latest: dict[type, ClusterChange] = {}
        self._joined: dict[str, ev.NodeAdded] = {}
        self._found: list[Rescue] = []
        self._limit_us: int | None = None
        self._queue_t: int | None = None

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.Flag: self._flag,
            ev.LeaderElection: self._leader,
            ev.AttemptFailed: self._failed,
            ev.Moved: self._moved,
            ev.Popped: self._popped,
            ev.Attempting: self._popped,
            ev.EventNotHelping: self._not_helping,
            ev.HintLine: self._hint,
            ev.PodUpdated: self._updated,
            ev.NodeAdded: self._node_added,
            ev.NodeDeleted: self._changed,
            ev.AssignedPodAdded: self._changed,
            ev.AssignedPodDeleted: self._changed,
            ev.PodAdded: self._added,
            ev.PodDeleted: self._deleted,
            ev.Bound: self._bound,
        }

    def finish(self) -> list[Rescue]:
        """See `Sensor`."""
        return self._found

    def _flag(self, event: ev.Flag) -> None:
        if event.name == FLAG:
            self._limit_us = duration_us(event.value)

    def _leader(self, event: ev.LeaderElection) -> None:
        if event.what == "acquired":
            self._queue_t = event.t

    def _failed(self, event: ev.AttemptFailed) -> None:
        self._waits.pop(event.pod, None)
        if len(self._waits) >= MOST_WAITING:
            del self._waits[next(iter(self._waits))]
        self._waits[event.pod] = _Wait(event)

    def _moved(self, event: ev.Moved) -> None:
        wait = self._waits.get(event.pod)
        if wait is None:
            return
        if event.event == FAILURE:
            wait.parked = event
            wait.woken = wait.woken or event.queue != "Unschedulable"
        elif event.event == TIMEOUT:
            if wait.flush is None:
                wait.flush = event
                wait.changes = [change for change in self._latest.values() if change.t >= wait.failed.t]
        elif event.queue != "Unschedulable" and wait.flush is None:
            wait.woken = True

    def _popped(self, event: ev.Popped | ev.Attempting) -> None:
        wait = self._waits.get(event.pod)
        if wait is not None and wait.popped is None:
            wait.popped = event

    def _not_helping(self, event: ev.EventNotHelping) -> None:
        wait = self._waits.get(event.pod)
        if wait is None or wait.flush is not None:
            return
        asked = wait.asked.get(event.event)
        if asked is not None:
            asked.count += 1
            asked.last = event
        elif len(wait.asked) < LABELS:
            wait.asked[event.event] = Asked(event.event, 1, event)

    def _hint(self, event: ev.HintLine) -> None:
        wait = self._waits.get(event.pod)
        if wait is None or event.worth is not False or wait.flush is not None:
            return
        for n, known in enumerate(wait.hints):
            if (known.plugin, known.message) == (event.plugin, event.message):
                wait.hints[n] = event
                return
        if len(wait.hints) < HINTS:
            wait.hints.append(event)

    def _updated(self, event: ev.PodUpdated) -> None:
        wait = self._waits.get(event.pod)
        if wait is not None and wait.popped is None and event.t - wait.failed.t > OWN_PATCH_US:
            wait.updated = event

    def _changed(self, event: ClusterChange) -> None:
        self._latest[type(event)] = event

    def _node_added(self, event: ev.NodeAdded) -> None:
        self._changed(event)
        self._joined.pop(event.node, None)
        self._joined[event.node] = event
        if len(self._joined) > NODES_KEPT:
            del self._joined[next(iter(self._joined))]

    def _added(self, event: ev.PodAdded) -> None:
        self._waits.pop(event.pod, None)

    def _deleted(self, event: ev.PodDeleted) -> None:
        # A pod that is being bound leaves this informer, too.
        wait = self._waits.get(event.pod)
        if wait is not None and wait.popped is None:
            del self._waits[event.pod]

    def _bound(self, event: ev.Bound) -> None:
        wait = self._waits.pop(event.pod, None)
        if wait is None or wait.woken or len(self._found) >= MOST:
            return
        until = wait.flush or wait.popped or event
        waited = until.t - wait.failed.t
        off, ticks = self._tick(until.t)
        if wait.flush is None and not self._long_enough(waited):
            return
        joined = self._joined.get(event.node or "")
        self._found.append(
            Rescue(
                pod=event.pod,
                failed=wait.failed,
                parked=wait.parked,
                flush=wait.flush,
                popped=wait.popped,
                bound=event,
                asked=list(wait.asked.values()),
                hints=wait.hints,
                updated=wait.updated,
                changes=sorted(wait.changes, key=lambda change: (change.source, change.line)),
                joined=joined if joined is not None and wait.failed.t <= joined.t <= until.t else None,
                waited_us=waited,
                limit_us=self._limit_us,
                off_tick_us=off,
                ticks=ticks,
            )
        )

    def _long_enough(self, waited: int) -> bool:
        limit = self._limit_us if self._limit_us is not None else 60 * SECOND_US
        return waited >= limit

    def _tick(self, t: int) -> tuple[int | None, int | None]:
        if self._queue_t is None or t < self._queue_t:
            return None, None
        ticks, off = divmod(t - self._queue_t, TICK_US)
        return off, ticks


def duration_us(text: str) -> int | None:
    """A Go duration ("5m0s", "1h", "90s") in microseconds; None where it is none."""
    total, at = 0.0, 0
    for part in _PART.finditer(text):
        if part.start() != at:
            return None
        total += float(part[1]) * _UNIT_US[part[2]]
        at = part.end()
    return int(total) if at and at == len(text) else None
