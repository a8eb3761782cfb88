"""Open inputs and stream their lines."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from klogreplay.intake.batch import Batch, split_lines
from klogreplay.intake.compression import DAMAGE, Compression, decompressed, detect_compression
from klogreplay.intake.counting import CountingReader
from klogreplay.intake.directory import log_files
from klogreplay.intake.encoding import looks_binary, utf8_chunks
from klogreplay.intake.errors import (
    BinaryInputError,
    DamagedInputError,
    EmptyInputError,
    IntakeError,
    MissingInputError,
)
from klogreplay.intake.limits import CHUNK, Limits
from klogreplay.intake.line import LogLine
from klogreplay.intake.unwrap import Unwrapper
from klogreplay.intake.wrappers import SAMPLE, recognise

_HEAD = 1 << 13
_LONGEST_MAGIC = 6
_ODD_STARTS = (b"\0", codecs.BOM_UTF8[:1])
_TAR_MAGIC_AT = 257


class InputStats(msgspec.Struct):
    """What was read of one input.

    `bytes` and `sha256` are those of the input as it stands (compressed, if it is), complete once it was read to its
    end; `lines` counts physical lines, `cut` those longer than the limit. `wrappers` are the names of what was taken
    off each line, `stamp` the first time one of them printed (it has a year). `warnings`: what was wrong with the input
    that did not keep it from being read.
    """

    name: str
    bytes: int = 0
    lines: int = 0
    sha256: str = ""
    cut: int = 0
    compression: str | None = None
    wrappers: tuple[str, ...] = ()
    stamp: str | None = None
    warnings: list[str] = []


class _File:
    """One opened input, its first bytes looked at."""

    def __init__(self, name: str, raw: BinaryIO, limits: Limits) -> None:
        self.stats = InputStats(name)
        self._limits = limits
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
        plain = split_lines(utf8_chunks(self._chunks()), self._limits.line_bytes)
        first = next(plain, None)
        if first is not None:
            wrappers = recognise(first.lines[:SAMPLE])
            stats.wrappers = tuple(wrapper.name for wrapper in wrappers)
            counted = self._counted(first, plain)
            if wrappers:
                unwrapper = Unwrapper(wrappers, self._limits.line_bytes)
                for batch in unwrapper.batches(counted):
                    if stats.stamp is None and unwrapper.stamp is not None:
                        stats.stamp = unwrapper.stamp.decode("ascii", "replace")
                    yield batch
                stats.cut += unwrapper.cut
            else:
                yield from counted
        while self._reader.read(CHUNK):
            pass
        stats.bytes, stats.sha256 = self._counter.count, self._counter.sha256()
        self.close()

    def _counted(self, first: Batch, rest: Iterator[Batch]) -> Iterator[Batch]:
        batch: Batch | None = first
        while batch is not None:
            self.stats.lines += len(batch.lines)
            self.stats.cut += batch.cut
            yield batch
            batch = next(rest, None)

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
            self.stats.warnings.append(f"{name}: damaged or cut {compression.name} data; what follows is lost")
        if not begun:
            raise EmptyInputError(f"{name}: the input is empty")


class Source:
    """The lines of one or more inputs, in the order given. Reads each input once; use it as a context manager."""

    def __init__(self, paths: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._paths = list(paths)
        self._next: _File | None = None
        self.inputs: list[InputStats] = []
        self._open_next()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open."""
        if self._next is not None:
            self._next.close()
            self._next = None

    def _open_next(self) -> None:
        if not self._paths:
            self._next = None
            return
        path = self._paths.pop(0)
        self._next = _File("-" if path == "-" else path, _open(path), self._limits)
        self.inputs.append(self._next.stats)

    def batches(self) -> Iterator[tuple[int, Batch]]:
        """The lines as bytes, in batches, with the index of their input. Raises IntakeError as the inputs do."""
        while self._next is not None:
            index = len(self.inputs) - 1
            for batch in self._next.batches():
                yield index, batch
            self._open_next()

    def __iter__(self) -> Iterator[LogLine]:
        for source, batch in self.batches():
            if batch.marks is not None:
                for raw, mark in zip(batch.lines, batch.marks, strict=True):
                    yield LogLine(text_of(raw), mark.number, mark.offset, source, mark.physical)
                continue
            offset = batch.offset
            for number, raw in enumerate(batch.lines, batch.number):
                yield LogLine(text_of(raw), number, offset, source)
                offset += len(raw) + 1


def text_of(raw: bytes) -> str:
    """A line's text, with bytes that are not UTF-8 as surrogates.

    Without a hole of NUL bytes in front (a log truncated under its writer) or a byte order mark (files joined).
    """
    if raw[:1] in _ODD_STARTS:
        raw = raw.lstrip(b"\0").removeprefix(codecs.BOM_UTF8)
    return raw.decode("utf-8", "surrogateescape")


def _open(path: str) -> BinaryIO:
    if path == "-":
        return open(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    try:
        return open(path, "rb", buffering=0)
    except FileNotFoundError:
        raise MissingInputError(f"{path}: no such file") from None
    except OSError as error:
        raise MissingInputError(f"{path}: {error.strerror}") from None


def open_source(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], limits: Limits | None = None
) -> Source:
    """Open a log file, a directory of them, standard input ("-"), or several of these, to be read one after the other.

    Compression, encoding and wrappers are recognised by content. Raises IntakeError: at once for the first input (and
    for names that do not exist), while reading for what comes later.
    """
    limits = limits or Limits()
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files: list[str] = []
    for path in [os.fspath(path) for path in given]:
        if path != "-" and Path(path).is_dir():
            files.extend(log_files(path, limits))
        elif path != "-" and not Path(path).exists():
            raise MissingInputError(f"{path}: no such file")
        else:
            files.append(path)
    if not files:
        raise MissingInputError("no input given")
    return Source(files, limits)
