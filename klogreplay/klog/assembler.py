"""Put the physical lines of each record together."""

from __future__ import annotations

import re
from collections.abc import Callable

from klogreplay.intake.line import LogLine
from klogreplay.intake.repairs import Known, elision, mend, torn
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Dialect, Engine, Mode, detect, dialects, text_dialect
from klogreplay.klog.framing import CREATED, framing
from klogreplay.klog.record import KlogRecord

LONGEST_RECORD = 1 << 20
"""Characters of a record that are kept; what is beyond is cut off and counted."""

_REMAINS = re.compile(r'[\0\udc80-\udcff\ufffd]|\.go:[0-9]{1,9}\] |[A-Za-z]="|\\"')
_REMAINS_WITHIN = 4096
"""A line that begins no record, but has in it what records have, or what no text has: the remains of damaged lines."""

OnCreated = Callable[[int, int, int], None]
"""Gets year, month and day of a preamble line "Log file created at: …"."""


class Assembler:
    """Takes lines one by one and gives each record once its last line is known to have passed.

    With `keep_plain` a line that is nothing of all this, counted as unknown, is given as a record of its own, too.
    A line that begins a record always does, even where a block before it has not ended: the lines of a block have a tab
    in front. Any other line belongs to the record before it, is framing, is a record of its own (`--skip_headers`), or
    is counted as unknown.
    """

    def __init__(
        self, engine: Engine, counts: Counts, on_created: OnCreated | None = None, *, keep_plain: bool = False
    ) -> None:
        self._keep_plain = keep_plain
        self._dialects = dialects(engine)
        self._text = text_dialect(engine)
        self._counts = counts
        self._on_created = on_created
        self._dialect: Dialect = self._text
        self.first: KlogRecord | None = None
        """What the first line of the record makes alone; None where none is being put together."""
        self._lines: list[str] = []
        self._physical = 0
        self._size = 0
        self._mode = Mode.CLOSED
        self._input = 0
        self._known = Known()
        self._torn: tuple[str, LogLine] | None = None

    @property
    def pending(self) -> bool:
        """Whether a record is being put together."""
        return self.first is not None

    @property
    def interrupted(self) -> bool:
        """Whether a record was torn by another, so that the next line may be its rest."""
        return self._torn is not None

    def feed(self, line: LogLine) -> KlogRecord | None:
        """Take the next line; the record before it, if this line completes one."""
        self._counts.total += line.physical
        text = line.text
        dialect = detect(text, self._dialects)
        if dialect is None:
            torn_record = self._rest_of_torn(line)
            if torn_record is not None:
                return torn_record
            mended = mend(text, self._known)
            if mended is not None:
                self._counts.damage.note(mended.damage, line.number, line.source)
                if mended.damage == elision.LEFT_OUT:
                    self._hole(line)
                text = mended.text
                dialect = detect(text, self._dialects)
            elif self._continues(line):
                return None
        elif dialect.name == self._text.name:
            line = self._inner_of_torn(line)
            text = line.text
        complete = self.finish()
        if dialect is not None:
            self._begin(dialect, dialect.parse([text], line.number, line.source), line, text)
        else:
            self._other(line, text)
        return complete

    def finish(self) -> KlogRecord | None:
        """The record that is being put together, as complete."""
        record = self.first
        if record is None:
            return None
        if len(self._lines) > 1:
            text = record.text
            record = self._whole(record)
            record.text = text
        record.lines = self._physical
        self._counts.records += self._physical
        if self._size > LONGEST_RECORD:
            self._counts.cut += 1
            self._counts.holes.note(record.source, record.line)
        self.first = None
        return record

    def goes_on_in(self, source: int, text: str) -> bool:
        """Whether the block that is open goes on in the next file of its log, which begins with `text`.

        Runtimes rotate a container's log between any two lines. If so, the lines to come may be its rest.
        """
        if self.first is None or self._mode is not Mode.BLOCK:
            return False
        if self._dialect.next_mode(Mode.BLOCK, self._lines[0], text) is None:
            return False
        self._input = source
        return True

    def _begin(self, dialect: Dialect, record: KlogRecord, line: LogLine, text: str) -> None:
        """Begin with a record's first line; `text` is the line as it has to be read."""
        if text is not line.text:
            record.text = line.text.removesuffix("\r")
        if not record.structured and record.msg.startswith('"'):
            # Its quote does not close, or what follows is no pair: the end is missing, and perhaps more.
            self._hole(line)
        header = record.header
        if header is not None and header.threadid is not None:
            self._known = Known(f"{header.month:02}{header.day:02}", header.threadid)
        self._dialect, self.first, self._input = dialect, record, line.source
        self._lines = [text]
        self._physical = line.physical
        self._size = len(line.text)
        self._mode = dialect.first_mode(record)

    def _continues(self, line: LogLine) -> bool:
        if self.first is None or self._input != line.source:
            return False
        if self.first.header is None and line.text.startswith('"'):
            return False
        mode = self._dialect.next_mode(self._mode, self._lines[0], line.text)
        if mode is None or self._ends_record(mode, line.text):
            return False
        if mode is not Mode.BLOCK and _REMAINS.search(line.text, 0, _REMAINS_WITHIN):
            self._hole(line)
        self._mode = mode
        self._physical += line.physical
        self._size += len(line.text) + 1
        if self._size <= LONGEST_RECORD:
            self._lines.append(line.text)
        return True

    def _ends_record(self, mode: Mode, line: str) -> bool:
        """Whether a line that could continue the record is framing all the same."""
        if mode is Mode.BLOCK:
            return False
        kind = framing(line)
        return kind == "klog-preamble" or (kind == "go-test" and self._dialect.name == "ktesting")

    def _whole(self, first: KlogRecord) -> KlogRecord:
        if first.header is not None:
            return self._dialect.parse(self._lines, first.line, first.source)
        return self._text.parse_headerless(self._lines, first.line, first.source) or first

    def _inner_of_torn(self, line: LogLine) -> LogLine:
        """The line; of one in whose middle another record begins only that, and the beginning is kept for its rest."""
        if self._torn is not None:
            self._counts.damage.note(torn.LOST, self._torn[1].number, line.source)
            self._hole(line)
            self._torn = None
        parts = torn.part(line.text)
        if parts is None:
            return line
        self._torn = parts[0], line
        return LogLine(parts[1], line.number, line.offset, line.source, line.physical)

    def _rest_of_torn(self, line: LogLine) -> KlogRecord | None:
        """The record that was torn, where this line is its rest; it came before the one that tore it."""
        if self._torn is None:
            return None
        (begun, first), self._torn = self._torn, None
        whole = begun + line.text
        if first.source != line.source or not torn.is_whole(whole):
            self._counts.damage.note(torn.LOST, first.number, first.source)
            self._hole(first)
            return None
        self._counts.damage.note(torn.JOINED, first.number, first.source)
        self._counts.records += line.physical
        record = self._text.parse([whole], first.number, first.source)
        record.text, record.lines = first.text.removesuffix("\r"), line.physical
        return record

    def _other(self, line: LogLine, text: str) -> None:
        """A line that begins no record with a header and continues none."""
        kind = framing(text)
        if kind is not None:
            self._counts.framing += line.physical
            created = CREATED.match(line.text)
            if created and self._on_created:
                self._on_created(*(int(part) for part in created.groups()))
            return
        record = self._text.parse_headerless([text], line.number, line.source)
        if record is not None:
            self._begin(self._text, record, line, text)
        else:
            self._counts.add_unknown(line.text, line.number, line.physical)
            if _REMAINS.search(line.text, 0, _REMAINS_WITHIN):
                self._hole(line)
            if self._keep_plain and line.text.strip():
                self._begin_plain(line)

    def _hole(self, line: LogLine) -> None:
        """Lines may be missing here."""
        self._counts.holes.note(line.source, line.number)

    def _begin_plain(self, line: LogLine) -> None:
        """Formatted text without a header that continues nothing: a record of this line alone, counted already."""
        message = line.text.removesuffix("\r")
        self.first = KlogRecord(
            line=line.number, header=None, logger=None, msg=message, values={}, forms={}, structured=False,
            dialect="klog-text", text=line.text, source=line.source,
        )  # fmt: skip
        self._dialect, self._lines, self._mode, self._input = self._text, [line.text], Mode.CLOSED, line.source
        self._physical, self._size = 0, len(line.text)
