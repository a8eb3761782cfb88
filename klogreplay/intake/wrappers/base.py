"""What a wrapper has to offer: the reading of what something put around each line of a log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

_STAMP = re.compile(rb"(?<![0-9])(?:19|20)[0-9]{2}[-/](?:0[1-9]|1[0-2])[-/][0-3][0-9]")


class Unwrapped(NamedTuple):
    """A line without its wrapper.

    `partial`: the payload goes on in the next line of the same `lane` (stdout, stderr, one of several containers).
    `stamp`: the wrapper's own time as printed, if it has one with a year. `own`: the line is the wrapper's own, such as
    the first line of a journal, and holds no line of the log. A payload may hold several lines. `log`: which log the
    line is of, where the wrapper names a pod, a host or a file.
    """

    payload: bytes
    partial: bool = False
    lane: bytes = b""
    stamp: bytes | None = None
    own: bool = False
    log: bytes = b""


OWN = Unwrapped(b"", own=True)


class Sample(NamedTuple):
    """A piece of a wrapped log, line by line, and the log lines in it."""

    text: Sequence[bytes]
    lines: Sequence[bytes]


class Wrapper(Protocol):
    """One kind of wrapper. A stream that has it has it on nearly every line."""

    @property
    def name(self) -> str:
        """What reports call it."""

    @property
    def title(self) -> str:
        """What writes it, in a few words."""

    @property
    def certain(self) -> bool:
        """Whether no other text looks like that, so that the form alone proves it."""

    @property
    def strips(self) -> bool:
        """Whether it takes the blanks off both ends of a line."""

    @property
    def tells_log(self) -> bool:
        """Whether it may say which log a line is of (`Unwrapped.log`), as where several are read as one stream."""

    @property
    def samples(self) -> Sequence[Sample]:
        """Pieces of such logs."""

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """The line's payload; None where the line does not have this wrapper."""

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """The payloads of lines that all hold one whole line each; None where some do not, or it cannot tell."""


class PrefixWrapper:
    """A wrapper that stands in front of each line, as a regular expression over bytes tells.

    `prefix` has no capturing group, never matches a line break and takes all of the line but the payload. `own` matches
    the wrapper's own lines, which `prefix` does not. `end` stands behind each payload. `lane` matches, of a prefix,
    what names the stream that the line is of. `log` matches a prefix that names the line's log, its group the name.
    `leads`: what it matches is the same for all lines of a log.
    """

    def __init__(
        self,
        name: str,
        title: str,
        prefix: bytes,
        *,
        samples: Sequence[Sample],
        own: bytes | None = None,
        end: bytes = b"",
        certain: bool = False,
        strips: bool = False,
        lane: bytes | None = None,
        log: bytes | None = None,
        leads: bool = False,
    ) -> None:
        self.name = name
        self.title = title
        self.prefix = prefix
        self.samples = samples
        self.certain = certain
        self.strips = strips
        self.end = end
        self._match = re.compile(prefix).match
        self._all = re.compile(rb"\n(?:" + prefix + rb")([^\n]*+)").findall
        self._own = re.compile(own).match if own is not None else None
        self._lane = re.compile(lane).match if lane is not None else None
        self._log = re.compile(log).match if log is not None else None
        self.tells_log = log is not None
        self._leads = leads

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        match = self._match(line)
        if match is None:
            return OWN if self._own is not None and self._own(line) else None
        prefix = match[0]
        lane = self._lane(prefix) if self._lane is not None else None
        payload = line[match.end() :].removesuffix(self.end)
        return Unwrapped(
            payload, lane=lane[0] if lane is not None else b"", stamp=stamp_in(prefix), log=self.log_of(prefix)
        )

    def lead_of(self, line: bytes) -> bytes | None:
        """What all lines of the same log begin with; None where that is not to be told."""
        match = self._log(line) if self._log is not None and self._leads else None
        return None if match is None else match[0]

    def named(self, line: bytes) -> tuple[bytes, bytes] | None:
        """The log that the line is of, and its payload: the same as `unwrap`, for less."""
        match = self._match(line)
        return None if match is None else (self.log_of(match[0]), line[match.end() :])

    def log_of(self, prefix: bytes) -> bytes:
        """The log that the prefix names; empty where it names none."""
        match = self._log(prefix) if self._log is not None else None
        return b"" if match is None else match[1].replace(b" ", b"/")

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """See `Wrapper`."""
        payloads: list[bytes] = self._all(b"\n" + b"\n".join(lines))
        if len(payloads) != len(lines):
            return None
        return [payload.removesuffix(self.end) for payload in payloads] if self.end else payloads


def stamp_in(text: bytes) -> bytes | None:
    """The first date with a year in a wrapper's text, and what follows it."""
    match = _STAMP.search(text)
    return None if match is None else text[match.start() :].rstrip()
