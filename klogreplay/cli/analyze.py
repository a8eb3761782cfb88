"""`klogreplay analyze`: the report."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from klogreplay.cli.exits import CLEAN, FINDINGS

if TYPE_CHECKING:
    from klogreplay.cli.follow import Follow
    from klogreplay.report.model import Analysis


class Format(StrEnum):
    """The formats of a report (`klogreplay.report.formats.FORMATS`)."""

    text = "text"
    markdown = "markdown"
    json = "json"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    wrong = "wrong"
    undecided = "undecided"
    never = "never"


class Engine(StrEnum):
    """Who reads the lines (`klogreplay.klog.dialects.Engine`)."""

    fast = "fast"
    lark = "lark"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyze")(analyze)


def analyze(
    logs: Annotated[list[str], typer.Argument(help="Log files or directories; - is standard input.", metavar="LOG")],
    format: Annotated[Format, typer.Option("--format", "-f", help="Form of the report.")] = Format.text,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to a file.", metavar="FILE")] = None,
    pod: Annotated[
        list[str] | None, typer.Option("--pod", help="Report on this pod only; repeatable.", metavar="NS/NAME")
    ] = None,
    kubernetes_version: Annotated[
        str | None, typer.Option(help="The scheduler's release; goes before what the log tells.", metavar="VERSION")
    ] = None,
    feature_gate: Annotated[
        list[str] | None, typer.Option(help="A feature gate of the scheduler; repeatable.", metavar="NAME=true|false")
    ] = None,
    objects: Annotated[
        list[str] | None,
        typer.Option(
            help="What kubectl get pods,resourceclaims -A -o json (or yaml) prints, or a directory of such files, for "
            "the rules on claims; repeatable.",
            metavar="FILE",
        ),
    ] = None,
    plugins: Annotated[
        list[str] | None,
        typer.Option(
            help="A table of plugins that are not Kubernetes' own (TOML or YAML; the report prints one to fill in), or "
            "the name of a table that comes with klogreplay; repeatable.",
            metavar="FILE",
        ),
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(
            help="Exit with 1 when a parking is wrong or a finding is proven or likely (wrong), also when a parking "
            "is undecided (undecided), or never."
        ),
    ] = FailOn.wrong,
    year: Annotated[
        int | None, typer.Option(help="The year the log begins in; klog prints none.", min=1970, max=8999)
    ] = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow",
            help="Read on while the log grows (a file, also over a rotation, or a pipe), telling findings as they can "
            "be decided; Ctrl-C prints the report. With --format json each line is one object.",
        ),
    ] = False,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Read compressed logs however large they grow.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(help="Report on each log by itself, so many of them at once.", min=1, max=256, metavar="N"),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(help="Whether the grammar alone reads each line (lark), to compare the two.", hidden=True),
    ] = Engine.fast,
) -> int:
    """Report which pods were wrongly parked, and why.

    Replays the logs of a kube-scheduler through a model of its queue. Several logs are read in the order of their
    times, whatever they are called: rotated files as one log, replicas apart, a record in several of them once. With
    --jobs there is a report for each, in the order given.
    """
    from klogreplay.cli import follow as following
    from klogreplay.cli import jobs as each
    from klogreplay.cli import options
    from klogreplay.cli import output as out
    from klogreplay.cli.run import Request
    from klogreplay.report.formats import Options

    pods = [options.pod(name) for name in pod or []]
    request = Request(
        paths=logs,
        year=year,
        kubernetes_version=options.release(kubernetes_version),
        gates=dict(options.gate(text) for text in feature_gate or []),
        pods=pods,
        objects=objects or (),
        plugins=plugins or (),
        no_limits=no_limits,
        engine=engine.value,
    )
    out.check_target(output, logs)
    rendering = Options(
        colour=output is None and out.wants_colour(),
        width=out.DEFAULT_WIDTH if output is not None else out.width(),
        details=bool(pods),
    )
    if follow:
        return _followed(following.Follow(request, format.value, rendering, output), fail_on, jobs)
    task = each.Task(request, format.value, rendering, fail_on)
    codes: list[int] = []
    out.write_chunks(each.reports(task, jobs, codes), output)
    return max(codes)


def _followed(task: Follow, fail_on: FailOn, jobs: int | None) -> int:
    """Follow one log. Raises Stop as `analyse` does, and for what cannot be followed."""
    from klogreplay.claims.reading import ObjectsError
    from klogreplay.cli.exits import not_read, usage
    from klogreplay.cli.follow import follow
    from klogreplay.intake import IntakeError

    if len(task.request.paths) != 1 or os.path.isdir(task.request.paths[0]) or jobs is not None:
        raise usage("--follow is for one log: a file or, as -, standard input")
    try:
        return follow(task, lambda analysis: exit_code(analysis, fail_on))
    except (IntakeError, ObjectsError) as error:
        raise not_read(error) from error


def exit_code(analysis: Analysis, fail_on: FailOn) -> int:
    """FINDINGS where the report holds what `fail_on` counts, else CLEAN. Observations never count."""
    from klogreplay.report.digest import is_observation
    from klogreplay.report.rows import counts_of

    if fail_on is FailOn.never:
        return CLEAN
    verdicts = counts_of(analysis.parkings)
    if verdicts["wrong"] or any(
        finding.grade in ("proven", "likely") and not is_observation(finding) for finding in analysis.findings
    ):
        return FINDINGS
    nothing_said = analysis.not_seen or any(finding.code == "KR903" for finding in analysis.findings)
    return FINDINGS if fail_on is FailOn.undecided and (verdicts["undecided"] or nothing_said) else CLEAN
