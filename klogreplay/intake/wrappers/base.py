"""What a wrapper has to offer: the reading of one kind of prefix that something put around each log line."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Unwrapped(NamedTuple):
    """A line without its wrapper.

    `partial`: the payload goes on in the next line of the same `lane` (stdout, stderr, one of several containers).
    `stamp`: the wrapper's own time as printed, if it has one with a year.
    """

    payload: bytes
    partial: bool = False
    lane: bytes = b""
    stamp: bytes | None = None


class Wrapper(Protocol):
    """One kind of wrapper. A stream that has it has it on nearly every line."""

    name: str

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """The line's payload; None where the line does not have this wrapper."""
