"""From inputs to records and events, keeping count of what became of every line. Wiring; the work is elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress

import msgspec

from klogreplay.cli.exits import unreadable, usage
from klogreplay.cli.output import note
from klogreplay.cli.progress import shown
from klogreplay.events import types as ev
from klogreplay.events.evidence import is_scheduler_line
from klogreplay.events.extract import classify, extract, is_relevant
from klogreplay.events.fast import compile_for
from klogreplay.intake import Limits, Source, open_source
from klogreplay.intake.limits import NO_GROWTH_LIMITS
from klogreplay.klog.builds import KEEP, Build, ReadRecord
from klogreplay.klog.clock import Clock
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Engine
from klogreplay.klog.fast import FastReader
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import Header, KlogRecord
from klogreplay.knowledge import Identification, Identifier
from klogreplay.report.sanitize import sanitize_terminal

MOST_ODD = 1000
"""Kinds of records not understood that are told apart."""
_IRRELEVANT = "irrelevant"
_UNKNOWN = "unknown"
_TELLING = (ev.SchedulerStarted, ev.Flag, ev.FeatureGatesLogged, ev.ComponentConfig)
"""Events that tell of release and gates."""


class LineTotals(msgspec.Struct):
    """Physical lines by what became of them; the three together are all lines read."""

    understood: int = 0
    irrelevant: int = 0
    unknown: int = 0


class OddLine(msgspec.Struct):
    """The first of a kind of records that no known scheduler prints, and how many lines there are of the kind."""

    line: int
    text: str
    source: int
    count: int = 0


class _Identified:
    """What the lines so far of one log tell of its release, for the replay."""

    def __init__(self) -> None:
        self.identifier = Identifier()
        self._result: Identification | None = None

    def to_observe(self) -> Identifier:
        """The identifier, for something new."""
        self._result = None
        return self.identifier

    def candidates(self) -> tuple[str, ...]:
        """The releases that the lines so far leave."""
        return self._told().candidates

    @property
    def vendor(self) -> bool:
        """Whether some line so far is printed like that by no known release."""
        return self._told().vendor

    def _told(self) -> Identification:
        if self._result is None:
            self._result = self.identifier.result()
        return self._result


def limits(lifted: bool) -> Limits:
    """How far compressed logs may grow."""
    return NO_GROWTH_LIMITS if lifted else Limits()


class Reading:
    """One pass over the inputs. Use it as a context manager; iterate `records` or `events`, once.

    What it counts is complete when the iteration is over. `progress` shows on stderr how far it is, where that is a
    terminal; `engine`="lark" reads every line with the grammar. Raises IntakeError as the inputs do, and Stop
    (unreadable) where standard input is asked for and closed, Stop (usage) for an empty path.
    """

    def __init__(
        self,
        paths: Sequence[str],
        year: int | None = None,
        *,
        progress: bool = False,
        engine: Engine = "fast",
        source: Source | None = None,
        limits: Limits | None = None,
    ) -> None:
        if "" in paths:
            raise usage("a LOG without a name: want a file, a directory, or - for standard input")
        if "-" in paths and sys.stdin is None:
            raise unreadable("-: standard input is closed")
        self.source: Source = open_source(paths, limits) if source is None else source
        self.clock = Clock(year)
        self.counts = Counts()
        self._identified_logs: dict[int, _Identified] = {0: _Identified()}
        self._log = 0
        self.dialects: set[str] = set()
        self.is_schedulers = False
        self.version_line: int | None = None
        """Where the scheduler first named its version."""
        self._progress = progress
        self._engine: Engine = engine
        self._kept = LineTotals()
        self._odd: dict[str, OddLine] = {}
        self._stamped = -1
        self._last_t = 0
        self._open = ExitStack()
        self._reader: FastReader[ev.SchedulerEvent] | None = None

    def __enter__(self) -> Reading:
        self._open.callback(self.source.close)
        if self._progress:
            self._open.enter_context(shown(self.source))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def records(self) -> Iterator[KlogRecord]:
        """All records of all inputs, in order."""
        for record in self._all_records():
            self._stamp(record.source)
            yield record

    def _all_records(self) -> Iterator[KlogRecord]:
        return read_records(self.source, self.counts, self.clock.created, engine=self._engine, keep_plain=True)

    def events(self) -> Iterator[ev.SchedulerEvent]:
        """The events of all inputs, in order."""
        reader: FastReader[ev.SchedulerEvent] = FastReader(
            self.source,
            self._decide,
            self.counts,
            self.clock.created,
            compile_for=self._compile_for,
            convert=self._event,
            seconds=self.clock.second_of_line,
            json_time=self.clock.micros_of_json_line,
            on_source=self._enter,
            engine=self._engine,
        )
        self._reader = reader
        return iter(reader)

    def flush(self) -> tuple[ev.SchedulerEvent, ...]:
        """The event of the last record so far, if it is one, where the source waits for more."""
        return () if self._reader is None else self._reader.flush()

    def _compile_for(
        self, record: KlogRecord, keys: tuple[str, ...], read: ReadRecord
    ) -> Build[ev.SchedulerEvent] | None:
        if type(extract(record, lambda _header: 0)) in _TELLING:
            return None
        return compile_for(record, keys, read, self._micros)

    def _event(self, record: KlogRecord) -> ev.SchedulerEvent | None:
        """The event of a record that was read in full; counts it."""
        event = extract(record, self._micros)
        if event is not None:
            self._kept.understood += record.lines
            if type(event) in _TELLING:
                self._identify_by(event)
        elif classify(record) == _IRRELEVANT:
            self._kept.irrelevant += record.lines
        else:
            self._odd_line(record).count += record.lines
        return event

    @property
    def identifier(self) -> Identifier:
        """What the lines of the first log tell of the release."""
        return self._identified_logs[0].identifier

    def candidates(self) -> tuple[str, ...]:
        """The releases that the lines so far of the first log leave."""
        return self._identified_logs[0].candidates()

    @property
    def vendor(self) -> bool:
        """Whether some line so far of the first log is printed like that by no known release."""
        return self._identified_logs[0].vendor

    def identified(self, log: int) -> _Identified:
        """What the lines so far of one log tell of the release, for the replay."""
        log = self.source.release_log_of(log)
        found = self._identified_logs.get(log)
        if found is None:
            found = self._identified_logs[log] = _Identified()
        return found

    def chain_of(self, source: int) -> int:
        """Which log the input is of, for the replay."""
        return self.source.chain_of(source)

    def label_of(self, source: int) -> str:
        """A short name for the input, for the replay."""
        return self.source.label_of(source)

    def damaged_between(self, first: tuple[int, int], last: tuple[int, int]) -> bool:
        """Whether lines may be missing between two lines, given as input and line number, for the replay."""
        broken_off = any(self.source.inputs[source].broken_off for source in range(first[0], last[0]))
        return broken_off or self.counts.holes.between(first, last)

    def _enter(self, source: int) -> None:
        """The lines to come are of this input."""
        self._stamp(source)
        log = self.source.release_log_of(source)
        if log != self._log:
            self._log = log
            if self._reader is not None:
                self._reader.forget()

    def line_totals(self) -> LineTotals:
        """All physical lines by what became of them: framing is irrelevant, what is no record is unknown."""
        dropped = self.counts.dropped
        irrelevant = dropped.get(_IRRELEVANT, 0) + sum(each.framing for each in self.source.inputs)
        return LineTotals(
            understood=self._kept.understood + (0 if self._reader is None else self._reader.built),
            irrelevant=self._kept.irrelevant + irrelevant + self.counts.framing,
            unknown=sum(odd.count for odd in self.odd_lines()) + self.counts.unknown,
        )

    def note_inputs(self) -> None:
        """Say on standard error what was around the log and what was mended; nothing of a plain log."""
        inputs = self.source.inputs
        said = [f"{each.name}: {each.lines} lines in {each.form}" for each in inputs if each.form != "plain"]
        said += [warning for each in inputs for warning in each.warnings]
        said += [str(damage) for damage in self.counts.damage.all()]
        note("".join(f"klogreplay: {sanitize_terminal(text)}\n" for text in said))

    def odd_lines(self) -> list[OddLine]:
        """The kinds of records not understood, in the order of their first lines."""
        dropped = self.counts.dropped
        return [
            OddLine(odd.line, odd.text, odd.source, odd.count + dropped.get(name, 0)) for name, odd in self._odd.items()
        ]

    def _decide(self, record: KlogRecord) -> str:
        """Whether a record is wanted; asked once for each call site and message."""
        self.dialects.add(record.dialect)
        self.is_schedulers = self.is_schedulers or is_scheduler_line(record)
        header = record.header
        site = "" if header is None or header.line is None else f"{header.file.rpartition('/')[2]}:{header.line}"
        identifier = self.identified(self._log).to_observe()
        identifier.observe(site, record.msg, list(record.values), record.structured, line=record.line, text=record.text)
        if is_relevant(record.msg):
            return KEEP
        if classify(record) == _IRRELEVANT:
            return _IRRELEVANT
        return self._odd_name(record)

    def _odd_line(self, record: KlogRecord) -> OddLine:
        return self._odd[self._odd_name(record)]

    def _odd_name(self, record: KlogRecord) -> str:
        """The name of the record's kind, which is noted where it is new."""
        header = record.header
        name = _UNKNOWN if header is None else f"{_UNKNOWN} {header.file}:{header.line}"
        if name not in self._odd:
            if len(self._odd) >= MOST_ODD:
                name = _UNKNOWN
            self._odd.setdefault(name, OddLine(record.line, record.text, record.source))
        return name

    def _identify_by(self, event: ev.SchedulerEvent) -> None:
        identifier = self.identified(self._log).to_observe()
        if isinstance(event, ev.SchedulerStarted):
            if event.version:
                self.version_line = self.version_line or event.line
                identifier.observe_version(event.version, line=event.line, line_text=event.text)
        elif isinstance(event, ev.Flag):
            identifier.observe_flag(event.name, event.value, line=event.line, text=event.text)
        elif isinstance(event, ev.FeatureGatesLogged):
            identifier.observe_gates(event.gates, line=event.line, text=event.text)
        elif isinstance(event, ev.ComponentConfig):
            identifier.observe_config(event.config, line=event.line)

    def _stamp(self, source: int) -> None:
        """A wrapper's time has a year, which klog's header has not."""
        if source <= self._stamped:
            return
        self._stamped = source
        stamp = self.source.inputs[source].stamp
        if stamp is not None:
            self.clock.created_text(stamp)

    def _micros(self, header: Header) -> int:
        with suppress(ValueError):
            self._last_t = self.clock.micros(header)
        return self._last_t
