"""The way through all packages: inputs to records to events to verdicts to findings to the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from klogreplay.claims.evidence import ClaimCollector, ClaimEvidence
from klogreplay.claims.reading import read_objects
from klogreplay.cli.exits import unreadable
from klogreplay.cli.plugin_tables import read as read_plugins
from klogreplay.cli.reading import Reading
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake import InputStats
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.result import ReplayResult
from klogreplay.report.build import build
from klogreplay.report.model import Analysis, Gate, Input, Kubernetes, LineCounts, Log, Process
from klogreplay.report.sanitize import readable
from klogreplay.report.unknown_plugins import skeleton_of
from klogreplay.rules.base import Case, UnknownShape
from klogreplay.rules.claims.concurrent_events import name_objects
from klogreplay.rules.registry import run_rules
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.sensors.base import Sensed

EXAMPLES = 5
"""Kinds of lines not understood that are shown."""

NOT_A_SCHEDULER = "no line in it is one that kube-scheduler prints"


class Request(msgspec.Struct, kw_only=True):
    """What to analyse, and what the user knows about it."""

    paths: Sequence[str]
    year: int | None = None
    kubernetes_version: str | None = None
    gates: Mapping[str, bool] = msgspec.field(default_factory=dict)
    pods: Sequence[str] = ()
    objects: Sequence[str] = ()
    plugins: Sequence[str] = ()


def analyse(request: Request) -> Analysis:
    """Analyse and report.

    Raises IntakeError and ObjectsError for what cannot be read, and Stop (unreadable) where the log is no scheduler's
    or a plugin table cannot be read.
    """
    objects = read_objects(request.objects)
    table = read_plugins(request.plugins)
    collector, bank = ClaimCollector(), SensorBank()
    with Reading(request.paths, request.year, progress=True) as reading:
        options = Options(
            kubernetes_version=request.kubernetes_version, gates=request.gates, identified=reading, plugins=table
        )
        missing = set(request.pods)
        result = analyze_events(_fed(reading.events(), collector, bank, missing), options)
    result.warnings += [f"{pod} is not in this log" for pod in sorted(missing)]
    check_scheduler(reading)
    release = result.release or (result.candidates[-1] if result.candidates else None)
    analysis = report(request, reading, result, collector.finish(objects, release), bank.finish())
    analysis.plugin_table = skeleton_of(result.parkings, result.candidates, table)
    return analysis


def _fed(
    events: Iterable[SchedulerEvent], collector: ClaimCollector, bank: SensorBank, missing: set[str]
) -> Iterator[SchedulerEvent]:
    """The events, on their way to the replay; the pods seen are taken out of `missing`."""
    for event in events:
        collector.feed(event)
        bank.feed(event)
        if missing:
            missing.discard(getattr(event, "pod", None) or "")
        yield event


def check_scheduler(reading: Reading) -> None:
    """Refuse what is no scheduler's log. Raises Stop (unreadable)."""
    if not reading.is_schedulers:
        raise unreadable(f"{names(reading.source.inputs)}: {NOT_A_SCHEDULER}")


def names(inputs: Sequence[InputStats]) -> str:
    """The inputs in a message: the first, and how many more."""
    first = inputs[0].name if inputs else "-"
    return first if len(inputs) < 2 else f"{first} and {len(inputs) - 1} more"


def report(request: Request, reading: Reading, result: ReplayResult, claims: ClaimEvidence, sensed: Sensed) -> Analysis:
    """Put the rules to the result and make the report."""
    wanted = frozenset(request.pods)
    if wanted:
        result.parkings = [parking for parking in result.parkings if parking.pod in wanted]
    name_objects(result.parkings, claims)
    totals = reading.line_totals()
    case = Case(
        parkings=result.parkings,
        attempts=result.attempts,
        failures=result.failures,
        verbosity=result.verbosity,
        release=result.release,
        candidates=result.candidates,
        gates={name: gate.value for name, gate in result.gates.items()},
        unknown_lines=totals.unknown,
        unknown_shapes=_examples(reading),
        claims=claims,
        sensed=sensed,
    )
    return build(
        inputs=[
            Input(name=readable(each.name), bytes=each.bytes, lines=each.lines, sha256=each.sha256)
            for each in reading.source.inputs
        ],
        log=Log(
            format=_format(reading),
            processes=[
                Process(
                    id=readable(process.id),
                    pid=process.pid,
                    version=None if process.version is None else readable(process.version),
                    first_line=process.first_line,
                    last_line=process.last_line,
                )
                for process in result.processes
            ],
            lines=LineCounts(
                total=reading.counts.total,
                understood=totals.understood,
                irrelevant=totals.irrelevant,
                unknown=totals.unknown,
            ),
            verbosity=result.verbosity,
            warnings=[readable(text) for text in _warnings(reading, result)],
        ),
        kubernetes=Kubernetes(
            version=None if result.release is None else readable(result.release),
            candidates=list(result.candidates),
            evidence=_release_evidence(request, reading),
            gates={
                readable(name): Gate(value=gate.value, evidence=readable(gate.evidence))
                for name, gate in result.gates.items()
            },
        ),
        parkings=result.parkings,
        findings=[finding for finding in run_rules(case) if not wanted or finding.pod is None or finding.pod in wanted],
        clock=reading.clock.text,
    )


def _release_evidence(request: Request, reading: Reading) -> str | None:
    if request.kubernetes_version is not None:
        return "given on the command line"
    if reading.version_line is not None:
        return f"line {reading.version_line}: the scheduler names its version"
    found = reading.identifier.result()
    if found.vendor:
        return "some lines are printed like that by no known release; these are the closest"
    return f"line {found.evidence[-1].line}: {readable(found.evidence[-1].says)}" if found.evidence else None


def _examples(reading: Reading) -> list[UnknownShape]:
    shapes = [
        UnknownShape(line=odd.line, text=odd.text, count=odd.count, source=odd.source)
        for odd in reading.odd_lines()
        if odd.count
    ]
    shapes += [
        UnknownShape(line=shape.first_line, text=shape.shape, count=shape.count)
        for shape in reading.counts.commonest(EXAMPLES)
    ]
    return sorted(shapes, key=lambda shape: (-shape.count, shape.source, shape.line))[:EXAMPLES]


def _format(reading: Reading) -> str:
    dialects = "+".join(sorted(reading.dialects)) or "none"
    wrappers = sorted({name for each in reading.source.inputs for name in each.wrappers})
    return f"{dialects} in {'+'.join(wrappers)}" if wrappers else dialects


def _warnings(reading: Reading, result: ReplayResult) -> list[str]:
    cut = sum(each.cut for each in reading.source.inputs) + reading.counts.cut
    return [
        *(warning for each in reading.source.inputs for warning in each.warnings),
        *reading.clock.warnings,
        *result.warnings,
        *([f"{cut} lines or records are longer than the limit and were cut"] if cut else []),
    ]
