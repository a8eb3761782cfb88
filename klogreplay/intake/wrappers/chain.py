"""Wrappers around wrappers, taken off together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from klogreplay.intake.wrappers.base import PrefixWrapper, Unwrapped, Wrapper

_Step = Callable[[Sequence[bytes]], "list[bytes] | None"]


class Chain:
    """Takes the wrappers of a stream off, outermost first."""

    def __init__(self, wrappers: Sequence[Wrapper]) -> None:
        self.wrappers = tuple(wrappers)
        self.names = tuple(wrapper.name for wrapper in wrappers)
        self._steps = _steps(self.wrappers)
        telling = [index for index, wrapper in enumerate(self.wrappers) if wrapper.tells_log]
        self.tells_log = bool(telling)
        self._telling = self.wrappers[: telling[-1] + 1] if telling else ()
        outer = self.wrappers[0] if telling == [0] else None
        self._leading = outer if isinstance(outer, PrefixWrapper) else None

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """The payloads of lines that are whole and all have the wrappers; None where some are or have not."""
        payloads = list(lines)
        for step in self._steps:
            taken = step(payloads)
            if taken is None:
                return None
            payloads = taken
        return payloads

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """One line's payload; None where it lacks one of the wrappers."""
        lane, log, partial = b"", b"", False
        stamp: bytes | None = None
        for wrapper in self.wrappers:
            unwrapped = wrapper.unwrap(line)
            if unwrapped is None:
                return None
            if unwrapped.own:
                return unwrapped
            line = unwrapped.payload
            lane += unwrapped.lane + b"\0"
            log += b" " + unwrapped.log if log and unwrapped.log else unwrapped.log
            partial = partial or unwrapped.partial
            stamp = stamp or unwrapped.stamp
        return Unwrapped(line, partial, lane, stamp, log=log)

    def log_of(self, line: bytes) -> bytes | None:
        """The name of the log that the line is of; None where it lacks one of the wrappers."""
        log = b""
        for wrapper in self._telling:
            if isinstance(wrapper, PrefixWrapper):
                named = wrapper.named(line)
                if named is None:
                    return None
                name, line = named
            else:
                unwrapped = wrapper.unwrap(line)
                if unwrapped is None:
                    return None
                name, line = unwrapped.log, unwrapped.payload
            log += b" " + name if log and name else name
        return log

    def lead_of(self, line: bytes) -> bytes | None:
        """What all lines of the same log as this begin with; None where that is not to be told."""
        return None if self._leading is None else self._leading.lead_of(line)


def _steps(wrappers: Sequence[Wrapper]) -> list[_Step]:
    """What to do to all lines at once: prefixes that follow each other are cut by one expression."""
    steps: list[_Step] = []
    prefixes: list[bytes] = []
    for wrapper in wrappers:
        if type(wrapper).take is PrefixWrapper.take and isinstance(wrapper, PrefixWrapper) and not wrapper.end:
            prefixes.append(wrapper.prefix)
            continue
        if prefixes:
            steps.append(_cut(prefixes))
            prefixes = []
        steps.append(wrapper.take)
    if prefixes:
        steps.append(_cut(prefixes))
    return steps


def _cut(prefixes: Sequence[bytes]) -> _Step:
    find = re.compile(b"\n" + b"".join(b"(?:" + prefix + b")" for prefix in prefixes) + b"([^\n]*+)").findall

    def step(lines: Sequence[bytes]) -> list[bytes] | None:
        payloads: list[bytes] = find(b"\n" + b"\n".join(lines))
        return payloads if len(payloads) == len(lines) else None

    return step
