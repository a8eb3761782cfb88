"""`klogreplay analyze`: the report."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from klogreplay.cli.exits import CLEAN, FINDINGS

if TYPE_CHECKING:
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
        str | None, typer.Option(help="The scheduler's release, if the log does not tell.", metavar="VERSION")
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
    jobs: Annotated[
        int | None,
        typer.Option(help="Report on each log by itself, so many of them at once.", min=1, max=256, metavar="N"),
    ] = None,
) -> int:
    """Report which pods were wrongly parked, and why.

    Replays the logs of a kube-scheduler through a model of its queue. Several logs are read one after the other, as
    one scheduler's; with --jobs there is a report for each, in the order given.
    """
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
    )
    out.check_target(output, logs)
    rendering = Options(
        colour=output is None and out.wants_colour(),
        width=out.DEFAULT_WIDTH if output is not None else out.width(),
        details=bool(pods),
    )
    task = each.Task(request, format.value, rendering, fail_on)
    codes: list[int] = []
    out.write_chunks(each.reports(task, jobs, codes), output)
    return max(codes)


def exit_code(analysis: Analysis, fail_on: FailOn) -> int:
    """FINDINGS where the report holds what `fail_on` counts, else CLEAN. Observations never count."""
    from klogreplay.report.digest import is_observation

    if fail_on is FailOn.never:
        return CLEAN
    verdicts = {parking.verdict for parking in analysis.parkings}
    if "wrong" in verdicts or any(
        finding.grade in ("proven", "likely") and not is_observation(finding) for finding in analysis.findings
    ):
        return FINDINGS
    return FINDINGS if fail_on is FailOn.undecided and "undecided" in verdicts else CLEAN
