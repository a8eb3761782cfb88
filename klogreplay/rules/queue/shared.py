"""What the rules on upstream bugs share: finding the parking that evidence belongs to, and the verbosity needed."""

from __future__ import annotations

from klogreplay.events.types import AttemptFailed, Moved
from klogreplay.replay.types import Parking
from klogreplay.rules.base import Case

ASKED_AT = 5
"""The -v at which a parked pod's answers to events are printed, in all releases that have such lines (1.28+)."""

FLUSH = "UnschedulableTimeout"

Place = tuple[str, int, int]


class Parkings:
    """A case's parkings by the lines of their failure or hand-back."""

    def __init__(self, case: Case) -> None:
        self._parkings = case.judged

    def of(self, failed: AttemptFailed, parked: Moved | None = None) -> tuple[int, Parking] | None:
        """The parking that this failure, or its printed hand-back, led to; None where there is none."""
        lines = [failed.line] if parked is None else [parked.line, failed.line]
        for line in lines:
            index = self._parkings.at(failed.pod, failed.source, line)
            if index is not None:
                return index, self._parkings[index]
        return None


def shows(case: Case, level: int) -> bool:
    """Whether the log's lines prove that it was taken at -v=`level` or above."""
    return case.verbosity is not None and case.verbosity >= level


def rejected_by(parking: Parking | None, plugin: str) -> bool:
    """Whether this plugin is among the rejectors of the parking, as far as they are known."""
    return parking is not None and plugin in (parking.rejector_plugins or ())
