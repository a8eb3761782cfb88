"""The table `bugs`: known upstream queueing bugs, with the releases they are in as ranges.

The texts come from upstream/known-bugs.json beside the catalogue. Which releases a text like "1.32-1.33 (stays), 1.34
before the pick" means is written down here once, by hand; where the queue's source was read for 117 releases
(behaviours.json), that decides instead and is stored as `measured`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HINTS_ON = ["SchedulerQueueingHints", True]
HINTS_OFF = ["SchedulerQueueingHints", False]
ASYNC_PREEMPTION = ["SchedulerAsyncPreemption", True]
ASYNC_CALLS = ["SchedulerAsyncAPICalls", True]

AFFECTED: dict[str, list[tuple[str | None, str | None, list[Any] | None, bool]]] = {
    # (first, last, feature gate needed, certain); a bound without a patch number means all of that minor.
    "KB01": [("1.11", "1.13.2", None, True)],
    "KB02": [("1.12.4", "1.12.4", None, True), ("1.13.1", "1.13.2", None, True)],
    "KB03": [("1.12", "1.27", None, True), ("1.28", None, HINTS_OFF, True)],
    "KB04": [("1.14", "1.14", None, True)],
    "KB05": [(None, "1.17", None, True)],
    "KB06": [("1.19.0", "1.19.11", None, True), ("1.20.0", "1.20.7", None, True), ("1.21.0", "1.21.1", None, True)],
    "KB07": [("1.19.0", "1.19.14", None, True)],
    "KB08": [("1.22.0", "1.22.9", None, False), ("1.23.0", "1.23.6", None, False)],
    "KB09": [("1.22", "1.31", None, True), ("1.32", None, HINTS_OFF, True)],
    "KB10": [("1.26", "1.27", ["PodSchedulingReadiness", True], True)],
    "KB11": [("1.26", "1.27", None, True)],
    "KB12": [
        ("1.21", "1.25.14", None, True),
        ("1.26.0", "1.26.9", None, True),
        ("1.27.0", "1.27.6", None, True),
        ("1.28.0", "1.28.1", None, True),
        ("1.28.2", "1.28.2", None, False),
    ],
    "KB13": [("1.28.0", "1.28.1", HINTS_ON, True)],
    "KB14": [("1.28.0-alpha.0", "1.28.0", HINTS_ON, False)],
    "KB15": [(None, "1.28", None, True)],
    "KB16": [("1.28", "1.31", HINTS_ON, True)],
    "KB17": [("1.32", "1.33", HINTS_ON, True), ("1.34", "1.36", HINTS_ON, False)],
    "KB18": [("1.22", "1.29", None, True)],
    "KB19": [(None, "1.30", None, True)],
    "KB20": [(None, "1.30", None, True), ("1.31", "1.31", HINTS_OFF, True)],
    "KB21": [(release, release, None, True) for release in ("1.27.16", "1.28.11", "1.29.6", "1.30.2")],
    "KB22": [("1.28", "1.30", HINTS_ON, True)],
    "KB23": [("1.31", "1.31", HINTS_ON, True)],
    "KB24": [(None, "1.31", None, True)],
    "KB25": [(None, "1.29", None, True)],
    "KB26": [("1.30", "1.31", ["DynamicResourceAllocation", True], True)],
    "KB27": [("1.34", "1.35", None, True)],
    "KB28": [("1.32", "1.36", None, True)],
    "KB29": [("1.35", "1.36", ["GenericWorkload", True], True)],
    "KB30": [("1.32", "1.34", None, False)],
    "KB31": [("1.16", "1.17", None, False)],
    "KB32": [("1.31", "1.35", HINTS_ON, True)],
    "KB33": [("1.32", "1.36", HINTS_ON, True)],
    "KB34": [("1.32", None, HINTS_ON, True)],
    "KB35": [("1.29", "1.30", HINTS_ON, True)],
    "KB36": [(None, "1.36", None, True)],
    "KB37": [("1.32", "1.33", ASYNC_PREEMPTION, True)],
    "KB38": [("1.34.0", "1.34.1", ASYNC_PREEMPTION, True)],
    "KB39": [("1.26", "1.34", None, True), ("1.35", "1.36", None, False)],
    "KB40": [("1.36", "1.36", ASYNC_PREEMPTION, True)],
    "KB41": [("1.32", None, ASYNC_PREEMPTION, True)],
    "KB42": [(None, "1.35", None, True)],
    "KB43": [(None, "1.32", None, True)],
    "KB44": [("1.33", "1.33", ["SchedulerPopFromBackoffQ", True], True)],
    "KB45": [("1.31", "1.31", None, False)],
    "KB46": [("1.26", "1.28", None, True), (None, "1.21", None, True)],
    "KB47": [(None, None, None, True)],
    "KB48": [(None, "1.34", None, True)],
    "KB49": [(None, "1.36", None, True)],
    "KB50": [("1.35", "1.36", ASYNC_CALLS, False)],
    "KB51": [("1.34.0", "1.34.1", ASYNC_CALLS, True), ("1.35.0", "1.35.0", ASYNC_CALLS, True)],
    "KB52": [("1.37", "1.37", ["SchedulerPreQueueingHints", True], True)],
    "KB53": [],
    "KB54": [],
    "KB55": [],
    "KB56": [("1.7.1", "1.7.1", None, True)],
    "KB57": [(None, "1.26", None, True)],
    "KB58": [],
}

MEASURED: dict[str, Callable[[dict[str, Any]], bool]] = {
    "KB12": lambda row: row["unschedulablePluginsCleared"] == "never",
    "KB13": lambda row: row["inFlight"] == "markers with event counters",
    "KB14": lambda row: row.get("popWokenAfterFailedAttemptToActive") is False,
    "KB15": lambda row: "Unschedulable" in str(row["errorAttemptWithoutRejectors"]),
    "KB17": lambda row: row.get("duplicateInFlightPodDiscarded") is True and not row["uidCheckOnRequeue"],
    "KB21": lambda row: row["gatedPodsOnClusterEvent"] == "all skipped",
    "KB22": lambda row: row["inFlight"] != "none" and not row["updateInFlightRecordedAsEvent"],
}
"""Bugs that a field of behaviours.json decides."""

_RELEASE = re.compile(r"\b1\.\d+\.\d+\b")
_INFERRED = re.compile(r"\b(?:unverified|inferred|about|probably|by the picks)\b")


def build(catalogue: Path) -> list[dict[str, Any]]:
    """One row per bug, in order of their ids."""
    bugs = json.loads((catalogue.parent / "upstream" / "known-bugs.json").read_text())["bugs"]
    behaviours = json.loads((catalogue / "behaviours.json").read_text())
    if {bug["id"] for bug in bugs} != set(AFFECTED):
        raise ValueError("known-bugs.json does not list the bugs whose ranges are written down")
    return [_row(bug, behaviours) for bug in sorted(bugs, key=lambda bug: bug["id"])]


def _row(bug: dict[str, Any], behaviours: dict[str, Any]) -> dict[str, Any]:
    decides = MEASURED.get(bug["id"])
    return {
        "id": bug["id"],
        "title": bug["title"],
        "refs": bug["refs"],
        "component": bug["component"],
        "affectedText": bug["affected"],
        "fixedText": bug["fixed"],
        "affected": [list(part) for part in AFFECTED[bug["id"]]],
        "measured": None if decides is None else sorted(r for r, row in behaviours.items() if decides(row)),
        "fixedIn": _fixed_in(bug["fixed"]),
        "symptom": bug["symptom"],
        "logSignature": bug["log_signature"],
        "minVerbosity": bug["min_verbosity"],
        "trigger": bug["trigger"],
        "howLong": bug["how_long"],
        "workaround": bug["workaround"],
        "confidence": bug["confidence"].split(" ")[0],
        "note": bug["note"],
    }


def _fixed_in(text: str) -> list[list[Any]]:
    """[release, certain] of each release that the text names as having the fix, in its order."""
    found: dict[str, bool] = {}
    for clause in text.split(";"):
        certain = _INFERRED.search(clause) is None and "off by default" not in clause
        for release in _RELEASE.findall(clause):
            found.setdefault(release, certain)
    return [[release, certain] for release, certain in found.items()]
