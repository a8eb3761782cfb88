"""Records that stand twice in a row, as where two writers serve one stream: the second is left out.

The whole text makes two records the same, time to the microsecond included. Of some two million recorded ones, four
stood beside their like, and only said that some watch had stopped or some cache was filled: no record with a value.
So a record with a value is left out wherever it stands twice, and any other where the first lines come in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from operator import eq

from klogreplay.intake.batch import Batch
from klogreplay.intake.order_times import begins_record
from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs.damage import DamageLog, Mending

READ_ONCE = "records that stand twice in a row were read once"

_FEWEST = 3
_SHARE = 0.8
_SAMPLE = 400
_MOST_LINES = 1000
_BLOCK = (b"=<", b"=<\r")
_HAS_VALUE = re.compile(
    rb"[IWEF][0-9]{4} [^\]\n]{1,320}\] [^\n]*?=|[ \t]*+[^ :\]\n]{1,255}:[0-9]{1,9}: [IE][0-9]{4} [^\n]*?="
)
_JSON_HAS_VALUE = re.compile(
    rb'\{"ts":(?:[0-9]{12,16}\.(?!0+[,}])[0-9]+|[0-9]{9,11}\.[0-9]{4,}|"[^"]{19}\.[0-9]{6,9}[^"]{0,6}")[,}]'
    rb'(?=[^\n]*?"(?!caller"|msg"|v"|logger")[^"\n\\]{1,64}":)'
)
"""A time to the microsecond, and a key that is not klog's own. A time in milliseconds may be that of two records."""


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, without second copies."""
    first = next(batches, None)
    if first is None:
        return
    reader = _Once(mending.damage, in_pairs=is_doubled(first.lines[:_SAMPLE]))
    for batch in chain([first], batches):
        yield reader.batch(batch)
    yield reader.rest()


def is_doubled(lines: Sequence[bytes]) -> bool:
    """Whether the records come in pairs of the same, most of them."""
    if len(lines) < 2 * _FEWEST:
        return False
    records: list[list[bytes]] = []
    for line in lines:
        if records and look(line) is not Look.RECORD:
            records[-1].append(line)
        else:
            records.append([line])
    same = sum(one == other for one, other in zip(records[::2], records[1::2], strict=False))
    return same >= _FEWEST and same >= _SHARE * (len(records) // 2)


def _repeats_block(lines: Sequence[bytes], before: bytes) -> bool:
    """Whether some record with a block begins as the one with a block before it does."""
    if min(lines) >= b"\n":  # the cheapest way to see that none begins with a tab
        return False
    heads = [before, *(line for line in lines if line.endswith(_BLOCK))]
    return any(map(eq, heads, islice(heads, 1, None)))


def _has_value(head: bytes) -> bool:
    return (_JSON_HAS_VALUE if head.startswith(b"{") else _HAS_VALUE).match(head) is not None


class _Once:
    """Passes on what cannot be a copy; holds what may be one, until its end is known.

    `_before` are the lines of the record before those held, so far as it has come.
    """

    def __init__(self, damage: DamageLog, *, in_pairs: bool) -> None:
        self._damage = damage
        self._in_pairs = in_pairs
        self._before: list[bytes] = []
        self._was_copy = False
        self._held = Batch([], 1, 0, [], raw=[])

    def batch(self, batch: Batch) -> Batch:
        lines = batch.lines
        if not lines:
            return batch
        if not self._in_pairs and not self._held.lines and not self._may_repeat(lines):
            self._pass(lines)
            return batch
        out = Batch.like(batch)
        for line, mark, raw in zip(lines, batch.places(), batch.raw or lines, strict=True):
            if begins_record(line) or len(self._held.lines) >= _MOST_LINES:
                self._give(out)
            elif not self._held.lines:
                self._extend(line)
                out.add(line, mark, raw)
                continue
            self._held.add(line, mark, raw)
        if self._held.lines != self._before[: len(self._held.lines)]:
            self._give(out)
        return out

    def rest(self) -> Batch:
        out = Batch([], 1, 0, [], raw=[])
        self._give(out)
        return out

    def _may_repeat(self, lines: list[bytes]) -> bool:
        head = self._before[0] if self._before else b""
        if lines[0] == head or any(map(eq, lines, islice(lines, 1, None))) or _repeats_block(lines, head):
            return True
        return not begins_record(lines[0]) and head in lines

    def _pass(self, lines: list[bytes]) -> None:
        """These are given as they are: remember the last record of them."""
        begin = len(lines) - 1
        while begin >= 0 and len(lines) - begin <= _MOST_LINES and not begins_record(lines[begin]):
            begin -= 1
        if begin >= 0:
            self._before, self._was_copy = lines[begin : begin + _MOST_LINES], False
        else:
            for line in lines[: _MOST_LINES + 1 - len(self._before)]:
                self._extend(line)

    def _extend(self, line: bytes) -> None:
        if self._before and len(self._before) <= _MOST_LINES:
            self._before.append(line)

    def _give(self, out: Batch) -> None:
        held = self._held
        if not held.lines:
            return
        self._held = Batch([], 1, 0, [], raw=[])
        marks = held.places()
        if held.lines == self._before and (_has_value(held.lines[0]) or (self._in_pairs and not self._was_copy)):
            self._damage.note(READ_ONCE, marks[0].number)
            self._damage.dropped += sum(mark.physical for mark in marks)
            self._was_copy = True
            return
        self._before, self._was_copy = held.lines, False
        for line, mark, raw in zip(held.lines, marks, held.raw or held.lines, strict=True):
            out.add(line, mark, raw)
