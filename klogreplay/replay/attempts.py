"""One failed attempt and what is known of it, from its failure line until its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from klogreplay.events.types import HintLine
from klogreplay.replay.flights import Flight
from klogreplay.replay.rejectors import Own, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Evidence, WakeUp


class Window(msgspec.Struct):
    """What was in flight and what was received around one attempt.

    `others` are the flights that may share a moment with it, `events` those that may have fallen between the start of
    the oldest of them and the hand-back. `exhaustive`: every event received while a pod was in flight has a line
    here; `well_lit`: every event that a parked pod was asked about has one. `hole`: lines are missing between this Pop
    and its failure. `cut`: the log does not reach back to the beginning of all flights that may matter.
    """

    pop_lo: int | None
    pop_hi: int | None
    back_lo: int
    back_hi: int
    others: list[Flight]
    events: list[Observed]
    exhaustive: bool
    well_lit: bool
    cut: bool
    hole: bool = False

    def open_at_pop(self, other: Flight) -> bool:
        """Whether the other pod may have been in flight at this attempt's Pop."""
        pop_hi = self.pop_hi if self.pop_hi is not None else self.back_lo
        if other.serial and other.pop_hi <= pop_hi:
            return False
        return other.possibly_open_within(self.pop_lo if self.pop_lo is not None else self.back_lo, pop_hi)


class Attempt(msgspec.Struct, kw_only=True):
    """A failed attempt. `looked_at`: see `Replay.decided`.

    `queue_attempts` is the queue entry's own counter (None where its beginning was not seen). `own` are the rejector
    plugins of this attempt. `held` is the plugin set that the queue entry had before this hand-back in a release that
    does not clear it at Pop; None where the entry's beginning was not seen. `wake` is what took the pod out of the
    queue that it was handed back to, whichever it was; `untold` that it may never have been handed back. `hole`: it
    was silent for long, but lines are missing there. `quiet`: nobody printed anything for a while between its Pop and
    its failure; `gap`: for so long that lines are missing. `asked` are the lines of the hint functions that its
    hand-back asked, `claims` the pod's ResourceClaims (None: not printed).
    """

    pod: str
    number: int
    queue_attempts: int | None
    flight: Flight | None
    t: int
    line: int
    source: int
    text: str
    is_error: bool
    err: str
    own: Own
    held: PluginSet | None = None
    held_lines: tuple[tuple[int, str], ...] = ()
    back_hi: int | None = None
    window: Window | None = None
    serial: bool = False
    destination: str | None = None
    destination_evidence: Evidence = "unknown"
    destination_line: int | None = None
    destination_text: str | None = None
    destination_says: str = ""
    back_t: int | None = None
    back_line: int | None = None
    cycle: int | None = None
    hint: str | None = None
    wake: WakeUp | None = None
    gated: bool = False
    untold: bool = False
    hole: bool = False
    backoff_us: int = 0
    backoff_known: bool = False
    emitted: bool = False
    orphan: bool = False
    timeless: bool = False
    looked_at: int = -1
    quiet: bool = False
    gap: bool = False
    asked: Sequence[HintLine] = ()
    claims: frozenset[str] | None = None
