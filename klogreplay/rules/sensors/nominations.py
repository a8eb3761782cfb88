"""Nominated pods (preemptors that wait for room on a node) that went away without taking it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensor
from klogreplay.rules.sensors.flights import FlightBook


class NominationOver(msgspec.Struct):
    """A nomination that ended without its pod on the node: it was deleted, or bound to another node ("elsewhere")."""

    pod: str
    node: str
    how: Literal["deleted", "elsewhere"]
    nominated: ev.SchedulerEvent
    event: ev.SchedulerEvent


class Nominations(Sensor[NominationOver]):
    """Follows nominations from the line that shows them to the end of their pod.

    Preemption lines show the node (not in 1.25 to 1.27), from 1.35 on also the line of the pod's condition.
    """

    wakers = frozenset({ev.ConditionUpdated, ev.VictimPreempted})

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self._nominated: dict[str, tuple[str, ev.SchedulerEvent]] = {}
        self._binding: set[str] = set()
        self._found: list[NominationOver] = []

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """See `Sensor`."""
        return {
            ev.ConditionUpdated: self._condition,
            ev.VictimPreempted: self._preempted,
            ev.BindAttempted: self._bind,
            ev.Bound: self._bound,
            ev.PodDeleted: self._deleted,
        }

    def finish(self) -> list[NominationOver]:
        """See `Sensor`."""
        return self._found

    def _condition(self, event: ev.ConditionUpdated) -> None:
        if event.nominated_node is not None and event.reason is not None:
            self._nominate(event.pod, event.nominated_node, event)

    def _preempted(self, event: ev.VictimPreempted) -> None:
        if event.preemptor is not None and event.node is not None:
            self._nominate(event.preemptor, event.node, event)

    def _nominate(self, pod: str, node: str, event: ev.SchedulerEvent) -> None:
        self._nominated[pod] = (node, event)
        self.awake = True

    def _bind(self, event: ev.BindAttempted) -> None:
        if event.pod in self._nominated:
            self._binding.add(event.pod)

    def _bound(self, event: ev.Bound) -> None:
        self._binding.discard(event.pod)
        nominated = self._nominated.pop(event.pod, None)
        if nominated is not None and event.node is not None and event.node != nominated[0]:
            self._find(NominationOver(event.pod, nominated[0], "elsewhere", nominated[1], event))

    def _deleted(self, event: ev.PodDeleted) -> None:
        # A bound pod leaves the informer of unscheduled pods, too, and that line may come before "Successfully bound".
        if event.pod not in self._binding:
            nominated = self._nominated.pop(event.pod, None)
            if nominated is not None:
                self._find(NominationOver(event.pod, nominated[0], "deleted", nominated[1], event))

    def _find(self, found: NominationOver) -> None:
        if len(self._found) < MOST:
            self._found.append(found)
