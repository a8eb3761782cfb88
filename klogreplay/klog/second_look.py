"""Lines that the table of `klogreplay.klog.fast` does not take, and that need not go the long way all the same."""

from __future__ import annotations

from typing import Generic, TypeVar

from klogreplay.klog.builds import KEEP, Seconds
from klogreplay.klog.dropping import Dropped, WholeLines
from klogreplay.klog.fast_again import AgainLines
from klogreplay.klog.fast_escaped import EscapedLines
from klogreplay.klog.fast_json import START, JsonLines
from klogreplay.klog.headers import HEADER_FIXED, STAMP
from klogreplay.klog.learnt import Making, Ways
from klogreplay.klog.record import KlogRecord

T = TypeVar("T")


class SecondLook(Generic[T]):
    """JSON, lines with escapes, and lines that come again to the letter.

    `seconds` gives the second of a text line, `json_time` the whole time of a line of JSON.
    """

    def __init__(self, ways: Ways, seconds: Seconds, json_time: Seconds) -> None:
        self._label = ways.label
        self._json: JsonLines[T] = JsonLines(ways, json_time)
        self._escaped: EscapedLines[T] = EscapedLines(ways, seconds)
        self._again: AgainLines[T] = AgainLines(ways, seconds)
        self._dropped_again = WholeLines()
        self.dropped = self._dropped_again.note
        """To be called for each record that is dropped."""
        self.kept = self._again.note
        """To be called for each record that is kept."""

    def find(self, raw: bytes, following: bytes) -> Dropped | Making[T] | None:
        """What a line is dropped with, or how to make something of it; None where it takes the long way.

        `following` is the line behind it, b"" where that is not known.
        """
        if raw.startswith(START):
            return self._json.find(raw)
        behind = raw[HEADER_FIXED:]
        again = self._dropped_again.get(behind)
        if again is not None:
            return again if raw[15:21].isdigit() and STAMP.fullmatch(raw[:15]) else None
        return self._escaped.find(raw) if b"\\" in raw else self._again.find(raw, behind, following)

    def learn(self, raw: bytes, record: KlogRecord) -> bool:
        """Let a line that was read in full teach; whether it was one of these."""
        if record.dialect == "json":
            self._json.learn(raw, record)
            return True
        is_escaped = b"\\" in raw and record.dialect == "klog-text" and record.structured and record.header is not None
        if is_escaped and self._label(record) == KEEP:
            self._escaped.learn(raw, record)
            return True
        return False

    def forget(self) -> dict[str, int]:
        """Forget all; how many lines were dropped, by label."""
        self._escaped.forget()
        self._again.forget()
        counted = self._json.forget()
        for label, lines in self._dropped_again.forget().items():
            counted[label] = counted.get(label, 0) + lines
        return counted
