"""`--logging-format=json`: one object per line.

`{"ts":1693512227184.243,"caller":"scheduler/schedule_one.go:65","msg":"About to try and schedule pod","v":4,"pod":{…}}`

Severity is not printed: info records have `v`, error records have not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from klogreplay.klog.dialects.base import Mode
from klogreplay.klog.record import Dialect, Header, KlogRecord
from klogreplay.klog.values import parse_json, parse_json_pairs

_START = re.compile(r'\{"ts":-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?,')
_LAST_MILLIS = 2e14
_FRAME = ("ts", "logger", "caller", "msg", "v")
_QUOTED_FRAME = tuple(f'"{name}":' for name in _FRAME)


class JsonDialect:
    """klog through zap, as component-base sets it up."""

    name: Dialect = "json"

    def starts(self, line: str) -> bool:
        """Whether the line is a JSON object that begins with a time and has a message."""
        return _START.match(line) is not None and _read(line) is not None

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record of the line."""
        read = _read(lines[0])
        if read is None:
            raise ValueError("no JSON record")
        frame, values = read
        file, _, line = str(frame.get("caller", "")).rpartition(":")
        verbosity = frame.get("v")
        logger = frame.get("logger")
        return KlogRecord(
            line=number,
            header=Header(
                severity="E" if verbosity is None else "I",
                file=file.rpartition("/")[2],
                line=int(line) if line.isascii() and line.isdigit() and len(line) < 10 else None,
                tsMillis=frame["ts"],
                verbosity=verbosity if isinstance(verbosity, int) else None,
            ),
            logger=logger if isinstance(logger, str) else None,
            msg=str(frame["msg"]),
            values=values,
            forms=dict.fromkeys(values, "json"),
            structured=True,
            dialect=self.name,
            text=lines[0].removesuffix("\r"),
            lines=len(lines),
            source=source,
        )

    def first_mode(self, record: KlogRecord) -> Mode:
        """One line, one record."""
        return Mode.CLOSED

    def next_mode(self, mode: Mode, first: str, line: str) -> Mode | None:
        """See `Dialect`."""
        return None


def _read(line: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What frames the record, and its values; None where the line is no record.

    A call may pass a key that the frame has too: the first of its name is the frame's.
    """
    line = line.removesuffix("\r")
    try:
        fields = parse_json(line)
        if any(line.count(name) > 1 for name in _QUOTED_FRAME):
            return _checked(*_divided(parse_json_pairs(line)))
    except ValueError:
        return None
    if not isinstance(fields, dict):
        return None
    frame = {name: fields.pop(name) for name in _FRAME if name in fields}
    return _checked(frame, fields)


def _divided(pairs: list[tuple[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    frame: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for key, value in pairs:
        (frame if key in _FRAME and key not in frame else values)[key] = value
    return frame, values


def _checked(frame: dict[str, Any], values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    millis = frame.get("ts")
    if "msg" not in frame or not isinstance(millis, int | float) or abs(millis) >= _LAST_MILLIS:
        return None
    return frame, values
