"""Pieces of a log that stand in it a second time, as where files were joined twice or a paste was repeated.

Told by records that go back in time and are, with what follows them, the same to the microsecond as some before. All of
a log's beginning is looked at, and of the rest a few lines of each batch; a copy of what is long past is not known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from itertools import takewhile

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.order_times import SECOND_US, YEAR_US, begins_record, moment
from klogreplay.intake.repairs.damage import DamageLog, Mending

READ_ONCE = "pieces of the log that stand in it twice were read once"

_FEWEST = 3
"""So many lines in a row are the same."""
_WHOLLY_LOOKED_AT = 4
_PROBES = 3
MOST_KEPT = 1 << 22
"""Bytes of lines that are remembered."""
_MOST_FRUITLESS = 64
"""So many batches in vain, and no more are looked at: the log's times go back for another reason."""
_BACK_US = SECOND_US
"""Lines of one log are out of order by no more than this."""


def _begin(kept: tuple[int, list[bytes], int]) -> int:
    return kept[0]


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, without what was read before."""
    reader = _Once(mending.damage)
    for batch in batches:
        yield reader.batch(batch)


class _Once:
    """Remembers the lines that were given, by where they stand. `_at`: where the line to come stands, within a copy."""

    def __init__(self, damage: DamageLog) -> None:
        self._damage = damage
        self._kept: deque[tuple[int, list[bytes], int]] = deque()
        self._next = 0
        self._places: dict[bytes, int] = {}
        self._indexed = 0
        self._latest: int | None = None
        self._at: int | None = None
        self._seen = 0
        self._fruitless = 0
        self._size = 0

    def batch(self, batch: Batch) -> Batch:
        self._seen += 1
        if self._fruitless > _MOST_FRUITLESS:
            return batch
        if self._at is None and self._seen > _WHOLLY_LOOKED_AT and not self._goes_back(batch.lines):
            self._keep(batch.lines)
            return batch
        return self._line_by_line(batch)

    def _goes_back(self, lines: list[bytes]) -> bool:
        """Whether some of a few lines is older than what came before; also moves the time on."""
        for line in (*lines[:: len(lines) // _PROBES + 1], lines[-1]) if lines else ():
            time = moment(line) if begins_record(line) else None
            if time is not None and self._is_old(time, _BACK_US):
                return True
        return False

    def _is_old(self, time: int, by: int) -> bool:
        """Whether the time is earlier, by more than this, than the latest so far, which it may become."""
        if self._latest is not None:
            behind = (self._latest - time + YEAR_US // 2) % YEAR_US - YEAR_US // 2
            if behind > 0:
                return behind > by
        self._latest = time
        return False

    def _line_by_line(self, batch: Batch) -> Batch:
        lines, marks, raw = batch.lines, batch.places(), batch.raw or batch.lines
        copied = [False] * len(lines)
        new: list[bytes] = []
        self._kept.append((self._next, new, 0))
        for index, line in enumerate(lines):
            if self._at is not None and self._line_at(self._at) == line:
                self._at += 1
                copied[index] = True
                self._drop(marks[index])
                continue
            self._at = None
            time = moment(line) if begins_record(line) else None
            if time is not None and self._is_old(time, 0):
                place = self._copy_of(lines, index)
                if place is not None:
                    self._at = place + 1
                    copied[index] = True
                    self._damage.note(READ_ONCE, marks[index].number)
                    self._drop(marks[index])
                    continue
            new.append(line)
            self._next += 1
        self._kept.pop()
        self._next -= len(new)
        self._keep(new)
        if not any(copied):
            self._fruitless += self._seen > _WHOLLY_LOOKED_AT
            return batch
        self._fruitless = 0
        out = Batch.like(batch)
        for index, is_copy in enumerate(copied):
            if not is_copy:
                out.add(lines[index], marks[index], raw[index])
        return out

    def _copy_of(self, lines: list[bytes], index: int) -> int | None:
        """Where the lines from here on stood before; None where that is not certain."""
        self._index()
        place = self._places.get(lines[index])
        if place is None:
            return None
        same = 1
        while same < _FEWEST and index + same < len(lines) and self._line_at(place + same) == lines[index + same]:
            same += 1
        return place if same == _FEWEST else None

    def _line_at(self, place: int) -> bytes | None:
        at = bisect_right(self._kept, place, key=_begin) - 1
        if at < 0:
            return None
        begin, lines, _ = self._kept[at]
        return lines[place - begin] if place - begin < len(lines) else None

    def _index(self) -> None:
        """Know the places of all lines that are remembered. A line's first place counts."""
        new = list(takewhile(lambda kept: kept[0] + len(kept[1]) > self._indexed, reversed(self._kept)))
        for begin, lines, _ in reversed(new):
            for place in range(max(self._indexed, begin), begin + len(lines)):
                self._places.setdefault(lines[place - begin], place)
        self._indexed = self._next

    def _keep(self, lines: list[bytes]) -> None:
        if not lines:
            return
        size = sum(map(len, lines))
        self._kept.append((self._next, lines, size))
        self._next += len(lines)
        self._size += size
        while self._size > MOST_KEPT:
            begin, gone, size = self._kept.popleft()
            self._size -= size
            for place, line in enumerate(gone, begin) if self._places else ():
                if self._places.get(line) == place:
                    del self._places[line]

    def _drop(self, mark: Mark) -> None:
        self._damage.dropped += mark.physical
