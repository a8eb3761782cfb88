"""The frame of a sensor, and what rules get from all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

from klogreplay.events import types as ev
from klogreplay.replay.types import Cited
from klogreplay.rules.sensors.flights import FlightBook

E = TypeVar("E")
Handler = Callable[[Any], object]

MOST = 10_000
"""Pieces of evidence that one sensor keeps of one process; a log that holds more tells nothing new by them."""


class Sensor(ABC, Generic[E]):
    """Collects one kind of evidence from the events of one scheduler process.

    The keys of `handlers` are the types of events it wants; it is fed nothing else. What it keeps grows with the live
    pods and with what it found, never with the log. The events themselves serve as evidence: they hold line and text.

    A sensor with `wakers` sleeps until one of them makes it set `awake`; no other event can mean anything to it before.
    `flights` are the attempts under way in its process.
    """

    wakers: ClassVar[frozenset[type[ev.SchedulerEvent]]] = frozenset()

    def __init__(self, flights: FlightBook) -> None:
        self.flights = flights
        self.awake = not self.wakers

    @abstractmethod
    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        """For each type of events that it wants, what takes one, in the order of the lines."""

    @abstractmethod
    def finish(self) -> list[E]:
        """The process is over: what was found, in log order."""


class Sensed:
    """What all sensors found, over all processes of the log."""

    def __init__(self, found: Mapping[type[Sensor[Any]], Sequence[Any]] | None = None) -> None:
        self._found = dict(found or {})

    def of(self, sensor: type[Sensor[E]]) -> Sequence[E]:
        """What this kind of sensor found; empty where it was not used."""
        return cast("Sequence[E]", self._found.get(sensor, ()))


NOTHING_SENSED = Sensed()


def cite(event: ev.SchedulerEvent, says: str) -> Cited:
    """An event's line as a piece of proof."""
    return Cited(event.line, event.text, says, event.source)


def cite_all(rows: Iterable[tuple[ev.SchedulerEvent | None, str]]) -> list[Cited]:
    """The lines of those events that there are, in the order of the log, each line once."""
    found: dict[tuple[int, int], Cited] = {}
    for event, says in rows:
        if event is not None:
            found.setdefault((event.source, event.line), cite(event, says))
    return [found[key] for key in sorted(found)]
