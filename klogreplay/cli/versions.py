"""`klogreplay versions`: the releases the model knows, and how their queues behave."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("versions")(versions)


def versions() -> None:
    """List the known releases and how their queues behave."""
    from klogreplay.cli.output import write
    from klogreplay.queue.profiles import version_table

    write(str(version_table()))
