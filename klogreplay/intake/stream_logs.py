"""The logs of several pods in one stream, as `kubectl logs --prefix -l …`, stern, kubetail and log stores join them.

Every scheduler in a container has the process id 1, so only what a wrapper says of each line tells replicas apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from klogreplay.intake.batch import Batch
from klogreplay.intake.order_times import begins_record

MOST_LOGS = 64
"""So many logs of one stream are told apart."""

_MOST_HELD = 10_000
"""Lines of a record that are waited for: more are no record's."""


class Named(Protocol):
    """What tells of a wrapped line which log it is of."""

    @property
    def tells_log(self) -> bool:
        """Whether it can tell of some line."""

    def log_of(self, line: bytes) -> bytes:
        """The log's name; empty where the line does not tell."""

    def lead_of(self, line: bytes) -> bytes | None:
        """What all lines of the same log begin with; None where that is not to be told."""


class StreamLogs:
    """Parts one stream into the logs in it.

    The first log is number 0, and all lines are its own as long as no other is named; `names` has the name of each,
    "" where none was told. `too_many` counts lines of logs beyond the limit, which are left in one.
    """

    def __init__(self, named: Named) -> None:
        self._named = named
        self._numbers: dict[bytes, int] = {}
        self._leads: dict[bytes, int] = {}
        self._held: dict[int, Batch] = {}
        self._last = 0
        self._is_parted = False
        self.names: list[str] = [""]
        self.too_many = 0

    def parted(self, batch: Batch) -> Iterator[tuple[int, Batch]]:
        """The batch's lines, each log's by themselves, with its number.

        The last record of a log waits for the next batch, since its lines may go on there.
        """
        raw = batch.raw
        if raw is None or not self._named.tells_log:
            yield 0, batch
            return
        numbers = self._numbers_of(raw)
        if not self._is_parted and len(self.names) == 1:
            yield 0, batch
            return
        self._is_parted = True
        for number, own in self._by_log(batch, raw, numbers).items():
            whole, rest = _before_last_record(own)
            self._held[number] = rest
            if whole.lines:
                yield number, whole

    def rest(self) -> Iterator[tuple[int, Batch]]:
        """What still waits, as complete."""
        for number, held in self._held.items():
            if held.lines:
                yield number, held
        self._held.clear()

    def _numbers_of(self, raw: Sequence[bytes]) -> list[int]:
        """Which log each line is of: most are of the one before, or begin like some before."""
        numbers: list[int] = []
        lead, number = b"\n", 0
        for line in raw:
            if not line.startswith(lead):
                found = self._named.lead_of(line)
                known = None if found is None else self._leads.get(found)
                if known is None:
                    known = self._number(line)
                    if found is not None and len(self._leads) < MOST_LOGS:
                        self._leads[found] = known
                lead, number = found or b"\n", known
                self._last = number
            numbers.append(number)
        return numbers

    def _number(self, line: bytes) -> int:
        name = self._named.log_of(line)
        if not name:
            return self._last
        number = self._numbers.get(name)
        if number is None:
            number = self._new(name)
        self._last = number
        return number

    def _new(self, name: bytes) -> int:
        if not self._numbers:
            self.names[0] = name.decode("utf-8", "replace")
        elif len(self.names) < MOST_LOGS:
            self.names.append(name.decode("utf-8", "replace"))
        else:
            self.too_many += 1
            return MOST_LOGS - 1
        self._numbers[name] = len(self.names) - 1
        return len(self.names) - 1

    def _by_log(self, batch: Batch, raw: Sequence[bytes], numbers: Sequence[int]) -> dict[int, Batch]:
        """The lines of each log, behind those of it that wait."""
        found: dict[int, Batch] = {}
        for line, mark, physical, number in zip(batch.lines, batch.places(), raw, numbers, strict=True):
            own = found.get(number)
            if own is None:
                own = self._held.pop(number) if number in self._held else Batch.like(batch)
                own.cut = 0
                found[number] = own
            own.add(line, mark, physical)
        next(iter(found.values())).cut = batch.cut
        return found


def _before_last_record(batch: Batch) -> tuple[Batch, Batch]:
    """The batch up to its last record, and this; all of it where that would have too many lines."""
    marks, raw, end = batch.places(), batch.raw or batch.lines, len(batch.lines)
    at = next((n for n in range(end - 1, max(-1, end - 1 - _MOST_HELD), -1) if begins_record(batch.lines[n])), end)
    rest = Batch(batch.lines[at:], batch.number, batch.offset, marks[at:], 0, raw[at:])
    return msgspec.structs.replace(batch, lines=batch.lines[:at], marks=marks[:at], raw=raw[:at]), rest
