"""The parkings of a log, written down one by one: a log may have millions, and hardly any is looked at twice.

What can be asked of all of them without reading them back is one byte each: their `Traits`.
"""

from __future__ import annotations

import ast
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from heapq import merge
from itertools import pairwise
from typing import NamedTuple, Protocol, get_args, overload

import msgspec

from klogreplay.replay.sources import joined
from klogreplay.replay.types import Judged, Parking, Verdict

FLUSH = "UnschedulableTimeout"
"""The event of the periodic flush."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_RUN = 4096
"""So many are sorted at once; the runs are merged."""


class Traits(NamedTuple):
    """What is known of a parking at once.

    `parked`: its destination is known to be unschedulablePods. `woken`: something took it out again; `flushed`: that
    was the flush.
    """

    verdict: Verdict
    is_error: bool
    parked: bool
    woken: bool
    flushed: bool


_TRAITS = [
    Traits(VERDICTS[code & 3], bool(code & 4), bool(code & 8), bool(code & 16), bool(code & 32))
    if code & 3 < len(VERDICTS)
    else None
    for code in range(64)
]
_VERDICTS = {verdict: code for code, verdict in enumerate(VERDICTS)}
_ODD = 64
"""Marks what is not written down as the others."""


class Spool(Protocol):
    """Where bytes are put down and read back."""

    def append(self, data: bytes) -> None:
        """Put down some bytes behind those before."""

    def read(self, start: int, size: int) -> bytes:
        """The bytes from an offset on."""


class Memory:
    """A spool that keeps all of it."""

    def __init__(self) -> None:
        self._data = bytearray()

    def append(self, data: bytes) -> None:
        """See `Spool`."""
        self._data += data

    def read(self, start: int, size: int) -> bytes:
        """See `Spool`."""
        return bytes(self._data[start : start + size])


class ParkingStore(Sequence[Parking]):
    """Parkings in their order; each is made anew whenever it is asked for, so that changing one changes nothing.

    `only` names the pods whose parkings are wanted (empty: all). `amend` is applied to each that is read back.
    `needs` counts what parkings need, by whether they are undecided.
    """

    def __init__(
        self, parkings: Iterable[Parking] = (), *, spool: Spool | None = None, only: Collection[str] = ()
    ) -> None:
        self.amend: Callable[[Judged], None] | None = None
        self.needs: Counter[tuple[bool, str]] = Counter()
        self._spool = spool or Memory()
        self._only = frozenset(only)
        self._end = 0
        self._ends = array("q", [0])
        self._keys = array("q")
        self._codes = bytearray()
        self._order: array[int] | None = None
        self._in_order = False
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Parking).decode
        for parking in parkings:
            self.append(parking)

    def append(self, parking: Parking) -> None:
        """Put a parking down, behind those before; not once they are sorted."""
        if self._only and parking.pod not in self._only:
            return
        wake_up = parking.wake_up
        code = _VERDICTS[parking.verdict] | (8 if parking.destination == "Unschedulable" else 0)
        if parking.is_error:
            code |= 4
        if wake_up is not None:
            code |= 48 if wake_up.event == FLUSH else 16
        try:
            data = self._encode(parking)
        except (UnicodeEncodeError, OverflowError):
            # Bytes that were not UTF-8, a number that no scheduler prints.
            data = ascii(msgspec.to_builtins(parking)).encode("ascii")
            code |= _ODD
        self._spool.append(data)
        self._end += len(data)
        self._ends.append(self._end)
        self._keys.append(joined(parking.source, parking.line))
        self._codes.append(code)
        if parking.needs:
            undecided = parking.verdict == "undecided"
            for need in dict.fromkeys(parking.needs):
                self.needs[undecided, need] += 1

    def sort(self) -> None:
        """Bring them into the order of their lines."""
        keys = self._keys
        self._in_order = True
        if all(one < other for one, other in pairwise(keys)):
            return
        count = len(keys)
        runs = [
            array("I", sorted(range(start, min(start + _RUN, count)), key=keys.__getitem__))
            for start in range(0, count, _RUN)
        ]
        order = array("I", merge(*runs, key=keys.__getitem__))
        runs.clear()
        self._keys = array("q", (keys[number] for number in order))
        self._codes = bytearray(self._codes[number] for number in order)
        self._order = order
        self._sort_ties(order)

    def _sort_ties(self, order: array[int]) -> None:
        """A line belongs to one pod; should it not, the pods are in the order of their names."""
        start = 0
        for at in range(1, len(order) + 1):
            if at < len(order) and self._keys[at] == self._keys[start]:
                continue
            if at - start > 1:
                codes = dict(zip(order[start:at], self._codes[start:at], strict=True))
                pods = {number: self._read(number, code).pod for number, code in codes.items()}
                order[start:at] = array("I", sorted(pods, key=pods.__getitem__))
                self._codes[start:at] = bytes(codes[number] for number in order[start:at])
            start = at

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, index: int) -> Parking: ...

    @overload
    def __getitem__(self, index: slice) -> list[Parking]: ...

    def __getitem__(self, index: int | slice) -> Parking | list[Parking]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return self._read(self._numbers()[at], self._codes[at])

    def __iter__(self) -> Iterator[Parking]:
        return map(self._read, self._numbers(), self._codes)

    def without_proof(self) -> Iterator[Judged]:
        """All of them in their order, without the lines that prove them: that takes half the time."""
        decode = msgspec.msgpack.Decoder(Judged).decode
        for number, code in zip(self._numbers(), self._codes, strict=True):
            if code & _ODD:
                yield self._read(number, code)
                continue
            judged = decode(self._bytes(number))
            if self.amend is not None:
                self.amend(judged)
            yield judged

    def _numbers(self) -> Sequence[int]:
        return range(len(self)) if self._order is None else self._order

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(one == each for one, each in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # how Python says that it has none

    def _bytes(self, number: int) -> bytes:
        start = self._ends[number]
        return self._spool.read(start, self._ends[number + 1] - start)

    def _read(self, number: int, code: int) -> Parking:
        data = self._bytes(number)
        if code & _ODD:
            parking = msgspec.convert(ast.literal_eval(data.decode("ascii")), Parking)
        else:
            parking = self._decode(data)
        if self.amend is not None:
            self.amend(parking)
        return parking

    def select(self, wanted: Callable[[Traits], bool], mentioning: str = "") -> Iterator[tuple[int, Parking]]:
        """Those with the wanted traits, with their index. Nothing else is read back.

        `mentioning`: only those in which this text, of ASCII, stands somewhere.
        """
        text = mentioning.encode("ascii")
        for at in self._those(wanted):
            if text and text not in self._bytes(self._numbers()[at]):
                continue
            yield at, self[at]

    def number_of(self, wanted: Callable[[Traits], bool]) -> int:
        """How many have the wanted traits."""
        return self._marked(wanted).count(1)

    def _marked(self, wanted: Callable[[Traits], bool]) -> bytearray:
        return self._codes.translate(bytes(traits is not None and wanted(traits) for traits in _TRAITS * 4))

    def _those(self, wanted: Callable[[Traits], bool]) -> Iterator[int]:
        hits = self._marked(wanted)
        at = hits.find(1)
        while at >= 0:
            yield at
            at = hits.find(1, at + 1)

    def at(self, pod: str, source: int, line: int) -> int | None:
        """The index of the pod's parking whose line this is (the last of several), None where there is none."""
        key = joined(source, line)
        if self._in_order:
            same: Sequence[int] = range(bisect_left(self._keys, key), bisect_right(self._keys, key))
        else:
            same = [at for at, each in enumerate(self._keys) if each == key]
        return next((at for at in reversed(same) if self[at].pod == pod), None)


def stored(parkings: Iterable[Parking]) -> ParkingStore:
    """The parkings as a store; a store is given back as it is."""
    return parkings if isinstance(parkings, ParkingStore) else ParkingStore(parkings)
