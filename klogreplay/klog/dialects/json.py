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
from klogreplay.klog.values import parse_json

_START = re.compile(r'\{"ts":-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?,')
_LAST_MILLIS = 2e14
_FRAME = ("ts", "logger", "caller", "msg", "v")


class JsonDialect:
    """klog through zap, as component-base sets it up."""

    name: Dialect = "json"

    def starts(self, line: str) -> bool:
        """Whether the line is a JSON object that begins with a time and has a message."""
        return _START.match(line) is not None and _read(line) is not None

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record of the line."""
        fields = _read(lines[0])
        if fields is None:
            raise ValueError("no JSON record")
        file, _, line = str(fields.get("caller", "")).rpartition(":")
        verbosity = fields.get("v")
        logger = fields.get("logger")
        values = {key: value for key, value in fields.items() if key not in _FRAME}
        return KlogRecord(
            line=number,
            header=Header(
                severity="E" if verbosity is None else "I",
                file=file.rpartition("/")[2],
                line=int(line) if line.isascii() and line.isdigit() and len(line) < 10 else None,
                tsMillis=fields["ts"],
                verbosity=verbosity if isinstance(verbosity, int) else None,
            ),
            logger=logger if isinstance(logger, str) else None,
            msg=str(fields["msg"]),
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


def _read(line: str) -> dict[str, Any] | None:
    try:
        fields = parse_json(line.removesuffix("\r"))
    except ValueError:
        return None
    if not isinstance(fields, dict) or "msg" not in fields:
        return None
    millis = fields.get("ts")
    return fields if isinstance(millis, int | float) and abs(millis) < _LAST_MILLIS else None
