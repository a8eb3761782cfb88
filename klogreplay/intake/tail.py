"""A log that is still being written: a file that grows and is rotated, or a pipe.

The file is asked again and again; nothing of the operating system's is needed to be told of changes.
"""

from __future__ import annotations

import io
import os
import select
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from klogreplay.intake.errors import MissingInputError
from klogreplay.intake.item import STDIN, Item, open_file, open_stdin

POLL_S = 0.25
"""Seconds between two looks."""


class Tail:
    """Gives a growing log as items to read: its file, and after each rotation the next one under its name.

    `stop` ends it where it stands; `idle` is called whenever there is nothing new, with the seconds since there was.
    """

    def __init__(self, path: str, idle: Callable[[float], None], poll_s: float = POLL_S) -> None:
        self._path = path
        self._idle = idle
        self._poll_s = poll_s
        self._news = time.monotonic()
        self._stopped = False
        self._pipe = path == STDIN or not os.path.isfile(path)

    def stop(self) -> None:
        """Nothing more is waited for; may be called from a signal handler."""
        self._stopped = True

    def items(self) -> Iterator[Item]:
        """The files, one after the other. Raises MissingInputError where there is none at the beginning."""
        name, number = self._path, 1
        file = open_stdin() if self._path == STDIN else open_file(self._path)
        while True:
            current = _Growing(file, self)
            yield Item(name, lambda current=current: cast(BinaryIO, current), once=True)  # type: ignore[misc]  # bound at once
            if self._pipe or self._stopped:
                return
            following = self._next()
            if following is None:
                return
            file, number = following, number + 1
            name = f"{self._path} ({number})"

    def _next(self) -> BinaryIO | None:
        """The file that has the name now; None where there is none until the end."""
        while not self._stopped:
            try:
                return open_file(self._path)
            except MissingInputError:
                self.wait()
        return None

    @property
    def is_pipe(self) -> bool:
        """Whether it is no file, so that its end is the end."""
        return self._pipe

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped

    def wait(self) -> None:
        """There is nothing new; wait a little."""
        self._idle(time.monotonic() - self._news)
        if not self._stopped:
            time.sleep(self._poll_s)

    def is_waiting_for(self, file: BinaryIO) -> bool:
        """Whether a pipe has nothing to give for now."""
        return self._pipe and not select.select([file], [], [], self._poll_s)[0]

    def has_moved_on(self, file: BinaryIO, read: int) -> bool:
        """Whether the name is another file's by now, or the file was truncated (logrotate's `copytruncate`)."""
        if self._pipe:
            return False
        mine = os.fstat(file.fileno())
        if mine.st_size < read:
            return True
        try:
            named = os.stat(self._path)
        except OSError:
            return False
        return (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino)

    def saw_news(self) -> None:
        """Something new was read."""
        self._news = time.monotonic()


class _Growing(io.RawIOBase):
    """One file of a growing log. Its end is reached when the log goes on in another, or is stopped."""

    def __init__(self, file: BinaryIO, tail: Tail) -> None:
        self._file = file
        self._tail = tail
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable buffer
        tail = self._tail
        while not tail.is_stopped:
            if tail.is_waiting_for(self._file):
                tail.wait()
                continue
            # Asked before the last look at the old file, so that nothing written to it is missed.
            moved_on = tail.has_moved_on(self._file, self._read)
            data = self._file.read(len(buffer)) or b""
            if data:
                buffer[: len(data)] = data
                self._read += len(data)
                tail.saw_news()
                return len(data)
            if moved_on or tail.is_pipe:
                return 0
            tail.wait()
        return 0

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
