"""The short way for JSON lines: they are looked up by how they begin, and dropped or read by what earlier lines taught.

The judge is `klogreplay.klog.dialects.json`. What begins in another way than component-base has zap write it, or holds
what no earlier line of its message held, is left to it.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from klogreplay.klog.builds import KEEP, Seconds
from klogreplay.klog.dropping import Dropped, Labels
from klogreplay.klog.json_shape import FRAME, FRAME_ESCAPED, json_shape
from klogreplay.klog.learnt import Learnt, Making, Ways
from klogreplay.klog.record import KlogRecord

START = b'{"ts":'
"""How the lines begin that are worth a look."""

_MOST_MESSAGES = 4096
_LONGEST_LINE = 4096
_ENDS = (b"}", b"}\r")

T = TypeVar("T")


class _Frame(msgspec.Struct):
    """As much of a record as makes it one."""

    ts: float
    msg: str


_check = msgspec.json.Decoder(_Frame).decode


class JsonLines(Generic[T]):
    """What is learnt of the JSON lines of a log. `time` gives the time of a line."""

    def __init__(self, ways: Ways, time: Seconds) -> None:
        self._label = ways.label
        self._dropped: dict[bytes, Dropped] = {}
        self._labels = Labels()
        self._plain: Learnt[T] = Learnt(json_shape, time, ways)
        self._escaped: Learnt[T] = Learnt(json_shape, time, ways)

    def find(self, raw: bytes) -> Dropped | Making[T] | None:
        """What a line is dropped with, or how to make something of it; None where it takes the long way."""
        escaped = b"\\" in raw
        frame = (FRAME_ESCAPED if escaped else FRAME).match(raw)
        if frame is None:
            return None
        beginning = frame[1]
        found = self._dropped.get(beginning) or (self._escaped if escaped else self._plain).find(
            beginning, raw, frame.end()
        )
        return found if found is not None and _is_record(raw) else None

    def learn(self, raw: bytes, record: KlogRecord) -> None:
        """Let a line that was read in full teach how to take others like it."""
        escaped = b"\\" in raw
        frame = (FRAME_ESCAPED if escaped else FRAME).match(raw)
        if frame is None or not frame[1].isascii():
            return
        label = self._label(record)
        if label == KEEP:
            (self._escaped if escaped else self._plain).learn(frame[1], record, frame.end())
            return
        if len(self._dropped) >= _MOST_MESSAGES:
            self._dropped.clear()
        self._dropped[frame[1]] = self._labels.of(label)

    def forget(self) -> dict[str, int]:
        """Forget all; how many lines were dropped, by label."""
        self._dropped.clear()
        self._plain.forget()
        self._escaped.forget()
        return self._labels.taken()


def _is_record(raw: bytes) -> bool:
    """Whether all of a line is JSON; of long ones it cannot be told so (Python holds no more than 4,300 digits)."""
    if len(raw) > _LONGEST_LINE or not raw.endswith(_ENDS):
        return False
    try:
        _check(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True
