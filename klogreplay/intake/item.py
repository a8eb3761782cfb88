"""What can be opened and read as one log: a file, standard input, or a member of an archive."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from klogreplay.intake.errors import DeviceInputError, MissingInputError
from klogreplay.intake.limits import CHUNK

STDIN = "-"


class Item(msgspec.Struct, frozen=True):
    """One log to read.

    `name` as the user gave it; of what was found in a directory or an archive its path there. `open` gives its bytes
    from the beginning, unbuffered, each time anew unless it is `once`. `found`: nobody asked for it by name, so where
    it cannot be read the others still are.
    """

    name: str
    open: Callable[[], BinaryIO]
    found: bool = False
    once: bool = False


def file_item(path: str, *, found: bool = False) -> Item:
    """A file. Opening it raises MissingInputError where that cannot be done."""
    return Item(path, lambda: open_file(path), found)


def open_file(path: str) -> BinaryIO:
    """The file's bytes, unbuffered. Raises MissingInputError, and DeviceInputError as `refuse_device` does."""
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the caller closes it
    except FileNotFoundError:
        raise MissingInputError(f"{path}: no such file") from None
    except OSError as error:
        raise MissingInputError(f"{path}: {error.strerror}") from None
    refuse_device(path, file)
    return file


def open_stdin() -> BinaryIO:
    """Standard input's bytes, unbuffered; closing them leaves standard input open."""
    file = open(os.dup(sys.stdin.fileno()), "rb", buffering=0)  # noqa: SIM115 - the caller closes it
    refuse_device(STDIN, file)
    return file


def refuse_device(name: str, file: BinaryIO) -> None:
    """Close what is a device but a terminal or the null device, which is empty. Raises DeviceInputError then.

    /dev/zero has no end, and a disk is no log.
    """
    found = os.fstat(file.fileno())
    is_device = stat.S_ISBLK(found.st_mode) or (stat.S_ISCHR(found.st_mode) and not os.isatty(file.fileno()))
    if not is_device or _is_null_device(found):
        return
    file.close()
    raise DeviceInputError(f"{name}: a device, not a log")


def _is_null_device(found: os.stat_result) -> bool:
    try:
        return found.st_rdev == os.stat(os.devnull).st_rdev
    except OSError:
        return False


class Peekable(io.RawIOBase):
    """A raw stream of which the first bytes can be looked at before they are read."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._head = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def peek(self, least: int) -> bytes:
        """The first bytes, `least` of them or more unless the stream is shorter. Only before anything is read."""
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
        return len(data)

    def close(self) -> None:
        """Close the stream below as well."""
        if not self.closed:
            self._raw.close()
        super().close()
