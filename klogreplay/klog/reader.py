"""From lines to records: put the lines of each record together and let its dialect read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from klogreplay.intake.line import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import TEXT, Dialect, Mode, detect
from klogreplay.klog.framing import CREATED, framing
from klogreplay.klog.record import KlogRecord

LONGEST_RECORD = 1 << 20
"""Characters of a record that are kept; what is beyond is cut off and counted."""

OnCreated = Callable[[int, int, int], None]


def read_records(
    lines: Iterable[LogLine], counts: Counts | None = None, on_created: OnCreated | None = None
) -> Iterator[KlogRecord]:
    """The records of a log, in order; memory is that of one record, cut at `LONGEST_RECORD`.

    A line belongs to the record before it, is framing, or is counted as unknown, in `counts`. `on_created` gets year,
    month and day of each preamble line "Log file created at: …".
    """
    return _Assembly(Counts() if counts is None else counts, on_created).records(lines)


class _Assembly:
    """The record that is being put together."""

    def __init__(self, counts: Counts, on_created: OnCreated | None) -> None:
        self._counts = counts
        self._on_created = on_created
        self._dialect: Dialect = TEXT
        self._first: KlogRecord | None = None
        self._lines: list[str] = []
        self._physical = 0
        self._size = 0
        self._mode = Mode.CLOSED

    def records(self, lines: Iterable[LogLine]) -> Iterator[KlogRecord]:
        for line in lines:
            self._counts.total += line.physical
            dialect = detect(line.text)
            if dialect is None and self._continues(line):
                continue
            complete = self._take()
            if complete is not None:
                yield complete
            if dialect is not None:
                self._begin(dialect, dialect.parse([line.text], line.number, line.source), line)
            else:
                self._other(line)
        complete = self._take()
        if complete is not None:
            yield complete

    def _begin(self, dialect: Dialect, record: KlogRecord, line: LogLine) -> None:
        self._dialect, self._first = dialect, record
        self._lines = [line.text]
        self._physical = line.physical
        self._size = len(line.text)
        self._mode = dialect.first_mode(record)

    def _continues(self, line: LogLine) -> bool:
        if self._first is None or self._first.source != line.source:
            return False
        if self._first.header is None and line.text.startswith('"'):
            return False
        mode = self._dialect.next_mode(self._mode, self._lines[0], line.text)
        if mode is None or _ends_record(mode, self._dialect, line.text):
            return False
        self._mode = mode
        self._physical += line.physical
        self._size += len(line.text) + 1
        if self._size <= LONGEST_RECORD:
            self._lines.append(line.text)
        return True

    def _take(self) -> KlogRecord | None:
        record = self._first
        if record is None:
            return None
        if len(self._lines) > 1:
            record = self._whole(record)
        record.lines = self._physical
        self._counts.records += self._physical
        self._counts.cut += self._size > LONGEST_RECORD
        self._first = None
        return record

    def _whole(self, first: KlogRecord) -> KlogRecord:
        if first.header is not None:
            return self._dialect.parse(self._lines, first.line, first.source)
        return TEXT.parse_headerless(self._lines, first.line, first.source) or first

    def _other(self, line: LogLine) -> None:
        """A line that begins no record with a header and continues none."""
        kind = framing(line.text)
        if kind is not None:
            self._counts.framing += line.physical
            created = CREATED.match(line.text)
            if created and self._on_created:
                self._on_created(*(int(part) for part in created.groups()))
            return
        record = TEXT.parse_headerless([line.text], line.number, line.source)
        if record is not None:
            self._begin(TEXT, record, line)
        else:
            self._counts.add_unknown(line.text, line.number, line.physical)


def _ends_record(mode: Mode, dialect: Dialect, line: str) -> bool:
    """Whether a line that could continue a record is framing all the same."""
    if mode is Mode.BLOCK:
        return False
    kind = framing(line)
    return kind == "klog-preamble" or (kind == "go-test" and dialect.name == "ktesting")
