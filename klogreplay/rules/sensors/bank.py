"""Feeds the sensors: a set of them for each scheduler process, and each event only to those that want its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from klogreplay.events import types as ev
from klogreplay.rules.sensors.base import MOST, Handler, Sensed, Sensor
from klogreplay.rules.sensors.registry import SENSORS

_STARTS = (ev.Flag, ev.SchedulerStarted)


class _Process:
    """The sensors of one process. `busy`: it has done something beyond starting up."""

    def __init__(self, kinds: Sequence[type[Sensor[Any]]]) -> None:
        self.sensors = [kind() for kind in kinds]
        self.busy = False
        dispatch: dict[type, list[Handler]] = {}
        for sensor in self.sensors:
            for wanted, handler in sensor.handlers().items():
                dispatch.setdefault(wanted, []).append(handler)
        self.dispatch = {wanted: tuple(handlers) for wanted, handlers in dispatch.items()}
        for start in _STARTS:
            self.dispatch.setdefault(start, ())


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
