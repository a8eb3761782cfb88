"""The short way for wanted lines without values that come again to the letter, such as lease renewals."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from klogreplay.klog.builds import Build, Nothing, Seconds
from klogreplay.klog.dialects import text_dialect
from klogreplay.klog.dropping import whole_line
from klogreplay.klog.headers import TEXT_HEADER_BYTES
from klogreplay.klog.learnt import Making, Ways
from klogreplay.klog.record import KlogRecord

_MOST_LINES = 1024

T = TypeVar("T")


class _Again(NamedTuple, Generic[T]):
    build: Build[T] | None
    of_record: Build[T | Nothing]


class AgainLines(Generic[T]):
    """What is learnt of such lines: one that was read in full twice is known. `seconds` gives the second of a line."""

    def __init__(self, ways: Ways, seconds: Seconds) -> None:
        self._ways = ways
        self._seconds = seconds
        self._once: set[bytes] = set()
        self._known: dict[bytes, _Again[T]] = {}

    def find(self, raw: bytes, behind: bytes, following: bytes) -> Making[T] | None:
        """How to make something of a line, of which `behind` stands behind its time.

        None where it takes the long way: formatted text may go on in the `following` line.
        """
        known = self._known.get(behind)
        if known is None or TEXT_HEADER_BYTES.match(raw) is None or TEXT_HEADER_BYTES.match(following) is None:
            return None
        return Making(raw.decode("utf-8", "surrogateescape"), (), self._seconds, known.build, known.of_record)

    def note(self, record: KlogRecord) -> None:
        """A wanted record that was read in full."""
        if record.values:
            return
        line = whole_line(record)
        if line is None or line in self._known:
            return
        if line not in self._once:
            if len(self._once) >= _MOST_LINES:
                self._once.clear()
            self._once.add(line)
            return
        if len(self._known) >= _MOST_LINES:
            self._known.clear()
        compile_for = self._ways.compile_for
        build = None if compile_for is None else compile_for(record, (), _read)
        self._known[line] = _Again(build, self._ways.of_record(_read))

    def forget(self) -> None:
        """Forget all."""
        self._once.clear()
        self._known.clear()


def _read(text: str, number: int, source: int, groups: tuple[str, ...]) -> KlogRecord:
    return text_dialect("fast").parse([text], number, source)
