"""`klogreplay identify`: which release wrote a log, and with which feature gates."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from klogreplay.knowledge import Identification

SHOWN = 160
"""Characters of a line that the text format shows."""


class Format(StrEnum):
    """What `--format` takes."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("identify")(identify)


def identify(
    log: Annotated[str, typer.Argument(help="A log file or directory; - is standard input.", metavar="LOG")],
    format_: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.TEXT,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Read compressed logs however large they grow.")
    ] = False,
) -> None:
    """Tell which Kubernetes release wrote a log, and with which feature gates."""
    from collections import deque

    from klogreplay.cli.exits import not_read
    from klogreplay.cli.output import write
    from klogreplay.cli.reading import Reading, limits
    from klogreplay.cli.run import check_scheduler
    from klogreplay.intake import IntakeError

    try:
        with Reading([log], limits=limits(no_limits)) as reading:
            deque(reading.events(), maxlen=0)
    except IntakeError as error:
        raise not_read(error) from error
    check_scheduler(reading)
    found = reading.identifier.result()
    write(as_json(found) if format_ is Format.JSON else as_text(found))


def as_json(found: Identification) -> str:
    """The identification as one JSON object, in ASCII."""
    import json

    from klogreplay.report.sanitize import readable

    told = {
        "version": found.version,
        "candidates": found.candidates,
        "range": found.range,
        "nearest": found.nearest,
        "vendor": found.vendor,
        "gates": {
            name: {"value": gate.value, "evidence": readable(gate.evidence)} for name, gate in found.gates.items()
        },
        "evidence": [
            {"line": each.line, "text": readable(each.text), "says": readable(each.says)} for each in found.evidence
        ],
    }
    return json.dumps(told, indent=2) + "\n"


def as_text(found: Identification) -> str:
    """The identification for people."""
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Identification) -> Iterator[str]:
    from klogreplay.report.sanitize import sanitize_terminal

    yield f"Kubernetes {_release(found)}"
    yield from map(sanitize_terminal, found.notes)
    if found.gates:
        yield ""
        yield "Feature gates"
        width = max(len(name) for name in found.gates)
        for name, gate in found.gates.items():
            state = {True: "on", False: "off", None: "?"}[gate.value]
            yield f"  {name:<{width}}  {state:<3}  {sanitize_terminal(gate.evidence)}"
    if found.evidence:
        yield ""
        yield "What narrowed it"
        for each in found.evidence:
            place = f"line {each.line}: " if each.line else ""
            yield f"  {place}{sanitize_terminal(each.says)}"
            yield f"    {sanitize_terminal(each.text[:SHOWN])}"


def _release(found: Identification) -> str:
    if found.version is not None:
        return found.version
    if found.candidates == (found.nearest,):
        return f"{found.nearest} (the closest known)"
    many = ", ".join(found.candidates) if len(found.candidates) <= 8 else " to ".join(found.range or ())
    return f"{many} (closest: {found.nearest})"
