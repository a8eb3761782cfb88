"""Errors and warnings that stand in a log a second time, as where klog's files were joined (`cat INFO ERROR`).

With `-log_dir` klog writes a record to the file of its severity and to those of all lower ones. One that is the same to
the microsecond as some before is left out; known is what errors and warnings there were, up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.intake.batch import Batch
from klogreplay.intake.order_times import begins_record
from klogreplay.intake.repairs.damage import DamageLog, Mending

READ_ONCE = "errors and warnings that stand in the log twice were read once"

MOST_KEPT = 1 << 22
"""Bytes of records that are remembered, the last of them."""
_COST = 200
"""Bytes that a remembered record takes besides its own."""
_MOST_LINES = 1000
_SEVERE = (b"E", b"W", b"F")


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, without errors and warnings that were there before."""
    reader = _Once(mending.damage)
    for batch in batches:
        yield reader.batch(batch)


class _Once:
    """Remembers records by their first lines. `_at`: the place of the line to come, within the copy of `_of`.

    `_of` is the last record of the lines so far, if it is an error or a warning and its end is not known.
    """

    def __init__(self, damage: DamageLog) -> None:
        self._damage = damage
        self._kept: dict[bytes, list[bytes]] = {}
        self._size = 0
        self._of: list[bytes] | None = None
        self._at: int | None = None

    def batch(self, batch: Batch) -> Batch:
        lines = batch.lines
        # Of a klog text log nearly all lines begin with an I, and this is the cheapest way to pass by them.
        others = [index for index, line in enumerate(lines) if not b"I" < line < b"J"]
        if not others or lines[others[0]].startswith(b"{"):
            if lines:
                self._of = self._at = None
            return batch
        copied: list[int] = []
        last = -1
        for index in others:
            line = lines[index]
            if index != last + 1:
                self._of = self._at = None
            last = index
            if line.startswith(_SEVERE) and begins_record(line):
                if self._begin(line, lines, index):
                    copied.append(index)
            elif self._at is not None and self._of is not None and self._of[self._at : self._at + 1] == [line]:
                self._at += 1
                copied.append(index)
            elif self._at is None and self._of is not None and line.startswith((b"\t", b" >")):
                self._grow(line)
            else:
                self._of = self._at = None
        if last != len(lines) - 1:
            self._of = self._at = None
        return self._without(batch, copied) if copied else batch

    def _begin(self, line: bytes, lines: list[bytes], index: int) -> bool:
        """Whether the record that begins here is a copy, so far as its lines are there."""
        kept = self._kept.get(line)
        if kept is not None and all(
            one == other for one, other in zip(kept, lines[index : index + len(kept)], strict=False)
        ):
            self._of, self._at = kept, 1
            return True
        self._of, self._at = [line], None
        if kept is None:
            self._kept[line] = self._of
            self._keep(len(line) + _COST)
        return False

    def _grow(self, line: bytes) -> None:
        of = self._of
        if of is not None and len(of) < _MOST_LINES and self._kept.get(of[0]) is of:
            of.append(line)
            self._keep(len(line))

    def _keep(self, size: int) -> None:
        self._size += size
        while self._size > MOST_KEPT:
            self._size -= sum(map(len, self._kept.pop(next(iter(self._kept))))) + _COST

    def _without(self, batch: Batch, copied: list[int]) -> Batch:
        out = Batch.like(batch)
        gone = set(copied)
        for index, (line, mark, raw) in enumerate(
            zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True)
        ):
            if index not in gone:
                out.add(line, mark, raw)
                continue
            self._damage.dropped += mark.physical
            if line.startswith(_SEVERE):
                self._damage.note(READ_ONCE, mark.number)
        return out
