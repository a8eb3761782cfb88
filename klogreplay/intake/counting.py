"""Count and digest the bytes that are read from an input."""

from __future__ import annotations

import hashlib
import io
from typing import BinaryIO

from klogreplay.intake.limits import CHUNK


class CountingReader(io.RawIOBase):
    """A raw stream that passes bytes on; `count` bytes so far, and their SHA-256."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._digest = hashlib.sha256()
        self._head = b""
        self.count = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def peek(self, least: int) -> bytes:
        """The first bytes of the stream, `least` of them or more unless it is shorter; they are read again later.

        Only to be called before anything is read. A pipe may give them one by one.
        """
        while len(self._head) < least and (data := self._raw.read(CHUNK)):
            self._head += data
        return self._head

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable buffer
        """Read up to the size of `buffer`; 0 at the end."""
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            data = self._raw.read(len(buffer)) or b""
        buffer[: len(data)] = data
        self._digest.update(data)
        self.count += len(data)
        return len(data)

    def sha256(self) -> str:
        """The digest of the bytes read so far, in hexadecimal."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Close the stream below as well."""
        if not self.closed:
            self._raw.close()
        super().close()
