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
    """One record's lines, `begin` to `end` of a batch. `is_record`: the first of them begins a record."""

    whole: Batch
    begin: int
    end: int
    is_record: bool

    @property
    def head(self) -> bytes:
        """The first line."""
        return self.whole.lines[self.begin]

    @property
    def physical(self) -> int:
        """How many physical lines these were."""
        marks = self.whole.marks
        return self.end - self.begin if marks is None else sum(mark.physical for mark in marks[self.begin : self.end])

    @property
    def batch(self) -> Batch:
        """The lines as a batch of their own."""
        return part(self.whole, self.begin, self.end)


def groups(batches: Iterable[Batch]) -> Iterator[Group]:
    """The records of a log; the lines of one that goes on in the next batch are two groups, as are lines of none."""
    for batch in batches:
        lines = batch.lines
        begin, is_record = 0, bool(lines) and begins_record(lines[0])
        for index in range(1, len(lines)):
            if begins_record(lines[index]):
                yield Group(batch, begin, index, is_record)
                begin, is_record = index, True
        if lines:
            yield Group(batch, begin, len(lines), is_record)


class Copy:
    """A log that is read alongside another which holds the same records.

    `dropped` physical lines were the other's as well.
    """

    def __init__(self, index: int, one: Placed, batches: Iterable[Batch], axis: Axis) -> None:
        self.index = index
        self.placed = one
        self.dropped = 0
        self._axis = axis
        self._groups = groups(batches)
        self._near = one.at
        self.next = next(self._groups, None)
        self._common = 0
        self._others = 0
        self._was_common = self._begun = False

    def pass_by(self, until: int, seen: set[bytes]) -> Iterator[tuple[int | None, Group]]:
        """What it holds up to `until` that is not among the lines `seen` of the other, with its time."""
        while (group := self.next) is not None:
            head, time = group.head, None
            if group.is_record:
                self._was_common = head in seen
                self._common += self._was_common
                if not self._was_common:
                    time = self._time(head)
                    if time is not None and time > until:
                        return
                    seen.add(head)
            elif not self._begun:
                # What klog writes above the first record.
                self._was_common = head in seen
            if self._was_common:
                self.dropped += group.physical
            else:
                yield time, group
            self._begun = group.is_record or self._begun
            self.next = next(self._groups, None)

    def _time(self, head: bytes) -> int | None:
        time = moment(head)
        if time is not None:
            self._near = time = self._axis.at(time, self.placed.beginning.year, self._near)
        return time

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


class Found(msgspec.Struct):
    """A record that only a copy holds: the copy's input, its time on the axis, and its lines."""

    source: int
    time: int | None
    batch: Batch


def put_in(batch: Batch, found: list[Found], axis: Axis, one: Placed) -> Iterator[tuple[int | None, Batch]]:
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
    for each in sorted(found, key=lambda each: each.time or 0):
        while each.time is not None and place < len(times) and times[place][1] <= each.time:
            place += 1
        # Never behind the last record, whose lines may go on in the next batch.
        at = times[min(place, len(times) - 1)][0] if times else len(batch.lines)
        if at > begin:
            yield None, part(batch, begin, at)
            begin = at
        yield each.source, each.batch
    if begin < len(batch.lines):
        yield None, part(batch, begin, len(batch.lines))
