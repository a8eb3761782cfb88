"""What the replay hands on: parkings with their verdicts, and the evidence they rest on."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["right", "wrong", "undecided"]
Grade = Literal["proven", "likely", "suspected"]
Evidence = Literal["observed", "derived", "assumed", "unknown"]
Effect = Literal["queue", "skip", "unknown"]
"""What an event means to the rejector plugins of one attempt: retry, no help, or not to be told."""


class Cited(msgspec.Struct, gc=False, array_like=True):
    """A log line that a verdict rests on, and what it says there."""

    line: int
    text: str
    says: str
    source: int = 0


class ConcurrentEvent(msgspec.Struct, gc=False, array_like=True):
    """One cluster event received while the pod was in flight.

    `line` is the line that shows it, None where it follows from the rules without a line of its own. `evidence`
    grades that it fell into the window.
    """

    event: str
    object: str | None
    line: int | None
    t: int | None
    evidence: Evidence
    effect: Effect
    text: str | None = None
    source: int = 0


class WakeUp(msgspec.Struct, gc=False, array_like=True):
    """What took the pod out of the unschedulable pool again."""

    event: str
    line: int
    t: int
    text: str
    source: int = 0


class Cause(msgspec.Struct, gc=False, array_like=True):
    """One upstream fix whose absence explains a wrong parking (`code`: stale-plugins, missed-events …)."""

    code: str
    grade: Grade


class Judged(msgspec.Struct, kw_only=True, array_like=True):
    """A failed attempt handed back into the unschedulable pool, or one whose destination cannot be told.

    `t` and `line` are those of the printed hand-back, else of the failure line. `attempt` counts the pod's attempts
    within the log from 1. `destination` is "Unschedulable" or "unknown". `parked_us` runs from the hand-back to the
    wake-up, `lost_us` from the earliest moment at which the reference queue would have retried to the wake-up; both in
    microseconds, None where they cannot be told. `needs` says what would decide an undecided verdict or raise a grade.
    `timed` False: the log has no times (`--skip_headers`), and `t` says nothing.
    """

    pod: str
    process: str
    destination: Literal["Unschedulable", "unknown"]
    destination_evidence: Evidence
    t: int
    line: int
    source: int
    attempt: int
    cycle: int | None
    is_error: bool
    error: str
    rejector_plugins: tuple[str, ...] | None
    rejector_evidence: Evidence
    stale_plugins: tuple[str, ...]
    concurrent_events: list[ConcurrentEvent]
    verdict: Verdict
    grade: Grade
    causes: list[Cause]
    expected_queue: str | None
    wake_up: WakeUp | None
    parked_us: int | None
    lost_us: int | None
    needs: list[str]
    timed: bool = True


class Parking(Judged, kw_only=True):
    """Such an attempt with the lines that its verdict rests on.

    These are the last field: a parking that was written down can be read back without them (`ParkingStore`).
    """

    proof: list[Cited]
