"""A log's parkings in the form of the report. There may be millions, so that each is made when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import overload

import msgspec

from klogreplay.replay.parkings import VERDICTS, ParkingStore, Traits
from klogreplay.replay.types import ConcurrentEvent, Parking, Verdict
from klogreplay.report.json_rows import JsonRows
from klogreplay.report.model import ConcurrentEventOut, MadeWhenAsked, ParkingOut, Valued, WakeUpOut
from klogreplay.report.sanitize import readable

Clock = Callable[[int], str]
"""Formats microseconds on the log's own clock."""


class Summary(msgspec.Struct):
    """All parkings in numbers.

    `counts` by verdict; `parked` is how many surely went to unschedulablePods. Of the wrong ones: `pods` that they are
    of, the seconds `lost`, and how many there are of each grade.
    """

    counts: Counter[str]
    parked: int
    pods: int
    lost: float
    grades: Counter[str]


class Rows(MadeWhenAsked):
    """The parkings of a store as the report has them."""

    def __init__(self, parkings: ParkingStore, clock: Clock) -> None:
        self._parkings = parkings
        self._clock = clock

    def __len__(self) -> int:
        return len(self._parkings)

    @overload
    def __getitem__(self, index: int) -> ParkingOut: ...

    @overload
    def __getitem__(self, index: slice) -> list[ParkingOut]: ...

    def __getitem__(self, index: int | slice) -> ParkingOut | list[ParkingOut]:
        if isinstance(index, slice):
            return [parking_out(parking, self._clock) for parking in self._parkings[index]]
        return parking_out(self._parkings[index], self._clock)

    def json(self, *, placed: bool) -> Iterator[str]:
        """Each parking as JSON, without its inputs unless `placed`."""
        return map(JsonRows(self._clock, placed=placed).row, self._parkings.without_proof())

    def wrong(self) -> Iterator[ParkingOut]:
        """Those with the verdict wrong."""
        for _, parking in self._parkings.select(lambda each: each.verdict == "wrong"):
            yield parking_out(parking, self._clock)

    def counts(self) -> Counter[str]:
        """How many there are of each verdict."""
        return Counter({verdict: self._parkings.number_of(partial(_is, verdict)) for verdict in VERDICTS})

    def needs(self) -> Counter[str]:
        """How many there are with each need."""
        needs: Counter[str] = Counter()
        for (_, need), count in self._parkings.needs.items():
            needs[readable(need)] += count
        return needs

    def summary(self) -> Summary:
        """See `Summary`."""
        return _summary(self.counts(), self._parkings.number_of(lambda each: each.parked), self.wrong())


def _is(verdict: Verdict, each: Traits) -> bool:
    return each.verdict == verdict


def counts_of(parkings: Sequence[ParkingOut]) -> Counter[str]:
    """How many parkings there are of each verdict."""
    return parkings.counts() if isinstance(parkings, Rows) else Counter(parking.verdict for parking in parkings)


def needs_of(parkings: Sequence[ParkingOut]) -> Counter[str]:
    """How many parkings there are with each need."""
    if isinstance(parkings, Rows):
        return parkings.needs()
    return Counter(need for parking in parkings for need in dict.fromkeys(parking.needs))


def summary_of(parkings: Sequence[ParkingOut]) -> Summary:
    """The summary of a report's parkings."""
    if isinstance(parkings, Rows):
        return parkings.summary()
    return _summary(
        counts_of(parkings),
        sum(parking.destination.value == "Unschedulable" for parking in parkings),
        (parking for parking in parkings if parking.verdict == "wrong"),
    )


def _summary(counts: Counter[str], parked: int, wrong: Iterator[ParkingOut]) -> Summary:
    pods: set[str] = set()
    lost: float = 0
    grades: Counter[str] = Counter()
    for parking in wrong:
        pods.add(parking.pod)
        lost += parking.lost_seconds or 0
        grades[parking.grade] += 1
    return Summary(counts, parked, len(pods), lost, grades)


def parking_out(parking: Parking, clock: Clock) -> ParkingOut:
    """A parking in the form of the report; `clock` formats the log's microseconds."""
    rejectors = parking.rejector_plugins
    wake_up = parking.wake_up
    return ParkingOut(
        pod=readable(parking.pod),
        process=readable(parking.process),
        destination=Valued(value=parking.destination, evidence=parking.destination_evidence),
        time=clock(parking.t) if parking.timed else None,
        line=parking.line,
        attempt=parking.attempt,
        cycle=parking.cycle,
        error=readable(parking.error),
        rejector_plugins=Valued(
            value=None if rejectors is None else _names(rejectors), evidence=parking.rejector_evidence
        ),
        stale_plugins=_names(parking.stale_plugins),
        concurrent_events=[_concurrent(event, clock) for event in parking.concurrent_events],
        verdict=parking.verdict,
        grade=parking.grade,
        causes=[cause.code for cause in parking.causes],
        expected_queue=parking.expected_queue,
        wake_up=None
        if wake_up is None
        else WakeUpOut(
            event=readable(wake_up.event),
            line=wake_up.line,
            time=clock(wake_up.t) if parking.timed else None,
            input=wake_up.source,
        ),
        parked_seconds=_seconds(parking.parked_us),
        lost_seconds=_seconds(parking.lost_us),
        needs=[readable(need) for need in parking.needs],
        input=parking.source,
    )


def _concurrent(event: ConcurrentEvent, clock: Clock) -> ConcurrentEventOut:
    return ConcurrentEventOut(
        event=readable(event.event),
        object=None if event.object is None else readable(event.object),
        line=event.line,
        time=None if event.t is None else clock(event.t),
        evidence=event.evidence,
        effect=event.effect,
        input=event.source,
    )


def _names(names: Sequence[str]) -> list[str]:
    return sorted(readable(name) for name in names)


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1_000_000
