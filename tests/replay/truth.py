"""Comparing an analysis with the truth that was recorded beside a log."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from klogreplay.replay.types import Parking

MATCH_US = 30_000
"""A parking and a truth entry of the same pod belong together when they are closer than this, the nearest first."""

CAUSES = {"stale-plugin": "stale-plugins", "missed-events": "missed-events"}


@dataclass
class Score:
    """What came of one log. Keys of `table` are (what the truth says, what the analysis says)."""

    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    grades: Counter[tuple[str, bool]] = field(default_factory=Counter)
    accused: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    wrong_cause: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another log's score."""
        self.table += other.table
        self.grades += other.grades
        for name in ("accused", "misplaced", "unlisted", "missed", "wrong_cause", "undecided"):
            getattr(self, name).extend(getattr(other, name))


def truths(directory: Path) -> list[dict[str, Any]]:
    """The truth files of a log directory, one per process."""
    found = []
    for path in sorted(directory.glob("truth*.json*")):
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        found.append(json.loads(text))
    return found


def micros(clock: str) -> int:
    """ "hh:mm:ss.uuuuuu" in microseconds of its day."""
    hours, minutes, seconds = clock.split(":")
    whole, _, part = seconds.partition(".")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 1_000_000 + int(part.ljust(6, "0")[:6])


def score(name: str, told: Iterable[Parking], truth: list[dict[str, Any]]) -> Score:
    """Match parkings to the truth's failed attempts by pod and time, and count."""
    result = Score()
    parkings = list(told)
    by_pod: dict[str, list[Parking]] = defaultdict(list)
    for parking in parkings:
        by_pod[parking.pod].append(parking)
    attempts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    wrong: dict[tuple[str, str], dict[str, Any]] = {}
    for part in truth:
        for attempt in part.get("failedAttempts", []):
            attempts[attempt["pod"]].append(attempt)
        for entry in part.get("wrongParkings", []):
            wrong[entry["pod"], entry["t"]] = entry
    used: set[int] = set()
    day = 86_400 * 1_000_000
    for pod, rows in attempts.items():
        mine = by_pod.get(pod, [])
        pairs = sorted(
            (abs(p.t % day - micros(row["t"])), n, i) for n, row in enumerate(rows) for i, p in enumerate(mine)
        )
        matched: dict[int, Parking] = {}
        for distance, n, i in pairs:
            if distance <= MATCH_US and n not in matched and id(mine[i]) not in used:
                matched[n] = mine[i]
                used.add(id(mine[i]))
        for n, row in enumerate(rows):
            _one(name, row, wrong.get((pod, row["t"])), matched.get(n), result)
    has_attempts = any(part.get("failedAttempts") for part in truth)
    for parking in parkings:
        claimed = parking.destination == "Unschedulable" or parking.verdict == "wrong"
        if has_attempts and claimed and id(parking) not in used:
            result.misplaced.append(f"{name} {parking.pod} line {parking.line}: no such failed attempt")
    return result


def _one(name: str, row: dict[str, Any], wrong: dict[str, Any] | None, parking: Parking | None, result: Score) -> None:
    where = f"{name} {row['pod']} {row['t']} attempt {row['attempt']}" + (f" line {parking.line}" if parking else "")
    # Where the recording had no failure hook (1.25–1.27) the line itself tells an error from a rejection.
    error = bool(row.get("retriable")) or (row.get("retriable") is None and parking is not None and parking.is_error)
    if row["queue"] != "Unschedulable":
        said = "not listed" if parking is None else f"{parking.destination}/{parking.verdict}"
        result.table["elsewhere", said] += 1
        if parking is not None and parking.destination == "Unschedulable":
            result.misplaced.append(f"{where}: really went to {row['queue']}")
        if parking is not None and parking.verdict == "wrong":
            result.accused.append(f"{where}: really went to {row['queue']}")
        return
    kind = "error" if error else ("missed-events" if wrong else "right")
    if parking is None:
        result.table[kind, "not listed"] += 1
        result.unlisted.append(where)
        return
    result.table[kind, parking.verdict] += 1
    should = "wrong" if error or wrong else "right"
    if parking.verdict != "undecided":
        result.grades[parking.grade, parking.verdict == should] += 1
    if parking.verdict == "wrong" and should == "right":
        result.accused.append(where)
    elif parking.verdict == "right" and should == "wrong":
        result.missed.append(f"{where}: called right ({parking.grade})")
    elif parking.verdict == "undecided":
        (result.undecided if should == "right" else result.missed).append(f"{where}: undecided {parking.needs}")
    if parking.verdict == "wrong" and should == "wrong" and wrong is not None:
        expected = CAUSES[wrong["cause"]]
        if expected not in {cause.code for cause in parking.causes}:
            result.wrong_cause.append(f"{where}: {[c.code for c in parking.causes]}, truth {expected}")
