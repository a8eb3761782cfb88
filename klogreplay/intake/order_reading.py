"""Several logs as one stream of batches: each in its place, copies once, and which of them are one log."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import chain as joined

import msgspec

from klogreplay.intake.batch import Batch, part
from klogreplay.intake.order import Placed, pid_of, time_of
from klogreplay.intake.order_chains import GOES_ON_US, OUT_OF_ORDER_US, Chain, Chains, goes_on, same_processes
from klogreplay.intake.order_copies import COMPLETE, Copy, Found, put_in
from klogreplay.intake.order_times import Axis, begins_record, moment

_SAMPLE = 4
_CHANCE = 2
"""So many records in common are no chance: a header's time has microseconds, but a JSON record's may have fewer."""


class _Held(msgspec.Struct):
    """The batch that is held back: its lines, the time of its last record, and the lines of the batch before."""

    batch: Batch | None = None
    last: int = 0
    lines: set[bytes] = set()
    before: set[bytes] = set()


class Opened(msgspec.Struct):
    """A log that is being read: its index among the inputs, and its lines."""

    index: int
    batches: Iterator[Batch]


class Reading:
    """Reads logs in order. `open_log` opens one, which makes it an input; `probe` reads it from the beginning besides.

    `chains` gets the number of each input's chain, `copied` how many lines of an input are another's as well, and
    `left_out` how many come behind the end of that other, of which they would be a part only: no queue can be told from
    them, and what is missing would be taken for silence.
    """

    def __init__(
        self,
        axis: Axis,
        logs: Sequence[Placed],
        open_log: Callable[[Placed], Opened],
        probe: Callable[[Placed], Iterator[Batch]],
    ) -> None:
        self._axis = axis
        self._queue = list(logs)
        self._open = open_log
        self._probe = probe
        self._known = Chains()
        self._copies: list[Copy] = []
        self._strangers: set[int] = set()
        self._probed: set[int] = set()
        self.chains: dict[int, int] = {}
        self.copied: dict[int, int] = {}
        self.left_out: dict[int, int] = {}

    def batches(self) -> Iterator[tuple[int, Batch]]:
        """The lines of all logs, with the index of their input."""
        while self._queue:
            one = self._queue.pop(0)
            opened = self._open(one)
            found = yield from self._log(one, opened, self._known.of(opened.index, one))
            while (following := self._following(found)) is not None:
                found = yield from self._log(*following, found)
            yield from self._leftovers(found)

    def _following(self, found: Chain) -> tuple[Placed, Opened] | None:
        """What goes on a log that has copies, so that these go on alongside: its next file, or a copy of all of it."""
        if not self._copies:
            return None
        for one in self._queue:
            if not one.beginning.starts and goes_on(found, one):
                self._queue.remove(one)
                found.take(one)
                return one, self._open(one)
        for copy in self._copies:
            if copy.is_complete and copy.next is not None:
                self._copies.remove(copy)
                self.copied[copy.index] = copy.dropped
                return copy.placed, Opened(copy.index, copy.rest())
        return None

    def _log(self, one: Placed, opened: Opened, found: Chain) -> Generator[tuple[int, Batch], None, Chain]:
        """One log of the chain `found`, with the copies that begin on the way; gives the chain that it ended in."""
        self.chains[opened.index] = found.number
        self._strangers.clear()
        self._probed.clear()
        held = _Held()
        for batch in opened.batches:
            last = time_of(self._axis, batch.lines, one, found.end)
            if last is None:
                yield from self._released(one, opened.index, held)
                yield opened.index, batch
                continue
            larger = self._attach(one, opened, batch, last)
            if larger is not None:
                yield from self._released(one, opened.index, held)
                return (yield from self._overtaken(one, opened, batch, larger))
            if self._copies:
                lines = set(batch.lines)
                yield from self._released(one, opened.index, held, lines)
                held.batch, held.last, held.lines = batch, last, lines
            else:
                yield opened.index, batch
            found.end = last if found.end is None else max(found.end, last)
            found.pids |= pid_of(batch.lines)
        yield from self._released(one, opened.index, held)
        if found.end is not None:
            for copy in self._copies:
                yield from ((copy.index, group.batch) for _, group in copy.pass_by(found.end, held.before))
        return found

    def _released(
        self, one: Placed, index: int, held: _Held, after: set[bytes] | None = None
    ) -> Iterator[tuple[int, Batch]]:
        """The batch that was held back until the first lines `after` it were known, with what its copies hold besides.

        Records may be a little out of order, so the lines of the batches next to it are looked at as well.
        """
        batch = held.batch
        if batch is None:
            return
        held.batch = None
        yield from self._woven(one, index, batch, held.last, held.before | held.lines | (after or set()))
        held.before = held.lines

    def _woven(self, one: Placed, index: int, batch: Batch, last: int, seen: set[bytes]) -> Iterator[tuple[int, Batch]]:
        besides = []
        for copy in self._copies:
            besides += [Found(copy.index, time, group.batch) for time, group in copy.pass_by(last, seen)]
            copy.count_others(batch, one)
        if not besides:
            yield index, batch
            return
        for source, piece in put_in(batch, besides, self._axis, one):
            yield index if source is None else source, piece

    # --- which logs are copies ----------------------------------------------------------------------------------------

    def _attach(self, one: Placed, opened: Opened, batch: Batch, last: int) -> Placed | None:
        """Read alongside whatever of the logs to come begins in this batch and copies it.

        Gives a log that holds all of this one from here on, and more.
        """
        lines: set[bytes] | None = None
        for other in list(self._queue):
            if other.at is None or other.until is None:
                continue
            if other.at > last:
                break
            if id(other) in self._strangers or not same_processes(one.beginning.pids, other.beginning.pids):
                continue
            lines = set(batch.lines) if lines is None else lines
            if _holds_less(one, other):
                return other
            if _holds_less(other, one):
                self._read_alongside(other, opened.index)
                continue
            more = self._shared(one, other, batch, lines, last)
            if more is other:
                return other
            if more is one:
                self._read_alongside(other, opened.index)
                continue
            if last > other.until + OUT_OF_ORDER_US:
                self._strangers.add(id(other))
            if last > other.at + OUT_OF_ORDER_US and id(other) not in self._probed:
                self._probed.add(id(other))
                if self._holds(other, one, batch):
                    return other
        return None

    def _shared(self, one: Placed, other: Placed, batch: Batch, lines: set[bytes], last: int) -> Placed | None:
        """Of two logs that share records where `other` begins the one that holds more; None where they share none.

        A single record in common may be chance, unless it is all there is.
        """
        near = other.at
        theirs = [head for head in other.beginning.heads if self._at(head, other, near) <= last]
        common = sum(head in lines for head in theirs)
        if not common or (common < _CHANCE and common < len(theirs)):
            return None
        if common >= COMPLETE * len(theirs):
            return one
        heads, until = set(theirs), other.until or last
        mine = [line for _, line, time in self._records(one, batch, other.at) if time is not None and time <= until]
        return other if sum(line in heads for line in mine) >= COMPLETE * len(mine) else one

    def _at(self, line: bytes, one: Placed, near: int | None) -> int:
        return self._axis.at(moment(line) or 0, one.beginning.year, near)

    def _read_alongside(self, other: Placed, main: int) -> None:
        self._queue.remove(other)
        opened = self._open(other)
        self.chains[opened.index] = self.chains[main]
        self._copies.append(Copy(opened.index, other, opened.batches, self._axis))

    def _holds(self, other: Placed, one: Placed, batch: Batch) -> bool:
        """Whether `other` holds the records of `one` in this batch that come after its own beginning."""
        sample = [line for _, line, time in self._records(one, batch, other.at) if time is not None][:_SAMPLE]
        if not sample:
            return False
        wanted = min(_CHANCE, len(sample))
        until = self._at(sample[wanted - 1], one, other.at) + OUT_OF_ORDER_US
        for theirs in self._probe(other):
            wanted -= len(set(theirs.lines).intersection(sample))
            if wanted <= 0:
                return True
            last = time_of(self._axis, theirs.lines, other, other.at)
            if last is not None and last > until:
                return False
        return False

    def _records(self, one: Placed, batch: Batch, since: int | None) -> Iterator[tuple[int, bytes, int | None]]:
        near = since
        for index, line in enumerate(batch.lines):
            time = moment(line) if begins_record(line) else None
            if time is not None:
                near = self._axis.at(time, one.beginning.year, near)
                if since is None or near >= since:
                    yield index, line, near

    def _overtaken(
        self, one: Placed, opened: Opened, batch: Batch, other: Placed
    ) -> Generator[tuple[int, Batch], None, Chain]:
        """`other` holds all of `one` from its own beginning on: what is left of `one` is read as its copy."""
        at = next((index for index, _, _ in self._records(one, batch, other.at)), len(batch.lines))
        if at:
            yield opened.index, part(batch, 0, at)
        rest = joined([part(batch, at, len(batch.lines))], opened.batches)
        self._copies.append(Copy(opened.index, one, rest, self._axis))
        self._queue.remove(other)
        larger = self._open(other)
        return (yield from self._log(other, larger, self._known.new(larger.index, other)))

    def _leftovers(self, found: Chain) -> Iterator[tuple[int, Batch]]:
        """What copies hold beyond the end of what they are a part of: the very end, and the rest is left out."""
        for copy in self._copies:
            self.copied[copy.index] = copy.dropped
            if found.end is not None:
                yield from ((copy.index, group.batch) for _, group in copy.pass_by(found.end + GOES_ON_US, set()))
            self.left_out[copy.index] = sum(batch.physical for batch in copy.rest())
        self._copies.clear()


_SEVERITIES = ("INFO", "WARNING", "ERROR", "FATAL")


def _holds_less(one: Placed, other: Placed) -> bool:
    """Whether klog wrote both for one process, `one` for a higher severity (`-log_dir`, also with `-one_output`)."""
    mine, theirs = one.klog_name, other.klog_name
    if mine is None or theirs is None or mine.of != theirs.of or mine.pid != theirs.pid:
        return False
    return _SEVERITIES.index(mine.severity) > _SEVERITIES.index(theirs.severity)
