"""Feeds the sensors: a set of them for each scheduler process, and each event only to those that want its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensed, Sensor
from klogreplay.rules.sensors.flights import FlightBook
from klogreplay.rules.sensors.registry import SENSORS

_STARTS = (ev.Flag, ev.SchedulerStarted)


class _Process:
    """The sensors of one process. `busy`: it has done something beyond starting up."""

    def __init__(self, kinds: Sequence[type[Sensor[Any]]]) -> None:
        self.flights = FlightBook()
        self.sensors = [kind(self.flights) for kind in kinds]
        self.busy = False
        self.dispatch: dict[type, tuple[Handler, ...]] = {}
        self._arrange()

    def _arrange(self) -> None:
        """Decide who gets what: sleepers what may wake them, and the book of flights Pops first and ends last."""
        book = self.flights
        dispatch: dict[type, list[Handler]] = {start: [] for start in _STARTS}
        dispatch |= {kind: [book.begin] for kind in (ev.Popped, ev.Attempting)}
        dispatch |= {ev.BindAttempted: [book.bind], ev.PodDeleted: [book.delete]}
        for sensor in self.sensors:
            for wanted, handler in sensor.handlers().items():
                if sensor.awake:
                    dispatch.setdefault(wanted, []).append(handler)
                elif wanted in sensor.wakers:
                    dispatch.setdefault(wanted, []).append(self._waking(sensor, handler))
        over: dict[type, Handler] = dict.fromkeys((ev.Bound, ev.AttemptSkipped), book.end)
        over |= dict.fromkeys((ev.AttemptFailed, ev.PodGone, ev.DuplicateDiscarded), book.give_up)
        for ending, handler in over.items():
            dispatch.setdefault(ending, []).append(handler)
        self.dispatch = {wanted: tuple(handlers) for wanted, handlers in dispatch.items()}

    def _waking(self, sensor: Sensor[Any], handler: Handler) -> Handler:
        def heard(event: ev.SchedulerEvent) -> None:
            handler(event)
            if sensor.awake:
                self._arrange()

        return heard


class SensorBank:
    """All sensors over all processes of a log. Feed it every event, in the order of the lines."""

    def __init__(self, kinds: Sequence[type[Sensor[Any]]] = SENSORS) -> None:
        self._kinds = tuple(kinds)
        self._found: dict[type[Sensor[Any]], list[Any]] = {kind: [] for kind in kinds}
        self._pid: int | None = None
        self._live: dict[int | None, _Process] = {}
        self._now = self._start(None)

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event."""
        if event.pid != self._pid and event.pid is not None:
            self._pid = event.pid
            self._now = self._live.get(event.pid) or self._start(event.pid)
        now, kind = self._now, event.__class__
        handlers = now.dispatch.get(kind)
        if handlers is None:
            return
        if kind in _STARTS:
            if now.busy:
                # In a container the process id is always 1: a start tells a new process, not the id.
                self._end(now)
                self._now = self._start(self._pid)
                handlers = self._now.dispatch[kind]
        else:
            now.busy = True
        for handler in handlers:
            handler(event)

    def finish(self) -> Sensed:
        """The log is over: what was found."""
        for process in self._live.values():
            self._end(process)
        self._live = {}
        return Sensed(self._found)

    def _start(self, pid: int | None) -> _Process:
        process = self._live[pid] = _Process(self._kinds)
        return process

    def _end(self, process: _Process) -> None:
        if not process.busy:
            return
        for sensor in process.sensors:
            kept = self._found[type(sensor)]
            kept.extend(sensor.finish()[: MOST - len(kept)])
