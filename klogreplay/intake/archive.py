"""The logs inside an archive, each as an input of its own: tar (plain or compressed) and zip, told by content.

A member is found by its header only once; where the archive is a stream that cannot be read twice, or is compressed as
a whole, its logs are kept in a temporary file, compressed, so that they can be read in any order.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, cast

import msgspec
import zstandard

from klogreplay.intake.compression import DAMAGE, decompressed, detect_compression
from klogreplay.intake.counting import CountingReader
from klogreplay.intake.errors import DamagedInputError, InputTooLargeError, IntakeError, NoLogsError
from klogreplay.intake.item import Item
from klogreplay.intake.limits import CHUNK, Limits
from klogreplay.intake.names import is_log_name

BLOCK = 512
_ZIP = b"PK\x03\x04"
_TAR_MAGIC_AT = 257
_LONGEST_HEADER = 1 << 22
_SPOOL_IN_MEMORY = 1 << 24
_LEVEL = 1

_BROKEN = (tarfile.TarError, *DAMAGE)
"""What the archive modules raise on damaged or hostile data (DAMAGE has RuntimeError, which RecursionError is)."""


class Contents(msgspec.Struct):
    """The logs of an archive, and what was wrong with it that did not keep these from being read."""

    items: list[Item]
    warnings: list[str]


def is_tar(head: bytes) -> bool:
    """Whether data that begins like `head` (512 bytes) is a tar archive, in any of its formats."""
    if head[_TAR_MAGIC_AT:].startswith(b"ustar"):
        return True
    if len(head) < BLOCK or not head[0]:
        return False
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def contents_of(item: Item, raw: BinaryIO, head: bytes, limits: Limits) -> Contents | None:
    """The logs inside `item`, which is opened as `raw` and begins with `head`; None where it is no archive of several.

    A zip archive with a single log is no such thing: it is compression like another. Raises DamagedInputError,
    InputTooLargeError and NoLogsError. Where the result is None, nothing was read from `raw`.
    """
    if head.startswith(_ZIP):
        return _zip(item, raw, limits)
    compression = detect_compression(head)
    if compression is None:
        if not is_tar(head):
            return None
        return _plain_tar(item, limits) if not item.once else _streamed_tar(item, raw, limits)
    if is_tar(_first_block(head)):
        counter = CountingReader(raw)
        chunks = decompressed(cast(BinaryIO, counter), compression, limits, lambda: counter.count)
        return _streamed_tar(item, cast(BinaryIO, _Forward(chunks)), limits)
    return None


def _first_block(head: bytes) -> bytes:
    """The first decompressed bytes."""
    compression = detect_compression(head)
    if compression is None:
        return head
    found = b""
    try:
        for chunk in compression.chunks(io.BytesIO(head), Limits()):
            found += chunk
            if len(found) >= BLOCK:
                break
    except DAMAGE:
        pass
    return found


# --- zip --------------------------------------------------------------------------------------------------------------


def _zip(item: Item, raw: BinaryIO, limits: Limits) -> Contents | None:
    file = _spool() if item.once else cast(BinaryIO, io.BufferedReader(_raw(item.open()), CHUNK))
    if item.once:
        shutil.copyfileobj(raw, file, CHUNK)
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN:
        raise DamagedInputError(f"{item.name}: damaged zip data") from None
    members = [info for info in archive.infolist() if not info.is_dir()]
    logs = [info for info in members if is_log_name(info.filename)] or (members if len(members) == 1 else [])
    logs.sort(key=lambda info: info.filename)
    if not logs:
        raise NoLogsError(f"{item.name}: the archive holds no log file")
    if len(logs) == 1 and not item.once:
        file.close()
        return None
    if len(logs) > limits.files:
        raise NoLogsError(f"{item.name}: more than {limits.files} log files")
    opened = partial(_zip_member, archive, limits)
    return Contents([Item(_inside(item, info.filename), partial(opened, item, info), found=True) for info in logs], [])


def _spool() -> BinaryIO:
    """A temporary file; it is gone when its last reader is."""
    return cast(BinaryIO, tempfile.TemporaryFile())


def _raw(file: BinaryIO) -> io.RawIOBase:
    return cast(io.RawIOBase, file)


def _zip_member(archive: zipfile.ZipFile, limits: Limits, item: Item, info: zipfile.ZipInfo) -> BinaryIO:
    name = _inside(item, info.filename)
    try:
        member = archive.open(info)
    except _BROKEN:
        raise DamagedInputError(f"{name}: damaged zip data, or encrypted") from None
    return cast(BinaryIO, _Guarded(cast(BinaryIO, member), name, max(info.compress_size, 1), limits))


class _Guarded(io.RawIOBase):
    """A member's bytes, up to the limits of what it may grow to. Raises InputTooLargeError, DamagedInputError."""

    def __init__(self, raw: BinaryIO, name: str, size: int, limits: Limits) -> None:
        self._raw, self._name, self._size, self._limits = raw, name, size, limits
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable buffer
        try:
            data = self._raw.read(len(buffer))
        except _BROKEN:
            raise DamagedInputError(f"{self._name}: damaged zip data, or encrypted") from None
        buffer[: len(data)] = data
        self._count += len(data)
        try:
            self._limits.check_growth("zip", self._count, self._size)
        except InputTooLargeError as error:
            raise InputTooLargeError(f"{self._name}: {error}") from None
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


# --- tar --------------------------------------------------------------------------------------------------------------


def _plain_tar(item: Item, limits: Limits) -> Contents:
    """A tar file that can be read at any place: its members are read where they are."""
    found = Contents([], [])
    with item.open() as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        reader = _Forward(iter(partial(file.read, CHUNK), b""), seek=file.seek)
        for _, member in _logs(item, reader, limits, found.warnings):
            if member.offset_data + member.size > size:
                found.warnings.append(f"{_inside(item, member.name)}: cut in the archive")
            piece = partial(_Slice, item.open, member.offset_data, member.size)
            found.items.append(Item(_inside(item, member.name), cast(Callable[[], BinaryIO], piece), found=True))
    return _checked(item, found)


def _streamed_tar(item: Item, raw: BinaryIO, limits: Limits) -> Contents:
    """A tar archive that passes once: its logs are kept in a temporary file."""
    found = Contents([], [])
    reader = raw if isinstance(raw, _Forward) else _Forward(iter(partial(raw.read, CHUNK), b""))
    spool = _spool()
    for tar, member in _logs(item, reader, limits, found.warnings):
        begin = spool.tell()
        name = _inside(item, member.name)
        try:
            _keep(tar, member, spool, limits)
        except IntakeError as error:
            raise type(error)(f"{item.name}: {error}") from None
        except _BROKEN:
            found.warnings.append(f"{name}: cut or damaged in the archive; what follows is lost")
        piece = partial(_Slice, partial(_again, spool), begin, spool.tell() - begin)
        opened = partial(_decompressing, cast(Callable[[], BinaryIO], piece))
        found.items.append(Item(name, opened, found=True))
    spool.flush()
    return _checked(item, found)


def _checked(item: Item, found: Contents) -> Contents:
    if not found.items:
        if found.warnings:
            raise DamagedInputError(f"{item.name}: damaged tar data")
        raise NoLogsError(f"{item.name}: the archive holds no log file")
    found.items.sort(key=lambda log: log.name)
    return found


def _logs(
    item: Item, reader: _Forward, limits: Limits, warnings: list[str]
) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """The members that are logs by their names, as far as the archive can be read."""
    count = 0
    try:
        tar = tarfile.TarFile(fileobj=cast(BinaryIO, reader), mode="r", errors="surrogateescape")
        while (member := tar.next()) is not None:
            tar.members = []  # type: ignore[attr-defined]  # it would keep all of them
            if not member.isreg():
                continue
            if member.issparse():
                warnings.append(f"{_inside(item, member.name)}: a sparse file, left out")
            elif is_log_name(member.name):
                count += 1
                if count > limits.files:
                    raise NoLogsError(f"{item.name}: more than {limits.files} log files")
                yield tar, member
    except IntakeError as error:
        text = str(error)
        raise type(error)(text if text.startswith(item.name) else f"{item.name}: {text}") from None
    except _BROKEN:
        warnings.append(f"{item.name}: damaged or cut tar data; what follows is lost")


def _keep(tar: tarfile.TarFile, member: tarfile.TarInfo, spool: BinaryIO, limits: Limits) -> None:
    data = tar.extractfile(member)
    if data is None:
        return
    with zstandard.ZstdCompressor(level=_LEVEL).stream_writer(spool, closefd=False) as writer:
        left = member.size
        while left:
            chunk = data.read(min(CHUNK, left))
            if not chunk:
                raise tarfile.ReadError("unexpected end of data")
            writer.write(chunk)
            left -= len(chunk)


def _again(file: BinaryIO) -> BinaryIO:
    """Another reader of the same temporary file."""
    return open(os.dup(file.fileno()), "rb", buffering=0)


def _decompressing(open_piece: Callable[[], BinaryIO]) -> BinaryIO:
    return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(open_piece(), read_across_frames=False))


def _inside(item: Item, member: str) -> str:
    return f"{item.name}:{member.removeprefix('./')}"


class _Slice(io.RawIOBase):
    """A stretch of a file. Several of them may share one file and its position, so each goes to its own first."""

    def __init__(self, open_whole: Callable[[], BinaryIO], begin: int, size: int) -> None:
        self._file = open_whole()
        self._at, self._end = begin, begin + size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable buffer
        self._file.seek(self._at)
        data = self._file.read(min(len(buffer), self._end - self._at))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


class _Forward:
    """What tarfile needs of a file, over a stream: it only ever goes on, by a byte back at most.

    A header that asks for more than any real one is refused: it would be held in memory.
    """

    def __init__(self, chunks: Iterator[bytes], *, seek: Callable[[int], int] | None = None) -> None:
        self._chunks = chunks
        self._seek = seek
        self._held = b""
        self._last = b""
        self._at = 0

    def tell(self) -> int:
        return self._at

    def seek(self, to: int) -> int:
        if to == self._at - 1 and self._last:
            self._held, self._at = self._last + self._held, to
        elif to > self._at + len(self._held) and self._seek is not None:
            self._held, self._at = b"", self._seek(to)
        while self._at < to:
            if not self._take(min(to - self._at, CHUNK)):
                break
        return self._at

    def read(self, size: int) -> bytes:
        if size > _LONGEST_HEADER:
            raise tarfile.ReadError("a header that is too long")
        parts: list[bytes] = []
        while size:
            data = self._take(size)
            if not data:
                break
            parts.append(data)
            size -= len(data)
        return b"".join(parts)

    def _take(self, size: int) -> bytes:
        if not self._held:
            self._held = next(self._chunks, b"")
        data, self._held = self._held[:size], self._held[size:]
        self._at += len(data)
        if data:
            self._last = data[-1:]
        return data
