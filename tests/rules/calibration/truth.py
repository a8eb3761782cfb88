"""Whether a finding is right, by the truth recorded beside its log."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from klogreplay.replay.types import Parking
from klogreplay.rules.base import Case
from klogreplay.rules.types import Finding
from tests.replay.truth import MATCH_US, micros, truths

DAY_US = 86_400 * 1_000_000

BY_SCENARIO = {
    # Updated while in flight: S08 does so on purpose, in S16 the scheduler's own status updates do.
    "KR105": {"1.27.1/S08", "1.28.0/S08", "1.28.0/S16", "1.28.3/S08", "1.29.1/S08"},
    "KR108": {"1.34.1/S21"},
    "KR109": {"1.36.2/S06"},
    "KR111": {"1.34.1/S21", "1.35.4/S21"},
    "KR201": {"1.34.1/S19", "1.35.4/S19"},
    # Where the update, or the recreation, is not shown, KR203 tells of the refusal that they end in.
    "KR203": {
        "1.22.6/S08", "1.23.3/S08", "1.24.4/S08", "1.27.1/S08", "1.28.0/S08", "1.28.0/S16", "1.28.0/S18", "1.28.3/S08",
        "1.29.1/S08", "1.34.1/S19", "1.35.4/S19",
    },
}  # fmt: skip
"""Rules whose bug the recording provoked, or was seen to meet, in these scenarios only."""

BY_KIND = {
    "KR301": "claim not generated yet",
    "KR302": "claim has the deterministic name <pod>-<claim>, no status entry",
    "KR303": "claim owned by another pod",
}
"""Rules on claims, and what the truth calls such a pod."""

RESCUES = frozenset({"KR104", "KR107", "KR113", "KR114", "KR115", "KR120"})
"""Rules that say that the flush, and nothing else, took a pod out that could be bound."""

UNTOLD = frozenset({"KR901", "KR902", "KR903"})
"""Rules on the log itself: the truth says nothing of it."""


class Truth:
    """The truth beside one log."""

    def __init__(self, directory: Path, name: str) -> None:
        parts = truths(directory)
        self._scenario = name.rpartition("/")[0]
        self._kinds = {pod: kind for part in parts for pod, kind in part.get("notes", {}).get("kinds", {}).items()}
        self._attempts: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._causes: dict[tuple[str, str], str] = {}
        for part in parts:
            for row in part.get("failedAttempts", []):
                self._attempts[row["pod"]].append(row)
            for entry in part.get("wrongParkings", []):
                self._causes[entry["pod"], entry["t"]] = entry["cause"]
        self._rescued = _rescued(parts)

    @property
    def tells(self) -> bool:
        """Whether the recording noted failed attempts at all (1.22-1.24 have none)."""
        return bool(self._attempts)

    def right(self, finding: Finding, case: Case) -> bool | None:
        """Whether the finding is right; None where the truth cannot tell."""
        code = finding.code
        if code in UNTOLD:
            return None
        if code in RESCUES:
            return finding.pod in self._rescued if self.tells else None
        if code in BY_SCENARIO:
            return self._scenario in BY_SCENARIO[code]
        if code in BY_KIND:
            codes = (code, "KR302") if "(KR302)" in finding.summary else (code,)
            return self._kinds.get(finding.pod or "") in {BY_KIND[each] for each in codes}
        if finding.parking is None or not self.tells:
            return None
        return self._parking(code, case.parkings[finding.parking])

    def _parking(self, code: str, parking: Parking) -> bool:
        row = self._row(parking)
        if row is None or row["queue"] != "Unschedulable":
            return False
        if code == "KR190":
            return bool(row.get("leftBy") == "UnschedulableTimeout")
        error = row.get("retriable")
        error = parking.is_error if error is None else bool(error)
        cause = self._causes.get((row["pod"], row["t"]))
        if code == "KR101":
            return cause == "stale-plugin" or (
                error and bool(set(row.get("held") or ()) - set(row.get("plugins") or ()))
            )
        if code == "KR102":
            return cause == "missed-events"
        return code in ("KR103", "KR306") and error

    def _row(self, parking: Parking) -> dict[str, Any] | None:
        rows = self._attempts.get(parking.pod, [])
        near = [(abs(parking.t % DAY_US - micros(row["t"])), n) for n, row in enumerate(rows)]
        distance, n = min(near, default=(MATCH_US + 1, 0))
        return rows[n] if distance <= MATCH_US else None


def _rescued(parts: list[dict[str, Any]]) -> set[str]:
    """The pods that left by the flush at some time and are bound."""
    left = {a["pod"] for p in parts for a in p.get("failedAttempts", []) if a.get("leftBy") == "UnschedulableTimeout"}
    bound = set()
    for each in (part["pods"] for part in parts):
        named = each.items() if isinstance(each, dict) else ((pod["pod"], pod) for pod in each)
        bound |= {name for name, pod in named if pod.get("final") == "bound"}
    return left & bound
