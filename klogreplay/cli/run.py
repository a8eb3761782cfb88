"""The way through all packages: inputs to records to events to verdicts to findings to the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from klogreplay.claims.evidence import ClaimCollector
from klogreplay.claims.reading import Objects, read_objects
from klogreplay.cli.exits import unreadable
from klogreplay.cli.plugin_tables import read as read_plugins
from klogreplay.cli.reading import Reading, limits
from klogreplay.cli.spool import FileSpool
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake import InputStats
from klogreplay.klog.dialects import Engine
from klogreplay.knowledge import plugins_of_reason
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.parkings import ParkingStore
from klogreplay.replay.result import ReplayResult
from klogreplay.report.build import build
from klogreplay.report.model import Analysis, Gap, Gate, Input, Kubernetes, LineCounts, Log, Process
from klogreplay.report.sanitize import readable
from klogreplay.report.unknown_plugins import skeleton_of
from klogreplay.report.waiting import pod_out
from klogreplay.rules.base import Case, UnknownShape
from klogreplay.rules.claims.concurrent_events import name_objects
from klogreplay.rules.registry import run_rules
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.waits.story import tell
from klogreplay.rules.waits.watch import PodWatch

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

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
    no_limits: bool = False
    engine: Engine = "fast"


def analyse(request: Request) -> Analysis:
    """Analyse and report.

    Raises IntakeError and ObjectsError for what cannot be read, and Stop (unreadable) where the log is no scheduler's
    or a plugin table cannot be read.
    """
    objects = read_objects(request.objects)
    table = read_plugins(request.plugins)
    heard = listeners_of(request)
    with Reading(
        request.paths, request.year, progress=True, limits=limits(request.no_limits), engine=request.engine
    ) as reading:
        result = analyze_events(heard.passing(reading.events()), options_of(request, reading, table))
    return report(request, reading, result, heard, Given(objects, table))


def listeners_of(request: Request) -> Listeners:
    """Those that hear the events of such a request."""
    return Listeners(ClaimCollector(), SensorBank(), PodWatch(request.pods), set(request.pods))


def options_of(request: Request, reading: Reading, table: PluginTable | None) -> Options:
    """How to replay what is read for a request; parkings go to a file once there are many."""
    return Options(
        kubernetes_version=request.kubernetes_version,
        gates=request.gates,
        identified=reading,
        origins=reading,
        damage=reading,
        plugins=table,
        watch=frozenset(request.pods),
        parkings=ParkingStore(spool=FileSpool(), only=request.pods),
    )


class Given(msgspec.Struct):
    """What the user gave beside the logs: the objects of the cluster, and a table of plugins."""

    objects: Objects | None
    plugins: PluginTable | None

    def plugins_of(self, releases: Sequence[str], reason: str) -> tuple[str, ...]:
        """The plugins that reject with this reason, by the table or in the newest of these releases."""
        named = () if self.plugins is None else self.plugins.plugins_of_reason(reason)
        return named or (plugins_of_reason(releases[-1], reason) if releases else ())


class Listeners(msgspec.Struct):
    """Those that hear the events on their way to the replay. `missing` are the pods asked for and not seen yet."""

    claims: ClaimCollector
    sensors: SensorBank
    watch: PodWatch
    missing: set[str]

    def passing(self, events: Iterable[SchedulerEvent]) -> Iterator[SchedulerEvent]:
        """The events, unchanged."""
        claims, sensors, watch = self.claims.feed, self.sensors.feed, self.watch.feed
        asked = bool(self.missing)
        for event in events:
            claims(event)
            sensors(event)
            if asked:
                watch(event)
                self.missing.discard(getattr(event, "pod", None) or "")
            yield event


def check_scheduler(reading: Reading) -> None:
    """Refuse what is no scheduler's log. Raises Stop (unreadable)."""
    if not reading.is_schedulers:
        raise unreadable(f"{names(reading.source.inputs)}: {NOT_A_SCHEDULER}")


def names(inputs: Sequence[InputStats]) -> str:
    """The inputs in a message: the first, and how many more."""
    first = inputs[0].name if inputs else "-"
    return first if len(inputs) < 2 else f"{first} and {len(inputs) - 1} more"


def report(request: Request, reading: Reading, result: ReplayResult, heard: Listeners, given: Given) -> Analysis:
    """Put the rules to the result and make the report. Raises Stop (unreadable) where the log is no scheduler's."""
    result.warnings += [f"{pod} is not in this log" for pod in sorted(heard.missing)]
    check_scheduler(reading)
    claims = heard.claims.finish(
        given.objects, result.release or (result.candidates[-1] if result.candidates else None)
    )
    wanted = frozenset(request.pods)
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
        sensed=heard.sensors.finish(),
    )
    findings = [finding for finding in run_rules(case) if not wanted or finding.pod is None or finding.pod in wanted]
    analysis = build(
        inputs=[
            Input(name=readable(each.title), form=each.form, bytes=each.bytes, lines=each.lines, sha256=each.sha256)
            for each in reading.source.inputs
        ],
        log=Log(
            format=_format(reading),
            processes=[
                Process(
                    id=readable(process.id),
                    pid=process.pid,
                    version=None if process.version is None else readable(process.version),
                    standby=process.standby,
                    lease_holder=None if process.lease_holder is None else readable(process.lease_holder),
                    first_line=process.first_line,
                    last_line=process.last_line,
                    first_input=process.source,
                    last_input=process.last_source,
                )
                for process in result.processes
            ],
            lines=LineCounts(
                total=totals.understood + totals.irrelevant + totals.unknown,
                understood=totals.understood,
                irrelevant=totals.irrelevant,
                unknown=totals.unknown,
            ),
            verbosity=result.verbosity,
            gaps=list(_gaps(reading)),
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
        findings=findings,
        clock=reading.clock.text,
    )
    analysis.not_seen.extend(sorted(heard.missing))
    analysis.plugin_table = skeleton_of(result.parkings, result.candidates, given.plugins)
    end_t = 0 if heard.watch.end is None else heard.watch.end.t
    plugins_of = partial(given.plugins_of, result.candidates)
    for life in heard.watch.lives.values():
        told = tell(life, result.watched, result.parkings, findings, end_t, plugins_of)
        analysis.pods.append(pod_out(told, reading.clock.text))
    return analysis


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
    forms = sorted({each.form for each in reading.source.inputs} - {"plain"})
    return f"{dialects} in {' and '.join(forms)}" if forms else dialects


def _gaps(reading: Reading) -> Iterator[Gap]:
    silences = reading.source.silences
    for log in silences.logs:
        for one in silences.of(log):
            yield Gap(
                seconds=one.us / 1_000_000,
                line=one.line,
                next_line=one.next_line,
                input=one.source,
                next_input=one.next_source,
            )


def _warnings(reading: Reading, result: ReplayResult) -> list[str]:
    cut = sum(each.cut for each in reading.source.inputs) + reading.counts.cut
    return [
        *reading.source.warnings,
        *(warning for each in reading.source.inputs for warning in each.warnings),
        *(str(damage) for damage in reading.counts.damage.all()),
        *reading.clock.warnings,
        *result.warnings,
        *([f"{cut} lines or records are longer than the limit and were cut"] if cut else []),
    ]
