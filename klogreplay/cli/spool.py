"""A temporary file for what is seldom read back. Where none can be written, memory has to do."""

from __future__ import annotations

import tempfile
from typing import IO

BLOCK = 1 << 18
"""Bytes that are collected before they are written: a short log needs no file."""

AHEAD = 1 << 16
"""Bytes that are read at once where one is read after the other."""


class FileSpool:
    """Bytes put down one after the other and read back from any place (`klogreplay.replay.parkings.Spool`).

    The file has no name and goes with the program.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._written = 0
        self._last = bytearray()
        self._is_full = False
        self._read = b""
        self._read_from = 0

    def append(self, data: bytes) -> None:
        """Put down some bytes behind those before."""
        self._last += data
        if len(self._last) >= BLOCK and not self._is_full:
            try:
                self._write()
            except OSError:
                self._is_full = True

    def _write(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it stays open as long as this
        self._file.seek(self._written)
        rest = memoryview(self._last)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._written += len(self._last)
        self._last = bytearray()

    def read(self, start: int, size: int) -> bytes:
        """The bytes from an offset on, of what was put down at once."""
        if self._file is None or start >= self._written:
            start -= self._written
            return bytes(self._last[start : start + size])
        at = start - self._read_from
        if not 0 <= at <= len(self._read):
            # Somewhere else, where what follows need not be wanted next.
            self._file.seek(start)
            return self._file.read(size)
        if at + size > len(self._read):
            self._file.seek(start)
            self._read, self._read_from, at = self._file.read(max(size, AHEAD)), start, 0
        return self._read[at : at + size]
