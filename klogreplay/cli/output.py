"""Where bytes go out: standard output or a file, always UTF-8, with colour only where it is wanted."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from klogreplay.cli.exits import cannot_write, usage

DEFAULT_WIDTH = 100
STDOUT_CLOSED = ": standard output is closed"


def is_terminal(descriptor: int) -> bool:
    """Whether a file descriptor is open and a terminal."""
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def wants_colour() -> bool:
    """Whether standard output is a terminal that takes colours, and NO_COLOR is not set."""
    return is_terminal(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


def width() -> int:
    """Columns for prose: the terminal's, at most the default; the default where there is no terminal."""
    if not is_terminal(1):
        return DEFAULT_WIDTH
    return min(DEFAULT_WIDTH, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns)


def check_target(target: Path | None, inputs: Iterable[str] = ()) -> None:
    """Refuse early what could not be written (Stop, CANNOT_WRITE), or would destroy an input (Stop, usage)."""
    if target is None:
        return
    if os.path.isdir(target):
        raise cannot_write(f" to {target}: it is a directory")
    if not os.path.isdir(target.parent):
        raise cannot_write(f" to {target}: there is no directory {target.parent}")
    for name in inputs:
        if name != "-" and os.path.exists(target) and os.path.exists(name) and target.samefile(name):
            raise usage(f"cannot write to {target}: it is an input")


def write(text: str, target: Path | None = None) -> None:
    """Write a whole text to a file, or to standard output where `target` is None.

    Raises BrokenPipeError where the reader went away, Stop (CANNOT_WRITE) for every other failure.
    """
    write_chunks([text], target)


def note(text: str) -> None:
    """Write to standard error what is no part of the output. A closed one is no reason to fail."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
    except (OSError, ValueError):
        pass


def write_chunks(chunks: Iterable[str], target: Path | None = None) -> None:
    """Write a text piece by piece, as `write` does. What the pieces' source raises passes through."""
    with _opened(target) as out:
        for chunk in chunks:
            data = chunk.encode("utf-8", "backslashreplace")
            with _write_errors():
                out.write(data)
        with _write_errors():
            out.flush()


@contextmanager
def _opened(target: Path | None) -> Iterator[BinaryIO]:
    if target is None:
        if sys.stdout is None:
            raise cannot_write(STDOUT_CLOSED)
        yield sys.stdout.buffer
        return
    with _write_errors():
        file = target.open("wb")
    try:
        yield file
    finally:
        with _write_errors():
            file.close()


@contextmanager
def _write_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(f": {error.strerror or error}") from error
