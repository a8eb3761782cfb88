"""Open inputs and stream their lines."""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO, cast

from klogreplay.intake.batch import Batch
from klogreplay.intake.compression import DAMAGE, Compression, decompressed, detect_compression
from klogreplay.intake.counting import CountingReader
from klogreplay.intake.directory import expand
from klogreplay.intake.encoding import looks_binary, utf8_chunks
from klogreplay.intake.errors import (
    BinaryInputError,
    DamagedInputError,
    EmptyInputError,
    InputTooLargeError,
    IntakeError,
    MissingInputError,
    NoLogsError,
)
from klogreplay.intake.input_stats import InputStats
from klogreplay.intake.item import Item
from klogreplay.intake.limits import CHUNK, Limits
from klogreplay.intake.line import LogLine
from klogreplay.intake.lines import LogLines
from klogreplay.intake.names import labels
from klogreplay.intake.order import Beginning, Placed, in_order
from klogreplay.intake.order_reading import Opened, Reading
from klogreplay.intake.silences import Silences
from klogreplay.intake.stream_inputs import StreamInputs
from klogreplay.intake.tail import Tail

_HEAD = 1 << 13
_LONGEST_MAGIC = 6
_ODD_STARTS = (b"\0", codecs.BOM_UTF8[:1])
_TAR_MAGIC_AT = 257


class _File:
    """One opened input, its first bytes looked at."""

    def __init__(self, name: str, raw: BinaryIO, limits: Limits) -> None:
        self.stats = InputStats(name)
        self._limits = limits
        self.log_lines = LogLines(limits, self.stats)
        self._counter = CountingReader(raw)
        self._reader = io.BufferedReader(self._counter, CHUNK)
        try:
            head = self._counter.peek(_LONGEST_MAGIC)[:_HEAD]
            self._compression = detect_compression(head)
            self._check(head)
        except OSError as error:
            self.close()
            raise MissingInputError(f"{name}: {error.strerror or error}") from None
        except IntakeError:
            self.close()
            raise

    def _check(self, head: bytes) -> None:
        if not head:
            raise EmptyInputError(f"{self.stats.name}: the input is empty")
        if self._compression is None:
            self._check_text(head, "")

    def _check_text(self, head: bytes, inside: str) -> None:
        if head[_TAR_MAGIC_AT:].startswith(b"ustar"):
            raise BinaryInputError(f"{self.stats.name}: a tar archive{inside}; unpack it first")
        if looks_binary(head):
            raise BinaryInputError(f"{self.stats.name}: binary data{inside}, not a log")

    def close(self) -> None:
        self._reader.close()

    def batches(self) -> Iterator[Batch]:
        """The batches of lines; closes the input at the end and completes the statistics."""
        stats = self.stats
        yield from self.log_lines.batches(utf8_chunks(self._chunks()))
        while self._reader.read(CHUNK):
            pass
        stats.bytes, stats.sha256 = self._counter.count, self._counter.sha256()
        self.close()

    def _chunks(self) -> Iterator[bytes]:
        compression = self._compression
        if compression is None:
            chunk = self._reader.read1(CHUNK)
            self._check_text(chunk[:_HEAD], "")
            while chunk:
                yield chunk
                chunk = self._reader.read1(CHUNK)
            return
        self.stats.compression = compression.name
        yield from self._decompressed(compression)

    def _decompressed(self, compression: Compression) -> Iterator[bytes]:
        name, begun = self.stats.name, False
        try:
            for chunk in decompressed(
                cast(BinaryIO, self._reader), compression, self._limits, lambda: self._counter.count
            ):
                if not begun:
                    self._check_text(chunk[:_HEAD], f" inside {compression.name}")
                begun = True
                yield chunk
        except IntakeError as error:
            message = str(error)
            raise type(error)(message if message.startswith(name) else f"{name}: {message}") from None
        except DAMAGE:
            if not begun:
                raise DamagedInputError(f"{name}: damaged {compression.name} data") from None
            self.stats.broken_off = True
            self.stats.warnings.append(f"{name}: damaged or cut {compression.name} data; what follows is lost")
        if not begun:
            raise EmptyInputError(f"{name}: the input is empty")


class Source:
    """The lines of one or more inputs, in the order of their times. Reads each once; use it as a context manager.

    `warnings`: what was left out of what the user named. `silences` are those of the logs (`chain_of`) so far.
    """

    def __init__(
        self, items: Sequence[Item], limits: Limits, warnings: Sequence[str] = (), tail: Tail | None = None
    ) -> None:
        self._limits = limits
        self._tail = tail
        self._open: list[_File] = []
        self.inputs: list[InputStats] = []
        self.warnings = list(warnings)
        self.silences = Silences()
        self._labels: dict[int, str] = {}
        self._logs = StreamInputs(self.inputs, self._labels, self._chain_of_file)
        self._several: Reading | None = None
        self._only: _File | None = None
        if tail is not None:
            pass
        elif len(items) == 1:
            self._only = self._opened(items[0])
            self._logs.add(self._only.stats, self._only.log_lines)
        else:
            self._several = self._planned(items)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open."""
        for file in self._open:
            file.close()
        self._open.clear()

    def chain_of(self, source: int) -> int:
        """Which log the input is of: the index of the first input of this log (rotated files, copies)."""
        return self._logs.chain_of(source)

    def release_log_of(self, source: int) -> int:
        """The log whose lines tell of the input's release: those in one stream are taken to be of one release."""
        return self._chain_of_file(self._logs.file_of(source))

    def _chain_of_file(self, source: int) -> int:
        return 0 if self._several is None else self._several.chains.get(source, source)

    def label_of(self, source: int) -> str:
        """A short name for the input that no other has; "" where there is only one."""
        return self._labels.get(source, "")

    def batches(self) -> Iterator[tuple[int, Batch]]:
        """The lines as bytes, in batches, with the index of their input. Raises IntakeError as the inputs do."""
        for source, batch in self._batches():
            self.silences.look(self.chain_of(source), source, batch)
            yield source, batch

    def _batches(self) -> Iterator[tuple[int, Batch]]:
        if self._tail is not None:
            yield from self._logs.apart(self._following(self._tail))
        elif self._only is not None:
            only, self._only = self._only, None
            yield from self._logs.apart((0, batch) for batch in only.batches())
        elif self._several is not None:
            yield from self._logs.apart(self._several.batches())
            self._tell_copies(self._several)

    def _following(self, tail: Tail) -> Iterator[tuple[int, Batch]]:
        """One log, in as many files as it is rotated into while it is read."""
        for item in tail.items():
            try:
                file = self._opened(item)
            except EmptyInputError:
                if not self.inputs:
                    raise
                return
            index = self._logs.add(file.stats, file.log_lines)
            for batch in file.batches():
                yield index, batch

    def _tell_copies(self, several: Reading) -> None:
        for source, copied in several.copied.items():
            stats = self.inputs[source]
            stats.copied = copied
            if copied:
                stats.warnings.append(f"{stats.name}: {copied} of its lines are another input's as well: counted once")
        for source, count in several.left_out.items():
            stats = self.inputs[source]
            if count:
                stats.warnings.append(
                    f"{stats.name}: its last {count} lines come behind the end of the input it holds a part of and are "
                    "left out; read it alone to see them"
                )

    def _opened(self, item: Item) -> _File:
        file = _File(item.name, item.open(), self._limits)
        self._open.append(file)
        return file

    def _planned(self, items: Sequence[Item]) -> Reading:
        """Look at the beginning of each log and find their order. Raises IntakeError for what was named and is none."""
        kept: list[Item] = []
        begun: list[tuple[str, Beginning]] = []
        once: dict[str, tuple[_File, Iterator[Batch]]] = {}
        for item in items:
            try:
                beginning = Beginning()
                file = self._opened(item)
                batches = file.batches()
                looked_at = list(beginning.take(batches))
            except IntakeError as error:
                named = not item.found and not isinstance(error, EmptyInputError)
                if named or len(items) == 1 or isinstance(error, InputTooLargeError):
                    raise
                self.warnings.append(f"{error}; left out")
                continue
            if beginning.year is None and file.stats.stamp is not None and file.stats.stamp[:4].isdecimal():
                beginning.year = int(file.stats.stamp[:4])
            if item.once:
                once[item.name] = file, chain(looked_at, batches)
            else:
                self._open.remove(file)
                file.close()
            kept.append(item)
            begun.append((item.name, beginning))
        if not kept:
            raise NoLogsError(f"{self.warnings[0].removesuffix('; left out')}; and nothing else to read")
        axis, order, placed = in_order(begun)
        by_place = {id(one): item for one, item in zip(placed, kept, strict=True)}
        short = dict(zip(by_place, labels([item.name for item in kept]), strict=True)) if len(kept) > 1 else {}

        def open_log(one: Placed) -> Opened:
            item = by_place[id(one)]
            file, batches = once.pop(item.name) if item.name in once else self._fresh(item)
            index = self._logs.add(file.stats, file.log_lines)
            self._labels[index] = short.get(id(one), "")
            return Opened(index, batches)

        def probe(one: Placed) -> Iterator[Batch]:
            item = by_place[id(one)]
            if item.once:
                return iter(())
            file = self._opened(item)
            return file.batches()

        return Reading(axis, [placed[index] for index in order], open_log, probe)

    def _fresh(self, item: Item) -> tuple[_File, Iterator[Batch]]:
        file = self._opened(item)
        return file, file.batches()

    def __iter__(self) -> Iterator[LogLine]:
        for source, batch in self.batches():
            for raw, mark in zip(batch.lines, batch.places(), strict=True):
                yield LogLine(text_of(raw), mark.number, mark.offset, source, mark.physical)


def text_of(raw: bytes) -> str:
    """A line's text, with bytes that are not UTF-8 as surrogates.

    Without a hole of NUL bytes in front (a log truncated under its writer) or a byte order mark (files joined).
    """
    if raw[:1] in _ODD_STARTS:
        raw = raw.lstrip(b"\0").removeprefix(codecs.BOM_UTF8)
    return raw.decode("utf-8", "surrogateescape")


def open_source(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], limits: Limits | None = None
) -> Source:
    """Open logs: files, directories, patterns, archives, standard input ("-"), or several of these.

    Compression, archives, encoding and wrappers are recognised by content. Several logs are read in the order of their
    times, whatever the order in which they are named; a record that is in more than one is given once. Raises
    IntakeError: at once for what was named and cannot be read, while reading for what turns out to be damaged.
    """
    limits = limits or Limits()
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found = expand([os.fspath(path) for path in given], limits)
    return Source(found.items, limits, found.warnings)


def follow_source(tail: Tail, limits: Limits | None = None) -> Source:
    """A log that is still being written. Raises IntakeError, while reading, where there is nothing to read."""
    return Source((), limits or Limits(), tail=tail)
