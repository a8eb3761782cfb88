"""`klogreplay versions`: the releases the model knows, and how their queues behave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from klogreplay.queue.profiles import VersionRow


class Format(StrEnum):
    """How the table is printed."""

    text = "text"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("versions")(versions)


def versions(
    version: Annotated[
        str | None, typer.Argument(help="One release, with the behaviours of its queue.", metavar="[VERSION]")
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="Form of the table.")] = Format.text,
) -> None:
    """List the known releases and how their queues behave."""
    from klogreplay.cli import options
    from klogreplay.cli.exits import usage
    from klogreplay.cli.output import write
    from klogreplay.queue import UnknownRelease
    from klogreplay.queue.profiles import version_table

    try:
        rows = version_table(options.release(version, "VERSION"))
    except UnknownRelease as error:
        raise usage(str(error)) from error
    if format is Format.json:
        write(_as_json(rows))
    else:
        write("".join(f"{line}\n" for line in (_list(rows) if version is None else _one(rows[0]))))


def _as_json(rows: Sequence[VersionRow]) -> str:
    import json

    told = [
        {
            "release": row.release,
            "recorded": row.recorded,
            "gates": dict(row.gates),
            "behaviours": dict(row.behaviours),
            "assumed": sorted(row.assumed),
        }
        for row in rows
    ]
    return json.dumps(told, indent=2) + "\n"


def _list(rows: Sequence[VersionRow]) -> Iterator[str]:
    """One line a release: what changes in its queue against the release before it in the table."""
    before: dict[str, str] = {}
    for row in rows:
        changes = [f"{axis}={name}" for axis, name in row.behaviours.items() if before.get(axis) != name]
        told = f"{len(row.behaviours)} behaviours" if not before else ", ".join(changes) or "as before"
        yield f"{row.release:<16} {'recorded' if row.recorded else 'from its source':<16} {told}"
        before = dict(row.behaviours)
    yield ""
    yield "klogreplay versions VERSION lists all behaviours of one release."


def _one(row: VersionRow) -> Iterator[str]:
    yield f"{row.release}, {'recorded' if row.recorded else 'from its source'}"
    for title, values in (("Feature gates", row.gates), ("Behaviours", row.behaviours)):
        yield ""
        yield title
        width = max((len(name) for name in values), default=0)
        for name, value in values.items():
            told = str(value).lower() if isinstance(value, bool) else value
            yield f"  {name:<{width}}  {told}{' (assumed)' if name in row.assumed else ''}"
