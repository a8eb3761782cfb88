"""What the converters of logs into other forms have in common."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

YEAR = 2023
HEADER = re.compile(r"([IWEF])(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{6}) +(\d+) ([^ \]]+)\] ")
POD, CONTAINER, HOST = "kube-scheduler-node-1", "kube-scheduler", "node-1"
PART = 90

Convert = Callable[[Sequence[str]], bytes]


class Form(NamedTuple):
    """One form: how it is made, what the reader has to call it, and what is lost on the way."""

    name: str
    title: str
    convert: Convert
    wrappers: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    loses: str = ""


class At(NamedTuple):
    """A line and its time, that of the record it belongs to."""

    line: str
    time: datetime

    def iso(self, digits: int = 9) -> str:
        """RFC 3339 in UTC, with trailing zeros of the fraction."""
        return self.time.strftime("%Y-%m-%dT%H:%M:%S") + self.fraction(digits) + "Z"

    def nano(self) -> str:
        """RFC 3339 as Go prints it by default: no zeros at the end of the fraction."""
        return self.time.strftime("%Y-%m-%dT%H:%M:%S") + (self.fraction(6).rstrip("0").rstrip(".")) + "Z"

    def fraction(self, digits: int) -> str:
        """The point and the digits behind it."""
        return "." + f"{self.time.microsecond:06}".ljust(digits, "0")[:digits]

    def millis(self) -> int:
        """Milliseconds since the epoch."""
        return int(self.time.timestamp()) * 1000 + self.time.microsecond // 1000

    def nanos(self) -> str:
        """Nanoseconds since the epoch, in decimal."""
        return f"{int(self.time.timestamp())}{self.time.microsecond:06}000"

    def micros(self) -> str:
        """Microseconds since the epoch, in decimal."""
        return f"{int(self.time.timestamp())}{self.time.microsecond:06}"

    def short(self, digits: int = 0) -> str:
        """The time of syslog."""
        day = f"{self.time.strftime('%b')} {self.time.day:>2} {self.time.strftime('%H:%M:%S')}"
        return day + (self.fraction(digits) if digits else "")


def timed(lines: Sequence[str]) -> Iterator[At]:
    """The lines with their times."""
    now = datetime(YEAR, 1, 1, tzinfo=UTC)
    for line in lines:
        header = HEADER.match(line)
        if header is not None:
            month, day, hours, minutes, seconds, micros = (int(part) for part in header.groups()[1:7])
            now = datetime(YEAR, month, day, hours, minutes, seconds, micros, tzinfo=UTC)
        yield At(line, now)


def text(lines: Sequence[str], end: str = "\n") -> bytes:
    """Lines with their line breaks."""
    return "".join(line + end for line in lines).encode("utf-8", "surrogateescape")


def each(make: Callable[[At], str]) -> Convert:
    """A form with a line for each."""
    return lambda lines: text([make(at) for at in timed(lines)])


def to_json(value: object) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_lines(make: Callable[[At], object]) -> Convert:
    """A form with a JSON object for each line."""
    return each(lambda at: to_json(make(at)))


def table(header: Sequence[str], make: Callable[[At], Sequence[object]]) -> Convert:
    """CSV, newest first."""

    def convert(lines: Sequence[str]) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        rows = [make(at) for at in timed(lines)]
        writer.writerows(reversed(rows))
        return out.getvalue().encode()

    return convert


def newest_first(make: Callable[[At], str]) -> Convert:
    """A form with a line for each, the last first."""
    return lambda lines: text([make(at) for at in reversed(list(timed(lines)))])


def parts_of(line: str) -> list[str]:
    """A line in parts of `PART` characters."""
    return [line[at : at + PART] for at in range(0, len(line), PART)] or [""]
