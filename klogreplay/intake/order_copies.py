"""Logs that hold the same records: each is given once.

klog writes a record to the file of its severity and to those of all lower ones (`-log_dir`), and to standard error as
well (`-alsologtostderr`). While one file is read, those that copy it are read alongside; what they hold besides is put
in where it belongs by its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from klogreplay.intake.batch import Batch, part
from klogreplay.intake.order import Placed
from klogreplay.intake.order_times import Axis, begins_record, moment

COMPLETE = 0.98
"""A copy that holds this share of the other's records is as good as the other."""


class Group(msgspec.Struct):
    """One record's lines: the first of them, its time on the axis, and all as a batch."""

    head: bytes
    time: int | None
    batch: Batch


def groups(batches: Iterable[Batch], axis: Axis, one: Placed) -> Iterator[Group]:
    """The records of a log; the lines of one that goes on in the next batch are two groups, the second without a time.

    So are lines that begin no record.
    """
    near = one.at
    for batch in batches:
        lines = batch.lines
        begin = 0
        for index in range(1, len(lines) + 1):
            if index < len(lines) and not begins_record(lines[index]):
                continue
            head = lines[begin]
            time = moment(head) if begins_record(head) else None
            if time is not None:
                near = time = axis.at(time, one.beginning.year, near)
            yield Group(head, time, part(batch, begin, index))
            begin = index


class Copy:
    """A log that is read alongside another which holds the same records. `dropped` lines were the other's as well."""

    def __init__(self, index: int, one: Placed, batches: Iterable[Batch], axis: Axis) -> None:
        self.index = index
        self.placed = one
        self.dropped = 0
        self._axis = axis
        self._groups = groups(batches, axis, one)
        self.next = next(self._groups, None)
        self._common = 0
        self._others = 0
        self._was_common = False

    def pass_by(self, until: int, seen: set[bytes]) -> Iterator[Group]:
        """What it holds up to `until` that is not among the first lines `seen` of the other's records."""
        while (group := self.next) is not None:
            if group.time is not None:
                if group.time > until:
                    return
                self._was_common = common = group.head in seen
                self._common += common
                if not common:
                    seen.add(group.head)
            if self._was_common or (group.time is None and group.head in seen):
                self.dropped += len(group.batch.lines)
            else:
                yield group
            self.next = next(self._groups, None)

    def count_others(self, batch: Batch, other: Placed) -> None:
        """These lines of the other passed; those before its own beginning do not count."""
        records = [line for line in batch.lines if begins_record(line)]
        if not self._others and self.placed.at is not None:
            records = [line for line in records if self._is_since(self.placed.at, line, other)]
        self._others += len(records)

    def _is_since(self, at: int, line: bytes, other: Placed) -> bool:
        time = moment(line)
        return time is not None and self._axis.at(time, other.beginning.year, at) >= at

    @property
    def is_complete(self) -> bool:
        """Whether it holds what the other does, so that it can stand for it where that ends."""
        return self._others > 0 and self._common >= COMPLETE * self._others

    def rest(self) -> Iterator[Batch]:
        """What is left of it."""
        while (group := self.next) is not None:
            yield group.batch
            self.next = next(self._groups, None)


def put_in(batch: Batch, found: list[tuple[int, Group]], axis: Axis, one: Placed) -> Iterator[tuple[int | None, Batch]]:
    """A batch with the records `found` by their time in between; each piece with its input, None for the batch's own.

    The order of the batch's own records stays.
    """
    begin = at = 0
    near = one.at
    times: list[tuple[int, int]] = []
    for index, line in enumerate(batch.lines):
        time = moment(line) if begins_record(line) else None
        if time is not None:
            near = axis.at(time, one.beginning.year, near)
            times.append((index, near))
    place = 0
    for source, group in sorted(found, key=lambda pair: pair[1].time or 0):
        while group.time is not None and place < len(times) and times[place][1] <= group.time:
            place += 1
        # Never behind the last record, whose lines may go on in the next batch.
        at = times[min(place, len(times) - 1)][0] if times else len(batch.lines)
        if at > begin:
            yield None, part(batch, begin, at)
            begin = at
        yield source, group.batch
    if begin < len(batch.lines):
        yield None, part(batch, begin, len(batch.lines))
