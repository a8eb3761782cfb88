"""The application: every command is one module with a function `register(app)`, listed here."""

from __future__ import annotations

from typing import Annotated

import typer

from klogreplay import __version__
from klogreplay.cli import analyze, claims, events, explain, identify, parse, rules, versions

app = typer.Typer(
    name="klogreplay",
    help="Replay a kube-scheduler's log through a model of the scheduling queue, and say why pods sat in Pending.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog=(
        "Exit codes: 0 nothing found, 1 findings, 2 usage, 3 input unreadable, 70 internal error, 74 cannot write, "
        "130 interrupted, 141 reader went away."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"klogreplay {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


for _command in (analyze, claims, identify, parse, events, explain, rules, versions):
    _command.register(app)
