"""The headers of the text dialects: how a line that has one is told, and its fields."""

from __future__ import annotations

import re

from klogreplay.klog.record import Header

_DATE = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}"
_CALLER = r"[^ :\]\t\n]{1,255}:[0-9]{1,9}"

HEADER_FIXED = 21
"""Length of severity, date and time: what differs from line to line of a call site stands before."""

STAMP = re.compile(rf"[IWEF]{_DATE} {_TIME[:-8]}".encode())
"""Severity, date and time as far as the "." before the microseconds."""

# The same as HEADER of grammars/klog.lark and `header` of klog_ktesting.lark; a test holds them equal.
TEXT_HEADER = re.compile(rf"[IWEF]{_DATE} {_TIME} {{1,7}}[0-9]{{1,7}} {_CALLER}\](?: |(?=\n|\Z))")
TEXT_HEADER_BYTES = re.compile(TEXT_HEADER.pattern.encode())
KTESTING_HEADER = re.compile(rf"([ \t]*)({_CALLER}): ([IWEF])({_DATE}) ({_TIME})\](?: |(?=\n|\Z))")


def read_header(text: str) -> Header:
    """The fields of a klog text header, which stand at fixed columns up to the time."""
    process, _, caller = text[21:].lstrip(" ").rstrip("] ").partition(" ")
    file, _, line = caller.rpartition(":")
    return Header(
        severity=text[0],
        file=file,
        line=int(line),
        month=int(text[1:3]),
        day=int(text[3:5]),
        time=text[6:21],
        threadid=int(process),
    )


def read_ktesting_header(match: re.Match[str]) -> Header:
    """The fields of a ktesting header; it has no process id."""
    _, caller, severity, date, time = match.groups()
    file, _, line = caller.rpartition(":")
    return Header(severity=severity, file=file, line=int(line), month=int(date[:2]), day=int(date[2:]), time=time)
