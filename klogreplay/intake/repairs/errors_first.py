"""Logs of errors and warnings that stand in front of the log that holds the same records (`cat ERROR INFO`).

With `-log_dir` klog writes a record to the file of its severity and to those of all lower ones. The records in front
are held; where the whole log has them it counts, and one that it does not have is put in where its time belongs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from klogreplay.intake.batch import Batch
from klogreplay.intake.order_times import YEAR_US, begins_record, moment
from klogreplay.intake.repairs.damage import Mending

READ_ONCE = "errors and warnings in front of the log that has them were read once"

PUT_IN = "errors and warnings in front of the log that lacks them were put where their times belong"

MOST_HELD = 1 << 22
"""Bytes of records that are held; with more of them in front, nothing is done."""
_BACK_US = 10_000
"""Lines of one log are out of order by less, as long as it says little."""
_LINE_COST = 160
_SEVERE = (b"E", b"W", b"F")
_FILE = b"Log file created at: "


class _Held(msgspec.Struct):
    """One record in front. `at`: its time."""

    at: int
    batch: Batch

    @property
    def key(self) -> bytes:
        return b"\n".join(self.batch.lines)


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, without errors in front of a log that has them itself."""
    front: list[Batch] = []
    size = 0
    for batch in batches:
        front.append(batch)
        size += sum(map(len, batch.lines)) + _LINE_COST * len(batch.lines)
        if not _is_severe(batch.lines) or size > MOST_HELD:
            break
    parts = list(_records(front))
    count = next((at for at, part in enumerate(parts) if _is_record(part) and not part.lines[0].startswith(_SEVERE)), 0)
    last = max((time for part in parts[:count] if (time := _time(part)) is not None), default=None)
    begins = _time(parts[count]) if parts else None
    if size > MOST_HELD or last is None or begins is None or _between(begins, last) <= _BACK_US:
        yield from front
        yield from batches
        return
    yield from _Merge(parts[:count], mending).batches(chain(_rest(parts[count:]), batches))


def _is_severe(lines: list[bytes]) -> bool:
    """Whether the lines begin no record but errors and warnings."""
    return all(line.startswith(_SEVERE) or not begins_record(line) for line in lines)


def _is_record(part: Batch) -> bool:
    return begins_record(part.lines[0])


def _time(part: Batch) -> int | None:
    return moment(part.lines[0]) if _is_record(part) else None


def _between(earlier: int, later: int) -> int:
    return (later - earlier + YEAR_US // 2) % YEAR_US - YEAR_US // 2


def _records(batches: list[Batch]) -> Iterator[Batch]:
    """Each record's lines, and what stands between them, as batches of their own."""
    part: Batch | None = None
    for batch in batches:
        for line, mark, raw in zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True):
            if part is None or begins_record(line) or line.startswith(_FILE):
                if part is not None:
                    yield part
                part = Batch([], mark.number, mark.offset, [], 0, [])
            part.add(line, mark, raw)
    if part is not None:
        yield part


def _rest(parts: list[Batch]) -> Iterator[Batch]:
    if not parts:
        return
    out = Batch.like(parts[0])
    for part in parts:
        _append(out, part)
    yield out


def _append(out: Batch, part: Batch) -> None:
    for line, mark, raw in zip(part.lines, part.places(), part.raw or part.lines, strict=True):
        out.add(line, mark, raw)


class _Merge:
    """Puts the records in front into the log behind them, without those that it has itself."""

    def __init__(self, front: list[Batch], mending: Mending) -> None:
        self._damage = mending.damage
        self._framing = [part for part in front if _time(part) is None]
        held = [_Held(time, part) for part in front if (time := _time(part)) is not None]
        first = held[0].at
        # Earliest last, so that it is taken off the end.
        self._held = sorted(held, key=lambda one: _between(first, one.at), reverse=True)
        self._keys = {one.key for one in held}
        self._passed: set[bytes] = set()
        self._open: Batch | None = None

    def batches(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The log. While records are held it is looked at one by one."""
        yield from self._framing
        for batch in batches:
            if self._held or self._open is not None:
                yield self._batch(batch)
            else:
                yield batch
        out = Batch([], 1, 0, [], raw=[])
        self._close(out)
        while self._held:
            self._put_in(out)
        yield out

    def _batch(self, batch: Batch) -> Batch:
        out = Batch.like(batch)
        for part in _records([batch]):
            if self._open is not None and not _is_record(part) and not part.lines[0].startswith(_FILE):
                _append(self._open, part)
                continue
            self._close(out)
            if part.lines[0].startswith(_SEVERE):
                self._open = part
            else:
                self._until(part, out)
                _append(out, part)
        return out

    def _close(self, out: Batch) -> None:
        """Give the record that is open, whose end is known now."""
        part, self._open = self._open, None
        if part is None:
            return
        key = b"\n".join(part.lines)
        if key in self._keys:
            self._passed.add(key)
        self._until(part, out)
        _append(out, part)

    def _until(self, part: Batch, out: Batch) -> None:
        """Give what is held and is older than this record; what the log has had by now is left out."""
        time = _time(part)
        while time is not None and self._held and _between(self._held[-1].at, time) > 0:
            self._put_in(out)

    def _put_in(self, out: Batch) -> None:
        one = self._held.pop()
        if one.key in self._passed:
            self._damage.note(READ_ONCE, one.batch.places()[0].number)
            self._damage.dropped += one.batch.physical
            return
        self._damage.note(PUT_IN, one.batch.places()[0].number)
        _append(out, one.batch)
