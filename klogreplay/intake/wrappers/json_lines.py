"""What the wrappers have in common that write one JSON object for each line of a log."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from klogreplay.intake.wrappers.base import Sample, Unwrapped

T = TypeVar("T")

UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding raises for data that is not of the form."""


class JsonWrapper(Generic[T]):
    """A wrapper whose lines are JSON of the type `entry`, of which `read` gives the payload.

    `read` returns None for an object that is of the type by chance. Objects with other fields besides are fine. `log`
    gives the name of the log that an entry's line is of, "" where it tells none.
    """

    certain = True
    strips = False

    def __init__(
        self,
        name: str,
        title: str,
        entry: type[T],
        read: Callable[[T], Unwrapped | None],
        *,
        samples: Sequence[Sample],
        log: Callable[[T], str] | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.samples = samples
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(entry)
        self._read = read
        self._log = log
        self.tells_log = log is not None

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        if not line.startswith((b"{", b"[", b"\x1e")):
            return None
        try:
            entry = self._decoder.decode(line.lstrip(b"\x1e").rstrip(b", \t\r"))
            unwrapped = self._read(entry)
            if self._log is None or unwrapped is None:
                return unwrapped
            return unwrapped._replace(log=self._log(entry).encode("utf-8", "replace"))
        except UNREADABLE:
            return None

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """See `Wrapper`."""
        try:
            entries = self._decoder.decode_lines(b"\n".join(lines))
        except UNREADABLE:
            return None
        payloads: list[bytes] = []
        for entry in entries:
            unwrapped = self._read(entry)
            if unwrapped is None or unwrapped.own or unwrapped.partial or b"\n" in unwrapped.payload:
                return None
            payloads.append(unwrapped.payload)
        return payloads if len(payloads) == len(lines) and all(lines) else None


def named(*parts: str | None) -> str:
    """The name of a log from those of its cluster, pod and container, or whatever of these is told."""
    return "/".join(part for part in parts if part)


def line_of(text: str) -> bytes:
    """The bytes of a log line that JSON holds, without the line break that may end it."""
    return text.removesuffix("\n").encode("utf-8", "surrogateescape")


def stamp_of_millis(millis: float) -> bytes | None:
    """A stamp of a time in milliseconds since the epoch; None where that is no sensible time."""
    try:
        return datetime.datetime.fromtimestamp(millis / 1000, datetime.UTC).isoformat().encode()
    except (ValueError, OverflowError, OSError):
        return None


def stamp_of_text(text: str | None) -> bytes | None:
    """A stamp of a time in ISO 8601 with its year; None for any other text."""
    return text.encode("ascii", "replace") if text and text[:4].isdigit() and text[4:5] == "-" else None
