"""`klogreplay rules`: the list of rules."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rules")(rules)


def rules() -> None:
    """List all rules."""
    from klogreplay.cli.output import write
    from klogreplay.rules.registry import RULES

    width = max(len(rule.name) for rule in RULES)
    write("".join(f"{rule.code}  {rule.name:<{width}}  {rule.title()}\n" for rule in RULES))
