"""Line numbers of several inputs on one axis, so that what is followed across a rotation keeps its lines apart.

The follower knows lines by a single number, which grows with the log. Of the first input it is the line's own; of the
others it holds the input's index as well, until a parking leaves the replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from klogreplay.replay.attempts import Attempt
    from klogreplay.replay.facts import Identified
    from klogreplay.replay.types import Parking

_LINES = 1 << 40
"""More lines than an input has."""


class Origins(Protocol):
    """What is known of the inputs behind the events."""

    def chain_of(self, source: int) -> int:
        """Which log the input is of: the index of the first input of this log. Rotated files are one log."""

    def label_of(self, source: int) -> str:
        """A short name for the input that no other has; "" where there is only one."""

    def identified(self, log: int) -> Identified | None:
        """What the lines so far of a log tell of its release; None where nobody identifies them."""


class Apart:
    """Inputs of which nothing is known: each is a log of its own, identified by what is said of all."""

    def __init__(self, identified: Identified | None = None) -> None:
        self._identified = identified

    def chain_of(self, source: int) -> int:
        """See `Origins`."""
        return source

    def label_of(self, source: int) -> str:
        """See `Origins`."""
        return ""

    def identified(self, log: int) -> Identified | None:
        """See `Origins`."""
        return self._identified


def joined(source: int, line: int) -> int:
    """The number under which the follower knows the line."""
    return source * _LINES + line


def split(number: int) -> tuple[int, int]:
    """Input and line of such a number."""
    return divmod(number, _LINES)


def apart_in_attempt(attempt: Attempt) -> None:
    """The same for an attempt that leaves the replay as it is. Its own line is in its `source`."""
    attempt.line = split(attempt.line)[1]
    for name in ("destination_line", "back_line"):
        line = getattr(attempt, name)
        if line is not None:
            setattr(attempt, name, split(line)[1])
    attempt.held_lines = tuple((split(line)[1], text) for line, text in attempt.held_lines)
    wake, flight = attempt.wake, attempt.flight
    if wake is not None and wake.line >= _LINES:
        wake.source, wake.line = split(wake.line)
    if flight is not None:
        flight.line = split(flight.line)[1]


def apart(parking: Parking) -> Parking:
    """The parking with each of its lines in the input that it is in; itself, where all are in the first."""
    wake_up = parking.wake_up
    if wake_up is not None and wake_up.line >= _LINES:
        wake_up.source, wake_up.line = split(wake_up.line)
    if parking.line >= _LINES:
        parking.source, parking.line = split(parking.line)
    for cited in parking.proof:
        cited.source, cited.line = split(cited.line)
    for event in parking.concurrent_events:
        if event.line is not None:
            event.source, event.line = split(event.line)
    return parking
