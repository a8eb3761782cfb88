"""What was learnt of lines that share a beginning: an expression for each of their shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from klogreplay.klog.builds import Build, Compile, Nothing, ReadRecord, Seconds
from klogreplay.klog.record import KlogRecord

_MOST_BEGINNINGS = 4096
_MOST_VARIANTS = 16

T = TypeVar("T")


class Ways(NamedTuple):
    """What is asked of a record, and what is made of lines.

    `label` says `KEEP`, or the label that a record is dropped with; `compile_for` as in `klogreplay.klog.builds`.
    `of_record` makes, of the lines of which it is given a way to their records, what becomes of these.
    """

    label: Callable[[KlogRecord], str]
    compile_for: Compile[Any] | None
    of_record: Callable[[ReadRecord], Build[Any]]


class Shape(Protocol):
    """What lines with one beginning have in common behind it."""

    @property
    def pattern(self) -> str:
        """The expression that goes on where the beginning ends, and takes the rest of a line."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the values that count, each once."""

    def texts(self, text: str, groups: tuple[str, ...]) -> tuple[str, ...] | None:
        """The texts of these values in the line `text`, of which these are the groups; None where it has none."""

    def known(self, record: KlogRecord, texts: tuple[str, ...]) -> KlogRecord:
        """The record of a line with these texts, as `Compile` wants it."""

    def reader(self, record: KlogRecord) -> ReadRecord:
        """Makes the records of such lines from their texts, given one."""


class Making(msgspec.Struct, Generic[T], gc=False):
    """A line on its way to what is made of it."""

    text: str
    texts: tuple[str, ...]
    time: Seconds
    build: Build[T] | None
    of_record: Build[T | Nothing]

    def make(self, number: int, source: int) -> T | Nothing | None:
        """What becomes of the line; `number` and `source` are its place. Moves the clock on."""
        time = self.time(self.text)
        made = None if self.build is None else self.build(self.text, number, source, self.texts, time)
        return self.of_record(self.text, number, source, self.texts, time) if made is None else made


_Match = Callable[[str, int], "re.Match[str] | None"]


class _Readers(Generic[T]):
    """The readers of lines with one beginning; a shape teaches one when it is seen for the second time."""

    __slots__ = ("all", "once", "patterns")

    def __init__(self) -> None:
        self.once: set[str] = set()
        self.patterns: set[str] = set()
        self.all: list[tuple[_Match, Shape, Build[T] | None, Build[T | Nothing]]] = []


class Learnt(Generic[T]):
    """Readers by beginning.

    `shape_of` gives the shape of a record's line from a character on, None where such lines are to be read in full;
    asked for the second time it is to be sure. `time` gives of a line what its `Build` wants to know.
    """

    def __init__(self, shape_of: Callable[[KlogRecord, int, bool], Shape | None], time: Seconds, ways: Ways) -> None:
        self._shape_of = shape_of
        self._time = time
        self._ways = ways
        self._table: dict[bytes, _Readers[T]] = {}
        self.forget = self._table.clear
        """Forget all."""

    def find(self, beginning: bytes, raw: bytes, begin: int) -> Making[T] | None:
        """How to make something of a line that is as learnt from byte `begin` on, before which all is ASCII."""
        readers = self._table.get(beginning)
        if readers is None:
            return None
        text = raw.decode("utf-8", "surrogateescape")
        for match, shape, build, of_record in readers.all:
            found = match(text, begin)
            if found is not None:
                texts = shape.texts(text, found.groups())
                return None if texts is None else Making(text, texts, self._time, build, of_record)
        return None

    def learn(self, beginning: bytes, record: KlogRecord, begin: int) -> None:
        """Let a wanted record that was read in full teach how to read others like it."""
        if beginning not in self._table and len(self._table) >= _MOST_BEGINNINGS:
            self._table.clear()
        readers = self._table.setdefault(beginning, _Readers())
        if len(readers.all) >= _MOST_VARIANTS or len(readers.once) >= 4 * _MOST_VARIANTS:
            return
        shape = self._shape_of(record, begin, False)
        if shape is None or shape.pattern in readers.patterns:
            return
        if shape.pattern not in readers.once:
            readers.once.add(shape.pattern)
            return
        shape = self._shape_of(record, begin, True)
        if shape is None:
            return
        match = re.compile(shape.pattern).match
        found = match(record.text, begin)
        texts = None if found is None else shape.texts(record.text, found.groups())
        if texts is None:
            return
        readers.patterns.add(shape.pattern)
        read, compile_for = shape.reader(record), self._ways.compile_for
        build = None
        if compile_for is not None:
            build = compile_for(shape.known(record, texts), shape.keys, read)
        readers.all.append((match, shape, build, self._ways.of_record(read)))
