"""`klogreplay parse`: the records of a log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

MOST_PLAIN = 10_000
"""So many lines of mere text are kept back until something in the input is a klog record for sure."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("parse")(parse)


def parse(
    log: Annotated[str, typer.Argument(help="A log file or directory; - is standard input.", metavar="LOG")],
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Read compressed logs however large they grow.")
    ] = False,
) -> None:
    """Print a log's klog records as JSON lines."""
    from klogreplay.cli.exits import not_read, unreadable
    from klogreplay.cli.output import write_chunks
    from klogreplay.cli.reading import Reading, limits
    from klogreplay.intake import IntakeError
    from klogreplay.klog.jsonlines import json_line

    def lines(reading: Reading) -> Iterator[str]:
        plain: list[str] = []
        sure = False
        for record in reading.records():
            # Mere text may be a log's formatted lines without headers, or no log at all: the first record decides.
            sure = sure or record.structured or record.header is not None or len(plain) >= MOST_PLAIN
            plain.append(json_line(record) + "\n")
            if sure:
                yield from plain
                plain.clear()

    try:
        with Reading([log], limits=limits(no_limits)) as reading:
            write_chunks(lines(reading))
            reading.note_inputs()
    except IntakeError as error:
        raise not_read(error) from error
    if not reading.counts.records:
        raise unreadable(f"{log}: no klog record in it")
