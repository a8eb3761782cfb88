"""What the tests of the events share: files to records, records to events, and records made by hand."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from klogreplay.events.extract import extract
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake.line import LogLine
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import Header, KlogRecord


def records_of(path: Path) -> Iterator[KlogRecord]:
    """The records of a log file, gzipped or not."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        yield from read_records(
            LogLine(text=line.decode("utf-8", "surrogateescape").rstrip("\r\n"), number=number)
            for number, line in enumerate(file, 1)
        )


def time_text(header: Header | None) -> str:
    """The header's time as the log has it."""
    if header is None:
        return ""
    return header.time if header.time is not None else f"{header.tsMillis:.3f}"


def micros(header: Header) -> int:
    """Microseconds since midnight, or since the epoch in JSON."""
    if header.time is None:
        return round((header.tsMillis or 0) * 1000)
    hours, minutes, seconds = header.time.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000_000 + round(float(seconds) * 1_000_000)


def made(msg: str, *, file: str = "x.go", line: int = 1, severity: str = "I", logger: str | None = None, **more: Any):
    """A structured record made by hand; `values` are its pairs."""
    return KlogRecord(
        line=7,
        header=Header(severity, file, line, 12, 1, "07:24:51.000001", 4242),
        logger=logger,
        msg=msg,
        values=more.get("values", {}),
        forms={},
        structured=more.get("structured", True),
        dialect="klog-text",
        text=msg,
    )


def printed(msg: str, *, severity: str = "I") -> KlogRecord:
    """A printf record made by hand."""
    return made(msg, severity=severity, structured=False)


def event_of(record: KlogRecord) -> SchedulerEvent | None:
    """The event of a record."""
    return extract(record, micros)
