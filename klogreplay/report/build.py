"""From the replay's parkings and the rules' findings to the report model.

Text is made encodable here (bytes that were not UTF-8 become U+FFFD), and no further: making it harmless for a
terminal or a ticket is each format's business, and JSON keeps the log lines as they stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from klogreplay import __version__
from klogreplay.replay.types import ConcurrentEvent, Parking
from klogreplay.report.model import (
    Analysis,
    ConcurrentEventOut,
    FindingOut,
    Input,
    Kubernetes,
    Log,
    ParkingOut,
    ProofLine,
    Tool,
    Upstream,
    Valued,
    WakeUpOut,
)
from klogreplay.report.sanitize import readable
from klogreplay.rules.types import Finding

Clock = Callable[[int], str]
"""Formats microseconds on the log's own clock."""


def build(
    *,
    inputs: Sequence[Input],
    log: Log,
    kubernetes: Kubernetes,
    parkings: Sequence[Parking],
    findings: Sequence[Finding],
    clock: Clock,
) -> Analysis:
    """Make the report. `findings` index into `parkings`; `clock` formats the log's microseconds."""
    return Analysis(
        tool=Tool(version=__version__),
        inputs=list(inputs),
        log=log,
        kubernetes=kubernetes,
        parkings=[_parking(parking, clock) for parking in parkings],
        findings=[_finding(finding) for finding in findings],
    )


def _parking(parking: Parking, clock: Clock) -> ParkingOut:
    rejectors = parking.rejector_plugins
    wake_up = parking.wake_up
    return ParkingOut(
        pod=readable(parking.pod),
        process=readable(parking.process),
        destination=Valued(value=parking.destination, evidence=parking.destination_evidence),
        time=clock(parking.t) if parking.timed else None,
        line=parking.line,
        attempt=parking.attempt,
        cycle=parking.cycle,
        error=readable(parking.error),
        rejector_plugins=Valued(
            value=None if rejectors is None else _names(rejectors), evidence=parking.rejector_evidence
        ),
        stale_plugins=_names(parking.stale_plugins),
        concurrent_events=[_concurrent(event, clock) for event in parking.concurrent_events],
        verdict=parking.verdict,
        grade=parking.grade,
        causes=[cause.code for cause in parking.causes],
        expected_queue=parking.expected_queue,
        wake_up=None
        if wake_up is None
        else WakeUpOut(
            event=readable(wake_up.event),
            line=wake_up.line,
            time=clock(wake_up.t) if parking.timed else None,
            input=wake_up.source,
        ),
        parked_seconds=_seconds(parking.parked_us),
        lost_seconds=_seconds(parking.lost_us),
        needs=[readable(need) for need in parking.needs],
        input=parking.source,
    )


def _concurrent(event: ConcurrentEvent, clock: Clock) -> ConcurrentEventOut:
    return ConcurrentEventOut(
        event=readable(event.event),
        object=None if event.object is None else readable(event.object),
        line=event.line,
        time=None if event.t is None else clock(event.t),
        evidence=event.evidence,
        effect=event.effect,
        input=event.source,
    )


def _finding(finding: Finding) -> FindingOut:
    return FindingOut(
        code=finding.code,
        name=finding.name,
        pod=None if finding.pod is None else readable(finding.pod),
        parking=finding.parking,
        grade=finding.grade,
        summary=readable(finding.summary),
        proof=[
            ProofLine(line=cited.line, text=readable(cited.text), says=readable(cited.says), input=cited.source)
            for cited in finding.proof
        ],
        upstream=[
            Upstream(ref=change.ref, title=change.title, fixed_in=list(change.fixed_in)) for change in finding.upstream
        ],
    )


def _names(names: Sequence[str]) -> list[str]:
    return sorted(readable(name) for name in names)


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1_000_000
