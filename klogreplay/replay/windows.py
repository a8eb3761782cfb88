"""What was in flight and what was received between the Pop of a failed attempt and its hand-back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from klogreplay.replay.attempts import Attempt, Window
from klogreplay.replay.backoff import SILENCE_SLACK_US

if TYPE_CHECKING:
    from klogreplay.replay.follow import Follower

HAND_BACK_SLACK_US = 5_000
"""The hand-back follows the failure line within this, where no line bounds it (measured)."""


def close(f: Follower, attempt: Attempt) -> None:
    """The attempt was handed back: no event that comes now fell into its window."""
    back_hi = attempt.back_hi if attempt.back_hi is not None else attempt.t + HAND_BACK_SLACK_US
    attempt.back_hi = back_hi
    f.flights.settle(attempt.pod, back_hi)
    flight = attempt.flight
    start = flight.window_start if flight else attempt.t
    line = flight.line if flight else attempt.line
    others, many = f.flights.beside(flight if f.deep else None, back_hi)
    own_lo = flight.pop_lo if flight else start
    events, crowded = ([], False) if attempt.timeless else f.timeline.around(own_lo, back_hi, start)
    hole = flight is not None and (attempt.gap or f.holes.between(line, attempt.line, flight.pop_hi, attempt.t))
    cut = (
        hole
        or crowded
        or many
        or not f.started
        or f.holes.lost_near(start)
        or (f.flights.cut_before is not None and start <= f.flights.cut_before)
        or f.holes.between(line, attempt.line, start, attempt.t)
    )
    attempt.window = Window(
        pop_lo=flight.pop_lo if flight else None, pop_hi=flight.pop_hi if flight else None,
        back_lo=attempt.t, back_hi=back_hi, others=others, events=events,
        well_lit=f.visibility.prints("Event is not making pod schedulable"),
        exhaustive=f.visibility.prints("Event received while pods are in flight"),
        cut=cut, hole=hole,
    )  # fmt: skip
    if attempt.destination is None:
        due = back_hi + attempt.backoff_us + SILENCE_SLACK_US
        f.deadlines.add(due, attempt)
        f.next_t = min(f.next_t, due)
