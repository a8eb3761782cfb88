"""Tables with a row for each log line, as Kibana, CloudWatch, Azure, Grafana and Google's Logs Explorer download them.

`"@timestamp",message` or `TimeGenerated [UTC],LogEntry`: the line is in the column with a known name. A cell may hold
several lines; Kibana puts "'" in front of one that a spreadsheet would take for a formula.
"""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Iterable, Iterator, Sequence

from klogreplay.intake.batch import Batch, split_lines
from klogreplay.intake.probe import look
from klogreplay.intake.wrappers.base import Sample
from klogreplay.intake.wrappers.exports.base import Gathered
from klogreplay.intake.wrappers.header import klog_line
from klogreplay.intake.wrappers.json_lines import stamp_of_millis, stamp_of_text
from klogreplay.intake.wrappers.recognise import find

MESSAGE_COLUMNS = (
    "message",
    "@message",
    "_source.message",
    "textPayload",
    "jsonPayload.message",
    "log",
    "log_s",
    "LogEntry",
    "LogMessage",
    "Message",
    "line",
    "Line",
    "body",
    "_raw",
)
"""Names of the column that holds the log line, the first that is there and filled."""

_SOURCE, _PID, _SEVERITY, _TIME = "jsonPayload.source", "jsonPayload.pid", "severity", "timestamp"
_UNIT = re.compile(r" \[[A-Z]{2,5}\]\Z")
_DELIMITERS = (",", ";", "\t")
_MOST_COLUMNS = 512
_MOST_LINES = 10_000
_LONGEST_HEADER = 1 << 14
_SAMPLE = 50
_TIME_COLUMNS = ("@timestamp", "timestamp", "TimeGenerated", "Time", "Date", "_time")
_KIBANA_TIME = re.compile(r"[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}(?= @ )")


class CsvTable:
    """See the module."""

    name = "csv"
    title = "CSV of Kibana, CloudWatch, Azure, Grafana, Logs Explorer"
    samples = (
        Sample(
            (
                b'"@timestamp",message,"kubernetes.pod.name"',
                b'"Aug 31, 2023 @ 20:03:47.184","I0831 20:03:47.184243       1 a.go:1] ""One"" pod=""x/a""",p',
                b'"Aug 31, 2023 @ 20:03:47.200",I0831 20:03:47.200000       1 a.go:2] Two,p',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b"I0831 20:03:47.200000       1 a.go:2] Two",
            ),
        ),
        Sample(
            (
                b"insertId,jsonPayload.message,jsonPayload.pid,jsonPayload.source,severity,timestamp",
                b'a,"""One"" pod=""x/a""",1,a.go:1,INFO,2023-08-31T20:03:47.184243Z',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    )

    def open(self, head: bytes) -> CsvRows | None:
        """See `Export`."""
        lines = head.split(b"\n")
        first = next((line for line in lines if line.strip()), b"")
        if len(first) > _LONGEST_HEADER or look(first):
            return None
        text = first.decode("utf-8", "replace").rstrip("\r")
        for delimiter in _DELIMITERS:
            names = _cells(text, delimiter)
            if names and not len(names) > _MOST_COLUMNS:
                rows = CsvRows(names, delimiter, first)
                if rows.columns and find(rows.messages(lines[1:_SAMPLE])).score:
                    return rows
        return None


class CsvRows:
    """Reads rows below a header."""

    def __init__(self, names: Sequence[str], delimiter: str, header: bytes) -> None:
        self._index = {_UNIT.sub("", name.strip()): index for index, name in enumerate(names)}
        self._width = len(names)
        self._delimiter = delimiter
        self._header = header
        self.stamp: bytes | None = None
        self._times = [self._index[name] for name in _TIME_COLUMNS if name in self._index]
        self.columns = [self._index[name] for name in MESSAGE_COLUMNS if name in self._index]

    def batches(self, chunks: Iterable[bytes], limit: int) -> Iterator[Batch]:
        """See `Entries`."""
        gathered = Gathered()
        held: list[bytes] = []
        odd = False
        size = number = offset = 0
        physical = 0
        begun = False
        for batch in split_lines(chunks, limit):
            at = batch.offset
            for line in batch.lines:
                physical += 1
                if not begun:
                    begun = line == self._header
                    at += len(line) + 1
                    continue
                if not held:
                    number, offset = physical, at
                held.append(line)
                odd ^= line.count(b'"') % 2 == 1
                size += len(line) + 1
                at += len(line) + 1
                if not odd:
                    if size > 2:
                        row = b"\n".join(held)
                        message = self._message(row)
                        gathered.add(row if message is None else message, number, offset, cut=batch.cut > 0)
                    held, size = [], 0
                elif size > limit or len(held) > _MOST_LINES:
                    self._give_up(gathered, held, number, offset)
                    held, size, odd = [], 0, False
            yield gathered.batch(physical)
        self._give_up(gathered, held, number, offset)
        yield gathered.batch(physical)

    def _give_up(self, gathered: Gathered, held: Sequence[bytes], number: int, offset: int) -> None:
        """A quote that never closes: the lines are given as they are."""
        for line in held:
            gathered.add(line, number, offset)
            number, offset = number + 1, offset + len(line) + 1

    def messages(self, rows: Sequence[bytes]) -> list[bytes]:
        """The log lines of those rows that are sound, each on a line of its own."""
        return [message for row in rows if (message := self._message(row)) is not None]

    def _message(self, row: bytes) -> bytes | None:
        text = row.decode("utf-8", "surrogateescape").removesuffix("\r")
        cells = _cells(text, self._delimiter)
        column = next((column for column in self.columns if column < len(cells) and cells[column]), None)
        if column is None or len(cells) > self._width or (self._width == 1 and not row.startswith(b'"')):
            return None
        if self.stamp is None:
            self.stamp = next((_stamp(cells[index]) for index in self._times if index < len(cells)), None)
        message = cells[column]
        if message.startswith("'") and message[1:2] in ("=", "+", "-", "@"):
            message = message[1:]
        if column == self._index.get("jsonPayload.message"):
            severity, time, pid, source = (self._cell(cells, name) for name in (_SEVERITY, _TIME, _PID, _SOURCE))
            message = klog_line(severity, time, pid, source, message)
        return message.removesuffix("\n").encode("utf-8", "surrogateescape")

    def _cell(self, cells: Sequence[str], name: str) -> str | None:
        index = self._index.get(name)
        return cells[index] if index is not None and index < len(cells) else None


def _cells(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []


def _stamp(text: str) -> bytes | None:
    """A time as these tables print it: ISO 8601, milliseconds since the epoch, or Kibana's own way."""
    if text.isascii() and text.isdecimal():
        return stamp_of_millis(int(text[:15]))
    kibana = _KIBANA_TIME.match(text)
    if kibana is None:
        return stamp_of_text(text)
    try:
        return datetime.datetime.strptime(kibana[0], "%b %d, %Y").date().isoformat().encode()
    except ValueError:
        return None


EXPORT = CsvTable()
