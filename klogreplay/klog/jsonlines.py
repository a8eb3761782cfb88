"""Records as JSON objects, for `klogreplay parse`."""

from __future__ import annotations

import json
from typing import Any

from klogreplay.klog.record import Header, KlogRecord


def header_object(header: Header) -> dict[str, Any]:
    """The header's fields as its dialect has them: text month, day, time and threadid, JSON tsMillis and verbosity."""
    fields: dict[str, Any] = {"severity": header.severity, "file": header.file, "line": header.line}
    if header.tsMillis is not None:
        return fields | {"tsMillis": header.tsMillis, "verbosity": header.verbosity}
    return fields | {
        "month": header.month,
        "day": header.day,
        "time": header.time,
        "threadid": header.threadid,
    }


def record_object(record: KlogRecord) -> dict[str, Any]:
    """The record as a JSON object: line (its first), header (or null), logger, msg, and values in printed order."""
    return {
        "line": record.line,
        "header": None if record.header is None else header_object(record.header),
        "logger": record.logger,
        "msg": record.msg,
        "values": record.values,
    }


def json_line(record: KlogRecord) -> str:
    """The object as one line of ASCII JSON, without the line break; bytes that were no UTF-8 stand as \\\\udcXX."""
    return json.dumps(record_object(record), separators=(",", ":"))
