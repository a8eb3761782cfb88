"""From inputs to records and events, keeping count of what became of every line. Wiring; the work is elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from klogreplay.cli.exits import unreadable
from klogreplay.events import types as ev
from klogreplay.events.evidence import is_scheduler_line
from klogreplay.events.extract import classify, extract, is_relevant
from klogreplay.intake import LogLine, Source, open_source
from klogreplay.klog.clock import Clock
from klogreplay.klog.counts import Counts
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import Header, KlogRecord
from klogreplay.knowledge import Identifier

MOST_SHAPES = 20_000
"""Distinct shapes that are remembered; the lines of further ones are looked at each for itself."""
_SHAPE_LENGTH = 200


class LineTotals(msgspec.Struct):
    """Physical lines by what became of them; the three together are all lines read."""

    understood: int = 0
    irrelevant: int = 0
    unknown: int = 0

    def add(self, what: str, lines: int) -> None:
        """Count the lines of a record."""
        if what == "understood":
            self.understood += lines
        elif what == "irrelevant":
            self.irrelevant += lines
        else:
            self.unknown += lines


class OddLine(msgspec.Struct):
    """The first of a kind of records that no known scheduler prints, and how many there are."""

    line: int
    text: str
    source: int
    count: int = 0


class Reading:
    """One pass over the inputs. Use it as a context manager; iterate `records` or `events`, once.

    What it counts is complete when the iteration is over. Raises IntakeError as the inputs do, and Stop (unreadable)
    where standard input is asked for and closed.
    """

    def __init__(self, paths: Sequence[str], year: int | None = None) -> None:
        if "-" in paths and sys.stdin is None:
            raise unreadable("-: standard input is closed")
        self.source: Source = open_source(paths)
        self.clock = Clock(year)
        self.counts = Counts()
        self.identifier = Identifier()
        self.dialects: Counter[str] = Counter()
        self.is_schedulers = False
        self.totals = LineTotals()
        self.odd: dict[str, OddLine] = {}
        self._shapes: dict[tuple[str, int | None, str], str | None] = {}
        self._candidates: tuple[str, ...] | None = None
        self._stamped = -1
        self._last_t = 0

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.source.close()

    def records(self, lines: Iterable[LogLine] | None = None) -> Iterator[KlogRecord]:
        """The records of all inputs, in order. `lines` stands for the inputs' own where they are watched."""
        for record in read_records(self.source if lines is None else lines, self.counts, self.clock.created):
            self.dialects[record.dialect] += 1
            if record.source > self._stamped:
                self._stamp(record.source)
            yield record

    def events(self, lines: Iterable[LogLine] | None = None) -> Iterator[ev.SchedulerEvent]:
        """The events of all inputs, in order."""
        for record in self.records(lines):
            shape = self._shape(record)
            if shape is not None:
                self.totals.add(shape, record.lines)
                if shape == "unknown":
                    self._odd(record)
                continue
            event = extract(record, self._micros)
            if event is None:
                what = classify(record)
                self.totals.add(what, record.lines)
                if what == "unknown":
                    self._odd(record)
                continue
            self.totals.understood += record.lines
            self._identify_by(event)
            yield event

    def candidates(self) -> tuple[str, ...]:
        """The releases that the lines so far leave, for the replay."""
        if self._candidates is None:
            self._candidates = self.identifier.result().candidates
        return self._candidates

    @property
    def vendor(self) -> bool:
        """Whether some line so far is printed like that by no known release."""
        return self.identifier.result().vendor

    def line_totals(self) -> LineTotals:
        """All physical lines by what became of them: framing is irrelevant, what is no record is unknown."""
        return LineTotals(
            understood=self.totals.understood,
            irrelevant=self.totals.irrelevant + self.counts.framing,
            unknown=self.totals.unknown + self.counts.unknown,
        )

    def _shape(self, record: KlogRecord) -> str | None:
        """What a record of this shape is, whatever its values; None where the values decide."""
        header = record.header
        key = (
            ("", None, record.msg[:_SHAPE_LENGTH])
            if header is None
            else (header.file, header.line, record.msg[:_SHAPE_LENGTH])
        )
        if key in self._shapes:
            return self._shapes[key]
        self.is_schedulers = self.is_schedulers or is_scheduler_line(record)
        site = "" if header is None or header.line is None else f"{header.file.rpartition('/')[2]}:{header.line}"
        self.identifier.observe(
            site, record.msg, list(record.values), record.structured, line=record.line, text=record.text
        )
        self._candidates = None
        what = None if is_relevant(record.msg) else str(classify(record))
        if len(self._shapes) < MOST_SHAPES:
            self._shapes[key] = what
        return what

    def _odd(self, record: KlogRecord) -> None:
        header = record.header
        name = f"{header.file}:{header.line}" if header is not None else record.msg[:_SHAPE_LENGTH]
        seen = self.odd.get(name)
        if seen is None and len(self.odd) < MOST_SHAPES:
            seen = self.odd[name] = OddLine(record.line, record.text, record.source)
        if seen is not None:
            seen.count += record.lines

    def _identify_by(self, event: ev.SchedulerEvent) -> None:
        if isinstance(event, ev.SchedulerStarted):
            if event.version:
                self.identifier.observe_version(event.version, line=event.line, line_text=event.text)
        elif isinstance(event, ev.Flag):
            self.identifier.observe_flag(event.name, event.value, line=event.line, text=event.text)
        elif isinstance(event, ev.FeatureGatesLogged):
            self.identifier.observe_gates(event.gates, line=event.line, text=event.text)
        elif isinstance(event, ev.ComponentConfig):
            self.identifier.observe_config(event.config, line=event.line)
        else:
            return
        self._candidates = None

    def _stamp(self, source: int) -> None:
        """A wrapper's time has a year, which klog's header has not."""
        self._stamped = source
        stamp = self.source.inputs[source].stamp
        if stamp is not None:
            self.clock.created_text(stamp)

    def _micros(self, header: Header) -> int:
        with suppress(ValueError):
            self._last_t = self.clock.micros(header)
        return self._last_t
