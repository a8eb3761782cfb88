"""A klog line put together again, where an export keeps its header's fields apart."""

from __future__ import annotations

import re

_SEVERITIES = {
    "DEFAULT": "I",
    "DEBUG": "I",
    "INFO": "I",
    "NOTICE": "I",
    "WARNING": "W",
    "ERROR": "E",
    "CRITICAL": "F",
    "ALERT": "F",
    "EMERGENCY": "F",
    "FATAL": "F",
}
_TIME = re.compile(r"[0-9]{4}-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]{1,9}))?")
_CALLER = re.compile(r"[^ :\]\t\n]{1,255}:[0-9]{1,9}")


def klog_line(severity: str | None, time: str | None, pid: str | None, caller: str | None, message: str) -> str:
    """The line that was taken apart: `time` in ISO 8601, `caller` "file.go:line".

    Where the fields make no header, the message alone.
    """
    when = _TIME.match(time or "")
    if when is None or caller is None or not _CALLER.fullmatch(caller):
        return message
    letter = _SEVERITIES.get((severity or "INFO").upper(), "I")
    micros = (when[4] or "").ljust(6, "0")[:6]
    process = pid if pid and pid.isascii() and pid.isdecimal() else "1"
    return f"{letter}{when[1]}{when[2]} {when[3]}.{micros} {process[-7:]:>7} {caller}] {message}"
