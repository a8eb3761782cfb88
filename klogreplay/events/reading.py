"""What the families of events share: a line on its way to an event, and the two ways in which a line is recognised."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from klogreplay.events.types import SchedulerEvent
from klogreplay.events.values import ref
from klogreplay.klog.record import KlogRecord

EXTENSION_POINTS = frozenset(
    {
        "PreEnqueue",
        "PreFilter",
        "Filter",
        "PostFilter",
        "PreScore",
        "Score",
        "Reserve",
        "Unreserve",
        "Permit",
        "PreBind",
        "Bind",
        "PostBind",
    }
)
# Logger names that the framework gives besides the plain extension points (framework.go, 1.28 on).
_LOGGER_POINTS = {"PreFilterExtension": "PreFilter", "PreBindPreFlight": "PreBind"}


class Line(msgspec.Struct, gc=False):
    """A record of which the message is known.

    `base` are the fields that every event has. `logger` is the name printed as `logger=` or, up to 1.28, in front of
    the message ("Reserve/DynamicResources"). `match` is what a printf form captured. `values` are the record's.
    """

    record: KlogRecord
    values: dict[str, Any]
    base: dict[str, Any]
    logger: str
    match: re.Match[str] | None = None

    def group(self, name: str) -> str:
        """What the printf form captured under the name; "" where that part took no part."""
        return (self.match.group(name) or "") if self.match else ""

    @property
    def extension_point(self) -> str | None:
        """The extension point that the logger's name tells, None where it tells none."""
        for part in reversed(re.split(r"[./]", self.logger)):
            point = _LOGGER_POINTS.get(part, part)
            if point in EXTENSION_POINTS:
                return point
        return None


Reader = Callable[[Line], SchedulerEvent | None]
"""Gives a line's event; None where the line is known and tells nothing; raises OddValueError where it is damaged."""


class PrintfForm(NamedTuple):
    """A message that is formatted text: the constant start, the whole as an expression, and its reader."""

    start: str
    pattern: re.Pattern[str]
    read: Reader


def printf(start: str, rest: str, read: Reader) -> PrintfForm:
    """A printf form from its constant start and the expression of what follows it (matched to the end)."""
    return PrintfForm(start, re.compile(re.escape(start) + rest + r"\s*\Z", re.DOTALL), read)


def of_pod(event: Callable[..., SchedulerEvent]) -> Reader:
    """A reader for lines that tell nothing but a pod."""
    return lambda line: event(**line.base, pod=ref(line.values.get("pod")))


def of_node(event: Callable[..., SchedulerEvent]) -> Reader:
    """A reader for lines that tell nothing but a node."""
    return lambda line: event(**line.base, node=ref(line.values.get("node")))


def printed_pod(event: Callable[..., SchedulerEvent]) -> Reader:
    """A reader for printf forms that captured nothing but a pod."""
    return lambda line: event(**line.base, pod=line.group("pod"))


def printed_node(event: Callable[..., SchedulerEvent]) -> Reader:
    """A reader for printf forms that captured nothing but a node."""
    return lambda line: event(**line.base, node=line.group("node"))


POD = r"(?P<pod>[^\s/\"]+/[^\s/\":,;]+)"
"""A pod as 1.18-1.20 print it into their sentences."""
