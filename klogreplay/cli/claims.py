"""`klogreplay claims`: the claims of pods, how their names were found, and what the pods wait for."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from klogreplay.cli.exits import CLEAN, FINDINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from klogreplay.claims.evidence import ClaimEvidence
    from klogreplay.claims.reading import Objects
    from klogreplay.claims.rows import ClaimRow
    from klogreplay.rules.base import Case
    from klogreplay.rules.types import Finding

_UNBOUNDED = 100_000
"""Columns where there is no terminal: nothing is folded, so that a line is a row."""
_HEADINGS = ("POD", "ENTRY", "CLAIM", "RESOLVED BY", "OWNER", "WAITS FOR")


class Format(StrEnum):
    """How the table is printed."""

    text = "text"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("claims")(claims)


def claims(
    logs: Annotated[
        list[str] | None, typer.Argument(help="Log files or directories; - is standard input.", metavar="[LOG]...")
    ] = None,
    objects: Annotated[
        list[str] | None,
        typer.Option(
            "--objects",
            help="What kubectl get pods,resourceclaims,resourceclaimtemplates,podschedulingcontexts -A -o json (or "
            "yaml) prints, a single object, or a directory of such files; - is standard input; repeatable.",
            metavar="FILE",
        ),
    ] = None,
    kubernetes_version: Annotated[
        str | None,
        typer.Option(help="The release whose rules count; else that of the log, else the newest.", metavar="VERSION"),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="Form of the table.")] = Format.text,
    year: Annotated[
        int | None, typer.Option(help="The year the log begins in; klog prints none.", min=1970, max=8999)
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Read compressed logs however large they grow.")
    ] = False,
) -> int:
    """Show the resource claims of pods: their names, how each was resolved, and what the pod waits for.

    From objects alone, from a log alone, or from both.
    """
    from klogreplay.claims.reading import ObjectsError, read_objects
    from klogreplay.cli import options
    from klogreplay.cli import output as out
    from klogreplay.cli.exits import not_read, usage
    from klogreplay.intake import IntakeError
    from klogreplay.rules.registry import counts_as_defect

    if not logs and not objects:
        raise usage("nothing to read: want a LOG, --objects FILE, or both")
    if [*(logs or ()), *(objects or ())].count("-") > 1:
        raise usage("standard input can be read only once")
    version = options.release(kubernetes_version)
    try:
        found = read_objects(objects or ())
        case, evidence = look_at(logs or (), found, version, year, no_limits=no_limits)
    except (ObjectsError, IntakeError) as error:
        raise not_read(error) from error
    findings = _findings(case)
    if format is Format.json:
        out.write(_as_json(evidence.rows))
    else:
        release = version or case.release
        out.write(_as_text(evidence.rows, findings, release, out.width() if out.is_terminal(1) else _UNBOUNDED))
    return FINDINGS if any(map(counts_as_defect, findings)) else CLEAN


def look_at(
    logs: Sequence[str], objects: Objects, version: str | None, year: int | None, *, no_limits: bool
) -> tuple[Case, ClaimEvidence]:
    """The claims of logs and objects, with what the rules look at. Raises IntakeError and Stop as `Reading` does."""
    from klogreplay.claims.evidence import ClaimCollector
    from klogreplay.cli.reading import Reading, limits
    from klogreplay.cli.run import check_scheduler
    from klogreplay.cli.spool import FileSpool
    from klogreplay.replay.analyze import Options, Replay
    from klogreplay.replay.parkings import ParkingStore
    from klogreplay.rules.base import Case
    from klogreplay.rules.claims.concurrent_events import name_objects

    collector = ClaimCollector()
    if not logs:
        evidence = collector.finish(objects, version)
        return Case(parkings=(), release=version, claims=evidence), evidence
    with Reading(logs, year, progress=True, limits=limits(no_limits)) as reading:
        parkings = ParkingStore(spool=FileSpool())
        options = Options(
            kubernetes_version=version, identified=reading, origins=reading, damage=reading, parkings=parkings
        )
        replay = Replay(options)
        for event in reading.events():
            replay.feed(event)
            collector.feed(event)
        result = replay.finish()
    check_scheduler(reading)
    candidates = tuple(result.candidates)
    evidence = collector.finish(objects, version or result.release or (candidates[-1] if candidates else None))
    name_objects(result.parkings, evidence)
    case = Case(
        parkings=result.parkings,
        attempts=result.attempts,
        failures=result.failures,
        verbosity=result.verbosity,
        release=result.release,
        candidates=candidates,
        gates={name: gate.value for name, gate in result.gates.items()},
        claims=evidence,
    )
    return case, evidence


def _findings(case: Case) -> list[Finding]:
    from klogreplay.rules.registry import RULES, run_rules

    return run_rules(case, [rule for rule in RULES if rule.code.startswith("KR3")])


def _as_json(rows: Sequence[ClaimRow]) -> str:
    """ASCII-only JSON, like that of the report: no control or bidi character survives raw."""
    import json

    from klogreplay.report.sanitize import readable

    plain = [
        {name: readable(value) if isinstance(value, str) else value for name, value in row.to_json().items()}
        for row in rows
    ]
    return json.dumps(plain, ensure_ascii=True, indent=2) + "\n"


def _as_text(rows: Sequence[ClaimRow], findings: Sequence[Finding], release: str | None, width: int) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from klogreplay.report.sanitize import sanitize_terminal

    page = StringIO()
    console = Console(file=page, width=width, color_system=None, highlight=False, emoji=False, markup=False)
    if rows:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=None)
        for heading in _HEADINGS:
            table.add_column(heading, overflow="fold")
        for row in rows:
            table.add_row(*(Text(sanitize_terminal(cell)) for cell in _cells(row)))
        console.print(table)
    else:
        console.print(Text("No pod here has resource claims."))
    for finding in findings:
        told = f"{finding.code} {finding.name} ({finding.grade}): {finding.summary}"
        console.print()
        console.print(Text(sanitize_terminal(told)))
        for cited in finding.proof:
            console.print(Text(sanitize_terminal(f"  line {cited.line}: {cited.says}")))
    as_in = f"Kubernetes {release}" if release is not None else "the newest Kubernetes (--kubernetes-version)"
    console.print()
    console.print(Text(sanitize_terminal(f"Names as in {as_in}.")))
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


def _cells(row: ClaimRow) -> tuple[str, ...]:
    unnamed = "unknown" if row.state == "named" else row.state.replace("-", " ")
    claim = f"({unnamed})" if row.name is None else row.name or '""'
    return (
        row.pod,
        "-" if row.entry is None else row.entry,
        claim,
        row.resolved_by or "-",
        row.owner if row.must_check_owner and row.name is not None else "-",
        row.wait.text if row.wait is not None else "-",
    )
