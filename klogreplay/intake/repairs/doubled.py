"""Logs in which each record stands twice in a row, as where two writers serve one stream: the second is left out.

Told by the first lines. Nothing but the whole text, time to the microsecond included, makes two records the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from klogreplay.intake.batch import Batch
from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs.damage import DamageLog, Mending

READ_ONCE = "records that stand twice in a row were read once"

_FEWEST = 3
_SHARE = 0.8
_SAMPLE = 400
_MOST_LINES = 1000


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, without second copies where the first batch is full of them."""
    first = next(batches, None)
    if first is None:
        return
    if not is_doubled(first.lines[:_SAMPLE]):
        yield first
        yield from batches
        return
    reader = _Once(mending.damage)
    yield reader.batch(first)
    for batch in batches:
        yield reader.batch(batch)
    yield reader.rest()


def is_doubled(lines: Sequence[bytes]) -> bool:
    """Whether the records come in pairs of the same, most of them."""
    records: list[list[bytes]] = []
    for line in lines:
        if records and look(line) is not Look.RECORD:
            records[-1].append(line)
        else:
            records.append([line])
    same = sum(one == other for one, other in zip(records[::2], records[1::2], strict=False))
    return same >= _FEWEST and same >= _SHARE * (len(records) // 2)


class _Once:
    """Holds a record until its end is known, and compares it with the one before."""

    def __init__(self, damage: DamageLog) -> None:
        self._damage = damage
        self._before: list[bytes] = []
        self._held = Batch([], 1, 0, [], raw=[])

    def batch(self, batch: Batch) -> Batch:
        out = Batch.like(batch)
        for line, mark, raw in zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True):
            if look(line) is Look.RECORD or len(self._held.lines) >= _MOST_LINES:
                self._give(out)
            self._held.add(line, mark, raw)
        return out

    def rest(self) -> Batch:
        out = Batch([], 1, 0, [], raw=[])
        self._give(out)
        return out

    def _give(self, out: Batch) -> None:
        held, self._held = self._held, Batch([], 1, 0, [], raw=[])
        marks = held.places()
        if held.lines and held.lines == self._before:
            self._damage.note(READ_ONCE, marks[0].number)
            self._damage.dropped += sum(mark.physical for mark in marks)
            self._before = []
            return
        self._before = held.lines
        for line, mark, raw in zip(held.lines, marks, held.raw or held.lines, strict=True):
            out.add(line, mark, raw)
