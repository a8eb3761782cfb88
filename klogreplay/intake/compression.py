"""Compressed inputs, told by their first bytes whatever the file is called: gzip, zstd, xz, bzip2, zip."""

from __future__ import annotations

import bz2
import lzma
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

import msgspec
import zstandard

from klogreplay.intake.errors import NoLogsError
from klogreplay.intake.limits import CHUNK, Limits
from klogreplay.intake.names import is_log_name

_MEMORY = 1 << 28
_SPOOL_IN_MEMORY = 1 << 26

DAMAGE = (
    EOFError, OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError, zipfile.BadZipFile, RuntimeError, ValueError,
    OverflowError, MemoryError,
)  # fmt: skip
"""What reading damaged data raises (RuntimeError: an encrypted or unsupported archive; ValueError and OverflowError:
offsets out of any file; MemoryError: a header that asks for a window of gigabytes)."""


class Compression(msgspec.Struct, frozen=True):
    """A compressed format: its name, how its data begins, and the text of a stream of it in chunks."""

    name: str
    magic: bytes
    chunks: Callable[[BinaryIO, Limits], Iterator[bytes]]


class _Decompressor(Protocol):
    """The shape of the standard library's incremental decompressors."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's decompressor in that shape."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


class _Zstd:
    """zstandard's decompressor in that shape: it has no limit to what it gives, so it is fed a little at a time."""

    _STEP = 1 << 10

    def __init__(self) -> None:
        self._inner = zstandard.ZstdDecompressor(max_window_size=_MEMORY).decompressobj()
        self._waiting = b""
        self._text = b""
        self._at = 0

    @property
    def eof(self) -> bool:
        return self._inner.eof and self._at == len(self._text)

    @property
    def needs_input(self) -> bool:
        return not self._waiting and self._at == len(self._text)

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data + self._waiting

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        self._waiting += data
        while self._at == len(self._text) and self._waiting and not self._inner.eof:
            step, self._waiting = self._waiting[: self._STEP], self._waiting[self._STEP :]
            self._text, self._at = self._inner.decompress(step), 0
        text = self._text[self._at : self._at + max_length]
        self._at += len(text)
        return text


def _members(raw: BinaryIO, new: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """The text of members one behind the other; raises EOFError, after all that can be read, where the data is cut."""
    decompressor = new()
    begun = False
    data = b""
    while True:
        if decompressor.eof:
            data = decompressor.unused_data.lstrip(b"\0")
            decompressor, begun = new(), False
        if not data and decompressor.needs_input:
            data = raw.read(CHUNK)
            if not data:
                break
            if not begun:
                data = data.lstrip(b"\0")
        text = decompressor.decompress(data, CHUNK)
        begun = begun or bool(data)
        data = b""
        if text:
            yield text
    if begun:
        raise EOFError


def _gzip(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    return _members(raw, _Gzip)


def _bzip2(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    return _members(raw, bz2.BZ2Decompressor)


def _xz(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    return _members(raw, lambda: lzma.LZMADecompressor(memlimit=_MEMORY))


def _zstd(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    return _members(raw, _Zstd)


def _zip(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """The members that look like logs, by name; each begins on a line of its own."""
    with tempfile.SpooledTemporaryFile(max_size=_SPOOL_IN_MEMORY) as spool:
        shutil.copyfileobj(raw, spool, CHUNK)
        with zipfile.ZipFile(spool) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            logs = sorted((info for info in members if is_log_name(info.filename)), key=lambda info: info.filename)
            if not logs and len(members) == 1:
                logs = members
            if not logs:
                raise NoLogsError("the archive holds no log file")
            for info in logs[: limits.files]:
                last = b"\n"
                with archive.open(info) as member:
                    while chunk := member.read(CHUNK):
                        yield chunk
                        last = chunk[-1:]
                if last != b"\n":
                    yield b"\n"


COMPRESSIONS = (
    Compression("gzip", b"\x1f\x8b", _gzip),
    Compression("zstd", b"\x28\xb5\x2f\xfd", _zstd),
    Compression("xz", b"\xfd7zXZ\x00", _xz),
    Compression("bzip2", b"BZh", _bzip2),
    Compression("zip", b"PK\x03\x04", _zip),
)


def detect_compression(head: bytes) -> Compression | None:
    """The format whose data begins like `head`; None for data that is not compressed in a known way."""
    return next((compression for compression in COMPRESSIONS if head.startswith(compression.magic)), None)


def decompressed(raw: BinaryIO, compression: Compression, limits: Limits, read: Callable[[], int]) -> Iterator[bytes]:
    """The decompressed chunks of `raw`; `read` says how many compressed bytes were read so far.

    Raises InputTooLargeError where the data grows beyond the limits, and one of `DAMAGE` where it cannot be read on.
    """
    size = 0
    for chunk in compression.chunks(raw, limits):
        size += len(chunk)
        limits.check_growth(compression.name, size, read())
        yield chunk
