"""The order in which several logs are read: that of their contents' times, whatever they are called.

Only the beginning of each log is looked at for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from klogreplay.intake.batch import Batch
from klogreplay.intake.names import KlogName, family, klog_name
from klogreplay.intake.order_times import Axis, begins_record, last_moment, moment

_PID = re.compile(rb"[IWEF][0-9]{4} [0-9:]{8}\.[0-9]{6} +([0-9]{1,10}) ")
_CREATED = re.compile(rb"Log file created at: ([0-9]{4})/")
_STARTS = re.compile(rb"\] (?:FLAG: --|\"?Starting Kubernetes Scheduler)")
_FIRST_OF_A_START = 12
"""A scheduler prints its flags at once, behind a warning or two about them."""

MOST_HEADS = 32
_MOST_LOOKED_AT = 1 << 20


class Beginning(msgspec.Struct):
    """The beginning of a log.

    `heads` are the first lines of its first records, `first` the time of the first of these that has one (see
    `order_times`), `last` that of the last, `pids` the process ids they print. `starts`: a scheduler starts there.
    """

    heads: list[bytes] = []
    first: int | None = None
    last: int | None = None
    year: int | None = None
    pids: set[int] = set()
    starts: bool = False

    def take(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Look at the first batches; gives those looked at, so that nothing need be read twice."""
        looked = 0
        for batch in batches:
            self._look(batch.lines)
            looked += sum(map(len, batch.lines))
            yield batch
            if len(self.heads) >= MOST_HEADS or looked > _MOST_LOOKED_AT:
                break

    def _look(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            created = _CREATED.match(line)
            if created:
                self.year = int(created[1])
            elif begins_record(line):
                self._head(line)
                if len(self.heads) >= MOST_HEADS:
                    break

    def _head(self, line: bytes) -> None:
        time = moment(line)
        if time is None:
            return
        self.heads.append(line)
        if self.first is None:
            self.first = time
        self.last = time
        pid = _PID.match(line)
        if pid:
            self.pids.add(int(pid[1]))
        if len(self.heads) <= _FIRST_OF_A_START and _STARTS.search(line):
            self.starts = True


class Placed(msgspec.Struct):
    """A log with its place in the order: `at` and `until` are the times of its beginning's records on the axis."""

    name: str
    beginning: Beginning
    at: int | None = None
    until: int | None = None

    @property
    def family(self) -> str:
        """See `klogreplay.intake.names`."""
        return family(self.name)

    @property
    def klog_name(self) -> KlogName | None:
        """See `klogreplay.intake.names`."""
        return klog_name(self.name)


def in_order(logs: Sequence[tuple[str, Beginning]]) -> tuple[Axis, list[int], list[Placed]]:
    """The axis of their times, the logs' indexes in the order of reading, and the logs in the order given.

    A log without a time stays behind the one before it. Of logs that begin with the same record, the one whose
    beginning reaches less far comes first: it holds more records.
    """
    begun = [beginning for _, beginning in logs]
    axis = Axis([one.first for one in begun], [one.year for one in begun])
    placed = [Placed(name, one) for name, one in logs]
    keys: list[tuple[int, int, int]] = []
    before = (-1, -1)
    for index, one in enumerate(placed):
        first, last = one.beginning.first, one.beginning.last
        if first is not None and last is not None:
            one.at = axis.at(first, one.beginning.year)
            one.until = axis.at(last, one.beginning.year, near=one.at)
            before = (one.at, one.until - one.at if len(one.beginning.heads) >= MOST_HEADS else 1 << 62)
        keys.append((*before, index))
    return axis, sorted(range(len(placed)), key=keys.__getitem__), placed


def time_of(axis: Axis, lines: Sequence[bytes], one: Placed, near: int | None) -> int | None:
    """When the last line of a batch that tells it was logged, on the axis; `near` that, where none does."""
    found = last_moment(lines)
    if found is None or one.at is None:
        return near
    return axis.at(found, one.beginning.year, near=one.at if near is None else near)


def pid_of(lines: Sequence[bytes]) -> set[int]:
    """The process id of the last of the lines that prints one."""
    for line in reversed(lines):
        match = _PID.match(line)
        if match is not None:
            return {int(match[1])}
    return set()
