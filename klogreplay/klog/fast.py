"""Read the records somebody wants out of a log, and drop the others before they are decoded.

Most lines of a verbose log tell nothing about the queue. A line is looked up by a fixed slice, process id to start of
the message; there stand what lines of that call site are dropped by, and the variants that read the others. What
neither takes gets a second look (`klogreplay.klog.second_look`), or goes the long way (`klogreplay.klog.assembler`)
and teaches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, Generic, TypeVar

from klogreplay.intake.batch import Batch
from klogreplay.intake.line import LogLine
from klogreplay.intake.source import Source, text_of
from klogreplay.klog.assembler import Assembler, OnCreated
from klogreplay.klog.builds import KEEP, NOTHING, Build, Compile, Convert, Decide, Nothing, ReadRecord, Seconds
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Engine
from klogreplay.klog.dropping import Dropped
from klogreplay.klog.headers import HEADER_FIXED, STAMP, TEXT_HEADER, TEXT_HEADER_BYTES
from klogreplay.klog.learnt import Ways
from klogreplay.klog.pairs import lark_tokens
from klogreplay.klog.record import KlogRecord
from klogreplay.klog.scanner import QUOTED, scan_tokens
from klogreplay.klog.second_look import SecondLook
from klogreplay.klog.variants import Variant, line_shape

_KEY_END = 57
_MOST_SHORT_ENDS = 8
_MOST_ENTRIES = 4096
_MOST_VARIANTS = 16
_MOST_STAMPS = 2_000
_MOST_LABELS = 8192
_LONGEST_LABELLED = 512

T = TypeVar("T")
_Match = Callable[[str, int], re.Match[str] | None]


class _Entry(Generic[T]):
    """What is known of the lines that have a key: the starts of those to drop, and how to read others.

    `readers` match from character `skip` on: what stands before is the key, and digits that are looked at already.
    """

    __slots__ = ("dropped", "label", "noise", "once", "patterns", "readers", "skip")

    def __init__(self, skip: int) -> None:
        self.skip = skip
        self.noise: tuple[bytes, ...] = ()
        self.label = ""
        self.dropped = 0
        self.once: set[str] = set()
        self.patterns: set[str] = set()
        self.readers: list[tuple[_Match, Build[T] | None, Build[T | Nothing]]] = []


class FastReader(Generic[T]):
    """What becomes of the kept records of a source, in order.

    `compile_for` may offer to make it of their lines at once; of the other records `convert` makes it. Without
    `convert` it is the record. `seconds` is asked anew whenever the second may be another, `json_time` of each line of
    JSON, of which it gives the whole time. `on_source` is called with the index of an input before anything in it is
    read. `counts` is complete at the end; `dropped` there has the labels. `built` counts the lines that were read
    without a record, `slow` those that went the long way. `engine`="lark" reads every line with the grammar.
    """

    def __init__(
        self,
        source: Source,
        decide: Decide,
        counts: Counts | None = None,
        on_created: OnCreated | None = None,
        *,
        compile_for: Compile[T] | None = None,
        convert: Convert[T] | None = None,
        seconds: Seconds | None = None,
        json_time: Seconds | None = None,
        on_source: Callable[[int], None] | None = None,
        engine: Engine = "fast",
    ) -> None:
        self._source = source
        self._decide = decide
        self._compile_for = compile_for
        self._convert: Convert[Any] = convert or _as_it_is
        self._seconds = seconds or _no_second
        self._on_source = on_source or _as_it_is
        self._engine = engine
        self.counts = Counts() if counts is None else counts
        self.built = 0
        self.slow = 0
        self._assembler = Assembler(engine, self.counts, on_created)
        self._table: dict[bytes, _Entry[T]] = {}
        self._short_ends: list[int] = []
        self._stamps: set[bytes] = set()
        self._labels: dict[tuple[bool, str, int | None, str], str] = {}
        ways = Ways(self._label, compile_for, self._of_record)
        self._second_look: SecondLook[T] = SecondLook(ways, self._seconds, json_time or _no_second)

    def flush(self) -> tuple[T, ...]:
        """What is being put together, as complete. To be called where the source waits for more, not by a consumer."""
        return self._wanted(self._assembler.finish())

    def forget(self) -> None:
        """The lines to come are of another log: all is asked anew. To be called in `on_source`."""
        self._count_all()
        self._table.clear()
        self._short_ends.clear()
        self._labels.clear()

    def __iter__(self) -> Iterator[T]:
        return self._fast() if self._engine == "fast" else self._slow()

    def _slow(self) -> Iterator[T]:
        before = -1
        for line in self._source:
            if line.source != before:
                if not self._goes_on(before, line.source, line.text):
                    yield from self._wanted(self._assembler.finish())
                before = line.source
                self._on_source(before)
            yield from self._wanted(self._assembler.feed(line))
        yield from self._wanted(self._assembler.finish())

    def _goes_on(self, before: int, source: int, text: str) -> bool:
        """Whether a record goes on from one input into the next, of the same log."""
        same = before >= 0 and self._source.chain_of(before) == self._source.chain_of(source)
        return same and self._assembler.goes_on_in(source, text)

    def _fast(self) -> Iterator[T]:
        assembler, stamps, short_ends, seconds = self._assembler, self._stamps, self._short_ends, self._seconds
        second_look = self._second_look.find
        before: _Entry[T] | Dropped | None = None
        tail, tail_number, last_source = b"", 0, -1
        of_second, second = b"", 0
        # Whether the assembler holds lines that may go on.
        held = False
        for source, batch in self._source.batches():
            if source != last_source:
                if not self._goes_on(last_source, source, text_of(batch.lines[0]) if batch.lines else ""):
                    yield from self._wanted(assembler.finish())
                self._on_source(source)
                before, last_source, of_second = None, source, b""
            lines, numbers, usual = self._prepare(batch)
            look_up = _no_entry if assembler.interrupted else usual
            slow = noise = 0
            for index, number, raw in zip(count(), numbers, lines):
                entry = look_up(raw[HEADER_FIXED:_KEY_END])
                if entry is None and short_ends:
                    entry = next(filter(None, (look_up(raw[HEADER_FIXED:end]) for end in short_ends)), None)
                if entry is not None and raw[15:21].isdigit():
                    stamp = raw[:15]
                    if stamp == of_second or stamp in stamps or self._is_stamp(stamp):
                        if entry.noise and raw.startswith(entry.noise, HEADER_FIXED):
                            if held:
                                yield from self._wanted(assembler.finish())
                                held = False
                            entry.dropped += 1
                            noise += 1
                            before = entry
                            continue
                        if entry.readers and b"\\" not in raw:
                            try:
                                text = raw.decode()
                            except UnicodeDecodeError:
                                text = raw.decode("utf-8", "surrogateescape")
                            skip = entry.skip
                            made: T | Nothing | None = None
                            for match, build, of_record in entry.readers:
                                found = match(text, skip)
                                if found is not None:
                                    if held:
                                        yield from self._wanted(assembler.finish())
                                        held = False
                                    if stamp != of_second:
                                        of_second, second = stamp, seconds(text)
                                    groups = found.groups()
                                    if build is not None:
                                        made = build(text, number, source, groups, second)
                                    if made is None:
                                        made = of_record(text, number, source, groups, second)
                                    break
                            if made is not None:
                                before = None
                                if made is not NOTHING:
                                    yield made  # type: ignore[misc]  # it is no Nothing
                                continue
                other = None if look_up is _no_entry else second_look(raw, (*lines[index + 1 : index + 2], b"")[0])
                if other is not None:
                    if held:
                        yield from self._wanted(assembler.finish())
                        held = False
                    before = None
                    if isinstance(other, Dropped):
                        other.dropped += 1
                        noise += 1
                        before = other
                    else:
                        made, of_second = other.make(number, source), b""
                        if made is not NOTHING:
                            yield made  # type: ignore[misc]  # it is no Nothing
                    continue
                slow += 1
                if before is not None:
                    if TEXT_HEADER_BYTES.match(raw) is None:
                        previous, at = (lines[index - 1], numbers[index - 1]) if index else (tail, tail_number)
                        before.dropped -= 1
                        self._retract()
                        assembler.feed(LogLine(text_of(previous), at, 0, source))
                    before = None
                physical = 1 if batch.marks is None else batch.marks[index].physical
                yield from self._wanted(assembler.feed(LogLine(text_of(raw), number, 0, source, physical)))
                self._learn(raw)
                look_up = _no_entry if assembler.interrupted else usual
                # What goes the long way may set the clock.
                held, of_second = assembler.first is not None, b""
            self.counts.total += len(lines) - slow
            self.counts.records += len(lines) - slow
            self.built += len(lines) - slow - noise
            self.slow += slow
            if lines:
                tail, tail_number = lines[-1], numbers[-1]
        yield from self._wanted(assembler.finish())
        self._count_all()

    def _prepare(self, batch: Batch) -> tuple[list[bytes], Sequence[int], Callable[[bytes], _Entry[T] | None]]:
        """A batch's lines and their numbers, and the look-up; none in a batch with lines that a runtime had split."""
        if batch.marks is None:
            return batch.lines, range(batch.number, batch.number + len(batch.lines)), self._table.get
        whole = all(mark.physical == 1 for mark in batch.marks)
        return batch.lines, [mark.number for mark in batch.marks], self._table.get if whole else _no_entry

    def _retract(self) -> None:
        """A dropped line turned out to be the first of several: it is counted once it is complete."""
        self.counts.total -= 1
        self.counts.records -= 1

    def _is_stamp(self, start: bytes) -> bool:
        """Whether these bytes are severity, date and time to the second; remembers those that are."""
        if STAMP.fullmatch(start) is None:
            return False
        if len(self._stamps) >= _MOST_STAMPS:
            self._stamps.clear()
        self._stamps.add(start)
        return True

    def _wanted(self, record: KlogRecord | None) -> tuple[T, ...]:
        """What becomes of the record, if there is one and it is kept; counts it if it is dropped."""
        if record is None:
            return ()
        label = self._label(record)
        if label == KEEP:
            made = self._convert(record)
            self._second_look.kept(record)
            return () if made is None else (made,)
        self.counts.dropped[label] = self.counts.dropped.get(label, 0) + record.lines
        self._second_look.dropped(record, label)
        return ()

    def _label(self, record: KlogRecord) -> str:
        header = record.header
        if header is None or len(record.msg) > _LONGEST_LABELLED:
            return self._decide(record)
        key = (record.structured, header.file, header.line, record.msg)
        label = self._labels.get(key)
        if label is None:
            label = self._decide(record)
            if len(self._labels) >= _MOST_LABELS:
                self._labels.clear()
            self._labels[key] = label
        return label

    def _learn(self, raw: bytes) -> None:
        """Let the line that was just fed teach how to take others like it."""
        record = self._assembler.first
        if record is None or self._second_look.learn(raw, record):
            return
        if not record.structured or record.dialect != "klog-text" or record.header is None:
            return
        text = record.text
        if not raw.startswith(text[:_KEY_END].encode("utf-8", "surrogateescape")):
            return
        header = TEXT_HEADER.match(text)
        message = QUOTED.match(text, header.end()) if header else None
        if message is None:
            return
        end = len(text[: message.end()].encode("utf-8", "surrogateescape"))
        entry = self._entry(raw, end)
        if entry is None:
            return
        label = self._label(record)
        if label == KEEP:
            self._learn_variant(entry, record)
        elif entry.label in ("", label) and text[message.end() : message.end() + 1] == " ":
            start = raw[HEADER_FIXED : end + 1]
            if start not in entry.noise and len(entry.noise) < _MOST_VARIANTS:
                entry.label = label
                entry.noise += (start,)

    def _entry(self, raw: bytes, message_end: int) -> _Entry[T] | None:
        """The entry for lines like this one; None where the message ends too early in too many ways.

        A key must not reach into the values, or each line would have its own.
        """
        end = min(message_end, _KEY_END)
        if end < _KEY_END and end not in self._short_ends:
            if len(self._short_ends) >= _MOST_SHORT_ENDS:
                return None
            self._short_ends.append(end)
        key = raw[HEADER_FIXED:end]
        entry = self._table.get(key)
        if entry is None:
            if len(self._table) >= _MOST_ENTRIES:
                for known in self._table.values():
                    self._count(known)
                self._table.clear()
            entry = self._table[key] = _Entry(end if key.isascii() else HEADER_FIXED)
        return entry

    def _learn_variant(self, entry: _Entry[T], record: KlogRecord) -> None:
        """The grammar teaches a variant when its shape is seen for the second time.

        In a log whose lines are all different it would be for nothing.
        """
        if len(entry.readers) >= _MOST_VARIANTS or len(entry.once) >= 4 * _MOST_VARIANTS:
            return
        shape = line_shape(record.text, scan_tokens(record.text, "record") or (), entry.skip)
        if shape is None:
            return
        if shape.pattern not in entry.once:
            entry.once.add(shape.pattern)
            return
        if shape.pattern in entry.patterns:
            return
        shape = line_shape(record.text, lark_tokens(record.text, "record") or (), entry.skip)
        if shape is None:
            return
        entry.patterns.add(shape.pattern)
        variant = Variant(record, shape)
        build = self._compile_for(record, variant.keys, variant.record) if self._compile_for else None
        entry.readers.append((variant.match, build, self._of_record(variant.record)))

    def _of_record(self, read: ReadRecord) -> Build[T | Nothing]:
        """Makes of the lines that `read` gives records of what `convert` makes of these."""
        convert = self._convert

        def of_record(text: str, number: int, source: int, groups: tuple[str, ...], _second: int) -> T | Nothing | None:
            record = read(text, number, source, groups)
            if record is None:
                return None
            self.built -= 1
            made: T | None = convert(record)
            return NOTHING if made is None else made

        return of_record

    def _count_all(self) -> None:
        """Count what was dropped of all that is known."""
        for entry in self._table.values():
            self._count(entry)
        for label, lines in self._second_look.forget().items():
            self.counts.dropped[label] = self.counts.dropped.get(label, 0) + lines

    def _count(self, entry: _Entry[T]) -> None:
        if entry.dropped:
            self.counts.dropped[entry.label] = self.counts.dropped.get(entry.label, 0) + entry.dropped
            entry.dropped = 0


def _no_entry(_key: bytes) -> None:
    return None


def _no_second(_line: str) -> int:
    return 0


def _as_it_is(given: Any) -> Any:
    return given
