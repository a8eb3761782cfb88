"""Hand-made parkings and reports for the tests of rules, report and command line."""

from __future__ import annotations

from typing import Any

from klogreplay.replay.types import Cause, Cited, ConcurrentEvent, Parking, WakeUp
from klogreplay.report.build import build
from klogreplay.report.model import Analysis, Gate, Input, Kubernetes, LineCounts, Log, Process
from klogreplay.rules.base import Case
from klogreplay.rules.registry import run_rules

S = 1_000_000


def parking(**changes: Any) -> Parking:
    """A wrong parking by stale plugins, rescued by the flush; `changes` replace fields."""
    fields: dict[str, Any] = {
        "pod": "test/test-dragxd5c",
        "process": "1",
        "destination": "Unschedulable",
        "destination_evidence": "observed",
        "t": 100 * S,
        "line": 4,
        "source": 0,
        "attempt": 2,
        "cycle": 9576,
        "is_error": True,
        "error": 'running Reserve plugin "DynamicResources": conflict',
        "rejector_plugins": (),
        "rejector_evidence": "derived",
        "stale_plugins": ("DynamicResources",),
        "concurrent_events": [],
        "verdict": "wrong",
        "grade": "proven",
        "causes": [Cause("stale-plugins", "proven")],
        "expected_queue": "Backoff",
        "wake_up": WakeUp("UnschedulableTimeout", 9, 430 * S, "Pod moved ... UnschedulableTimeout"),
        "parked_us": 330 * S,
        "lost_us": 329 * S,
        "needs": [],
        "proof": [
            Cited(1, "Unable to schedule pod; no fit; waiting", "DynamicResources rejected attempt 1"),
            Cited(3, "Error scheduling pod; retrying", "attempt 2 failed with an error"),
            Cited(4, 'Pod moved ... queue="Unschedulable"', "it was parked"),
        ],
    }
    return Parking(**{**fields, **changes})


def missed(**changes: Any) -> Parking:
    """A wrong parking by a lost NodeAdd."""
    fields: dict[str, Any] = {
        "pod": "default/b",
        "is_error": False,
        "error": "0/4 nodes are available: 4 Insufficient cpu.",
        "rejector_plugins": ("NodeResourcesFit",),
        "stale_plugins": (),
        "concurrent_events": [
            ConcurrentEvent("AssignedPodAdd", "default/x", 5, 101 * S, "observed", "skip"),
            ConcurrentEvent("NodeAdd", "late", 6, 102 * S, "observed", "queue"),
        ],
        "causes": [Cause("missed-events", "likely")],
        "grade": "likely",
        **changes,
    }
    return parking(**fields)


def right(**changes: Any) -> Parking:
    """A right parking, left by an event."""
    fields: dict[str, Any] = {
        "pod": "default/c",
        "is_error": False,
        "rejector_plugins": ("NodeAffinity",),
        "stale_plugins": (),
        "verdict": "right",
        "causes": [],
        "expected_queue": "Unschedulable",
        "wake_up": WakeUp("NodeAdd", 20, 110 * S, "Pod moved ... NodeAdd"),
        "parked_us": 10 * S,
        "lost_us": None,
        **changes,
    }
    return parking(**fields)


def undecided(**changes: Any) -> Parking:
    """An undecided parking."""
    fields: dict[str, Any] = {
        "pod": "default/d",
        "destination": "unknown",
        "destination_evidence": "unknown",
        "is_error": False,
        "rejector_plugins": None,
        "rejector_evidence": "unknown",
        "stale_plugins": (),
        "verdict": "undecided",
        "grade": "suspected",
        "causes": [],
        "expected_queue": None,
        "wake_up": None,
        "parked_us": None,
        "lost_us": None,
        "needs": ["-v=6 (where the pod went)"],
        "proof": [],
        **changes,
    }
    return parking(**fields)


def clock(t: int) -> str:
    """Microseconds as a time of day on no particular date."""
    seconds, micros = divmod(t, S)
    return f"08-31T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{micros:06}"


def analysis(*parkings: Parking, inputs: int = 1, **case: Any) -> Analysis:
    """The report on some parkings, with the findings of all rules."""
    case.setdefault("attempts", 10)
    findings = run_rules(Case(parkings=parkings, **case))
    unknown = case.get("unknown_lines", 0)
    return build(
        inputs=[Input(name=f"scheduler-{n}.log", bytes=1000, lines=20, sha256="0" * 64) for n in range(inputs)],
        log=Log(
            format="klog-text",
            processes=[Process(id="1", pid=1, version="v1.28.0", first_line=1, last_line=20)],
            lines=LineCounts(total=20 + unknown, understood=15, irrelevant=5, unknown=unknown),
            verbosity=case.get("verbosity"),
        ),
        kubernetes=Kubernetes(
            version="1.28.0",
            candidates=["1.28.0"],
            evidence="line 2: the scheduler names its version",
            gates={"SchedulerQueueingHints": Gate(value=True, evidence="default of the release")},
        ),
        parkings=parkings,
        findings=findings,
        clock=clock,
    )
