"""Logs whose newest line comes first, as exports of log stores and `tac` give them: they are turned round.

All of the log has to be held for that, so it is only done up to a limit. Stores and `tac` turn lines round; what knows
records keeps their lines in order, which the lines around the beginning of a block tell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.order_times import begins_record, moment
from klogreplay.intake.repairs.damage import Mending

TURNED = "the newest line came first: the lines were put in order, and are counted from the last"
TOO_LARGE = "the newest line comes first, and the log is too large to be put in order: give it with the oldest first"

_FEWEST = 3
_SHARE = 0.7
_LINE_COST = 160
"""Bytes that a held line takes besides its own."""


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, turned round where the first of them goes back in time."""
    first = next(batches, None)
    if first is None:
        return
    if not is_newest_first(first.lines):
        yield first
        yield from batches
        return
    held: list[Batch] = []
    size = 0
    for batch in chain([first], batches):
        held.append(batch)
        size += sum(map(len, batch.lines)) + _LINE_COST * len(batch.lines)
        if size > mending.limits.reorder_bytes:
            mending.damage.note(TOO_LARGE)
            yield from held
            held = []
            yield from batches
            return
    mending.damage.note(TURNED)
    last = max(mark.number for mark in held[-1].places())
    if _keeps_records(held):
        yield from _records_turned(held, last)
        return
    while held:
        yield _turned(held.pop(), last)


def is_newest_first(lines: Sequence[bytes]) -> bool:
    """Whether the times of records go down from line to line, nearly all of them."""
    times = [time for line in lines if begins_record(line) and (time := moment(line)) is not None]
    down = [later < earlier for earlier, later in pairwise(times) if later != earlier]
    return sum(down) >= _FEWEST and sum(down) >= _SHARE * len(down)


def _turned(batch: Batch, last: int) -> Batch:
    """The entries from last to first; the lines of one stay in order. What follows needs numbers that grow."""
    marks = batch.places()
    raw = batch.raw or batch.lines
    turned = Batch.like(batch)
    end = len(batch.lines)
    for begin in range(end - 1, -1, -1):
        if marks[begin].physical or begin == 0:
            number = last + 1 - marks[begin].number
            for index in range(begin, end):
                mark = marks[index]
                turned.add(batch.lines[index], Mark(number, mark.offset, mark.physical), raw[index])
            end = begin
    return turned


def _keeps_records(batches: Iterable[Batch]) -> bool:
    """Whether blocks stand behind their first lines, more often than in front of them."""
    behind = before = 0
    goes_on = opened = False
    for line in chain.from_iterable(batch.lines for batch in batches):
        went_on, goes_on = goes_on, not begins_record(line)
        behind += opened and goes_on
        opened = not goes_on and line.endswith((b"=<", b"=<\r"))
        before += opened and went_on
    return behind > before


def _records_turned(held: list[Batch], last: int) -> Iterator[Batch]:
    """The records from last to first, the lines of each in order, also where it goes on in the next batch."""
    rest: deque[tuple[bytes, Mark, bytes]] = deque()
    while held:
        batch = held.pop()
        entries = list(zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True))
        turned = Batch.like(batch)
        end = len(entries)
        for begin in range(end - 1, -1, -1):
            if begins_record(entries[begin][0]) or (begin == 0 and not held):
                _add_in_order(turned, [*entries[begin:end], *rest], last)
                rest.clear()
                end = begin
        rest.extendleft(reversed(entries[:end]))
        yield turned


def _add_in_order(turned: Batch, record: Sequence[tuple[bytes, Mark, bytes]], last: int) -> None:
    """A record's lines; their numbers count from the log's last line to the record's last, and on from there."""
    shift = last + 1 - record[0][1].number - record[-1][1].number
    for line, mark, raw in record:
        turned.add(line, Mark(shift + mark.number, mark.offset, mark.physical), raw)
