"""Events as JSON lines, for `klogreplay events`."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec

from klogreplay.events.types import SchedulerEvent

_COMMON = frozenset(SchedulerEvent.__struct_fields__)


@cache
def own_fields(event: type[SchedulerEvent]) -> tuple[str, ...]:
    """The fields that only this kind of event has, in declared order."""
    return tuple(field for field in event.__struct_fields__ if field not in _COMMON)


@cache
def kind_of(event: type[SchedulerEvent]) -> str:
    """The kind's name ("pod-added")."""
    info = msgspec.inspect.type_info(event)
    if not isinstance(info, msgspec.inspect.StructType):
        raise TypeError(f"{event!r} is no event")
    return str(info.tag)


def json_line(event: SchedulerEvent, time: str | None) -> str:
    """The event as one line of JSON without a line break, in ASCII: nothing in it acts on a terminal.

    First come kind, line, time (as handed in; null for a line without a header), pid and site, then the event's own
    fields in declared order. Sets are sorted lists, mappings are sorted by key; the raw text of the line is left out.
    """
    what = type(event)
    told: dict[str, Any] = {
        "kind": kind_of(what),
        "line": event.line,
        "time": time,
        "pid": event.pid,
        "site": event.site,
    }
    for field in own_fields(what):
        value = getattr(event, field)
        if isinstance(value, frozenset):
            value = sorted(value)
        elif isinstance(value, dict):
            value = dict(sorted(value.items()))
        told[field] = value
    return json.dumps(told, separators=(",", ":"))
