"""`klogreplay events`: what the lines of a log say about the queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("events")(events)


def events(
    log: Annotated[str, typer.Argument(help="A log file or directory; - is standard input.", metavar="LOG")],
    year: Annotated[
        int | None, typer.Option(help="The year the log begins in; klog prints none.", min=1970, max=8999)
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Read compressed logs however large they grow.")
    ] = False,
) -> None:
    """Print what a log tells of the queue as JSON lines."""
    from klogreplay.cli.exits import not_read
    from klogreplay.cli.output import write_chunks
    from klogreplay.cli.reading import Reading, limits
    from klogreplay.cli.run import check_scheduler
    from klogreplay.events.jsonlines import json_line
    from klogreplay.intake import IntakeError

    def lines(reading: Reading) -> Iterator[str]:
        for event in reading.events():
            yield json_line(event, reading.clock.text(event.t) if event.site else None) + "\n"

    try:
        with Reading([log], year, limits=limits(no_limits)) as reading:
            write_chunks(lines(reading))
            reading.note_inputs()
    except IntakeError as error:
        raise not_read(error) from error
    check_scheduler(reading)
