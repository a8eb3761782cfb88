"""The short way for text lines with a backslash: values between quotes that hold escapes, such as quotes in an error.

`klogreplay.klog.fast` looks for no escapes, since hardly a line has any; a line with a backslash is looked up here.
"""

from __future__ import annotations

import re
from typing import Generic, NamedTuple, TypeVar

from klogreplay.klog.builds import ReadRecord, Seconds
from klogreplay.klog.headers import STAMP
from klogreplay.klog.learnt import Learnt, Making, Ways
from klogreplay.klog.pairs import lark_tokens
from klogreplay.klog.record import KlogRecord
from klogreplay.klog.scanner import scan_tokens
from klogreplay.klog.values import unquote
from klogreplay.klog.variants import LineShape, Variant, line_shape

_FRAME = re.compile(
    STAMP.pattern + rb'[0-9]{6}( {1,7}[0-9]{1,7} [^ :\]\t\n]{1,255}+:[0-9]{1,9}\] "[^"\\]*+(?:\\.[^"\\]*+)*+") '
)

T = TypeVar("T")


class _Escaped(NamedTuple):
    """A line's shape whose quoted values may hold escapes."""

    line: LineShape

    @property
    def pattern(self) -> str:
        return self.line.pattern

    @property
    def keys(self) -> tuple[str, ...]:
        return self.line.keys

    def texts(self, text: str, groups: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([unquote(f'"{group}"') if "\\" in group else group for group in groups])

    def known(self, record: KlogRecord, texts: tuple[str, ...]) -> KlogRecord:
        return record

    def reader(self, record: KlogRecord) -> ReadRecord:
        return Variant(record, self.line).record


def _shape(record: KlogRecord, begin: int, sure: bool) -> _Escaped | None:
    tokens = (lark_tokens if sure else scan_tokens)(record.text, "record")
    shape = line_shape(record.text, tokens or (), begin, escapes=True)
    return None if shape is None else _Escaped(shape)


class EscapedLines(Generic[T]):
    """What is learnt of lines with escapes. `seconds` gives the second of a line."""

    def __init__(self, ways: Ways, seconds: Seconds) -> None:
        self._wanted: Learnt[T] = Learnt(_shape, seconds, ways)
        self.forget = self._wanted.forget
        """Forget all."""

    def find(self, raw: bytes) -> Making[T] | None:
        """How to make something of a line; None where it takes the long way."""
        frame = _FRAME.match(raw)
        return None if frame is None else self._wanted.find(frame[1], raw, frame.end() - 1)

    def learn(self, raw: bytes, record: KlogRecord) -> None:
        """Let a wanted line that was read in full teach how to read others like it."""
        frame = _FRAME.match(raw)
        if (
            frame is not None
            and frame[1].isascii()
            and raw.startswith(record.text[: frame.end()].encode(errors="replace"))
        ):
            self._wanted.learn(frame[1], record, frame.end() - 1)
