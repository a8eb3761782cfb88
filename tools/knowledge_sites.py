"""The table `sites`: which releases print which message at which place.

A set of releases is a bit mask in hexadecimal, bit i for the i-th release. Sets and messages are stored once and named
by index, since thousands of call sites share them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from knowledge_callsites import call_sites

Site = dict[str, Any]

COMMAND = "kube-scheduler-cmd"
"""The program around the scheduler. Left out: read for 46 releases only, and programs that embed it have their own."""

MOVED = "Pod moved to an internal scheduling queue"
IN_FLIGHT = frozenset(
    {
        "Checking event for in-flight pod",
        "Checking events for in-flight pod",
        "Event received while pods are in flight",
    }
)


def _hints_on(site: Site) -> bool:
    return site["message"] in IN_FLIGHT or (site["message"] == MOVED and "schedulingCycle" in site["keys"])


def _hints_off(site: Site) -> bool:
    return bool(site["message"] == MOVED and site["func"].endswith("addUnschedulableWithoutQueueingHint"))


def _async_calls_on(site: Site) -> bool:
    return bool(site["package"].endswith("framework/api_calls"))


def _async_calls_off(site: Site) -> bool:
    place = (site["file"], site["message"])
    return place in {
        ("schedule_one.go", "Updating pod condition and nominated node name"),
        ("default_binder.go", "Attempting to bind pod to node"),
    }


def _async_preemption_on(site: Site) -> bool:
    return ".prepareCandidateAsync" in site["func"]


def _batching_on(site: Site) -> bool:
    return bool(site["file"] == "batch.go" and site["group"] == "scheduler")


GATE_SITES: list[tuple[str, bool, Callable[[Site], bool]]] = [
    ("SchedulerQueueingHints", True, _hints_on),
    ("SchedulerQueueingHints", False, _hints_off),
    ("SchedulerAsyncAPICalls", True, _async_calls_on),
    ("SchedulerAsyncAPICalls", False, _async_calls_off),
    ("SchedulerAsyncPreemption", True, _async_preemption_on),
    ("OpportunisticBatching", True, _batching_on),
]
"""Call sites that are reached with one value of a feature gate only, by the branch they stand in."""


class _Indexed:
    """Values stored once and named by their index."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self._index: dict[str, int] = {}

    def of(self, value: str) -> int:
        if value not in self._index:
            self._index[value] = len(self.values)
            self.values.append(value)
        return self._index[value]


def build(catalogue: Path) -> dict[str, Any]:
    """Files -> [line, message, releases, package], packages, and the sites that tell a feature gate."""
    fingerprint = json.loads((catalogue / "fingerprint.json").read_text())
    behaviours = json.loads((catalogue / "behaviours.json").read_text())
    order: list[str] = fingerprint["releases"]
    bit = {release: 1 << at for at, release in enumerate(order)}

    masks: dict[tuple[str, int, str, str], int] = {}
    printf_formats: set[str] = set()
    structured_formats: set[str] = set()
    gates: dict[tuple[str, bool, str, int, str], int] = {}
    for release, site in call_sites(catalogue):
        if site["group"] == COMMAND:
            continue
        package = "" if site["group"] == "scheduler" else site["package"]
        place = (site["file"], site["line"], site["message"])
        masks[(*place, package)] = masks.get((*place, package), 0) | bit[release]
        if "%" in site["message"]:
            if site["kind"] != "structured":
                printf_formats.add(site["message"])
            elif site["messageKind"] != "literal":
                structured_formats.add(site["message"])
        for gate, value, belongs in GATE_SITES:
            if gate in behaviours[release]["gates"] and belongs(site):
                gates[(gate, value, *place)] = gates.get((gate, value, *place), 0) | bit[release]

    messages, sets = _Indexed(), _Indexed()
    packages = ["", *sorted({package for *_, package in masks} - {""})]
    files: dict[str, list[list[int]]] = {}
    for (file, line, message, package), mask in sorted(masks.items()):
        row = [line, messages.of(message), sets.of(f"{mask:x}"), packages.index(package)]
        files.setdefault(file, []).append(row)
    absent = {package: sum(bit[r] for r in releases) for package, releases in fingerprint["notInTree"].items()}
    return {
        "files": files,
        "messages": messages.values,
        "printfFormats": [at for at, message in enumerate(messages.values) if message in printf_formats],
        "structuredFormats": [at for at, message in enumerate(messages.values) if message in structured_formats],
        "gateSites": [
            [gate, value, file, line, messages.of(message), f"{mask:x}"]
            for (gate, value, file, line, message), mask in sorted(gates.items())
        ],
        "sets": sets.values,
        "packages": [[package, f"{absent.get(package, 0):x}"] for package in packages],
    }
