"""`--logging-format=json`: one object per line.

`{"ts":1693512227184.243,"caller":"scheduler/schedule_one.go:65","msg":"About to try and schedule pod","v":4,"pod":{…}}`

Severity is not printed: info records have `v`, error records have not. klog writes `ts` in milliseconds since the
epoch; seconds and RFC 3339, as zap's other encoders write them, are read as well.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from klogreplay.klog.dialects.base import Mode
from klogreplay.klog.record import Dialect, Header, KlogRecord
from klogreplay.klog.values import parse_json, parse_json_pairs

_LAST_MILLIS = 2e14
_SECONDS = 1e8, 1e11
"""A time between these is one in seconds: as milliseconds it would be in the first years after 1970."""
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_Read = tuple[dict[str, Any], dict[str, Any]]
_FRAME = ("ts", "logger", "caller", "msg", "v")
_QUOTED_FRAME = tuple(f'"{name}":' for name in _FRAME)


class JsonDialect:
    """klog through zap, as component-base sets it up."""

    name: Dialect = "json"

    def __init__(self) -> None:
        self._started: tuple[str, _Read] | None = None

    def starts(self, line: str) -> bool:
        """Whether the line is a JSON object with a time and a message; something may have reordered its keys."""
        if not line.startswith("{") or '"ts":' not in line or '"msg":' not in line:
            return False
        read = _read(line)
        self._started = None if read is None else (line, read)
        return read is not None

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record of the line."""
        started, self._started = self._started, None
        read = started[1] if started is not None and started[0] == lines[0] else _read(lines[0])
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


def _read(line: str) -> _Read | None:
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


def _divided(pairs: list[tuple[str, Any]]) -> _Read:
    frame: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for key, value in pairs:
        (frame if key in _FRAME and key not in frame else values)[key] = value
    return frame, values


def _checked(frame: dict[str, Any], values: dict[str, Any]) -> _Read | None:
    millis = _millis(frame.get("ts"))
    if "msg" not in frame or millis is None or abs(millis) >= _LAST_MILLIS:
        return None
    frame["ts"] = millis
    return frame, values


def _millis(ts: object) -> float | None:
    """A time in milliseconds since the epoch; None where it is none."""
    if isinstance(ts, int | float):
        return round(ts * 1000, 4) if _SECONDS[0] <= ts < _SECONDS[1] else ts
    if not isinstance(ts, str) or ts[10:11] != "T":
        return None
    try:
        time = datetime.datetime.fromisoformat(ts)
        since = (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)) - _EPOCH
    except (ValueError, OverflowError):
        return None
    return since / datetime.timedelta(milliseconds=1)
