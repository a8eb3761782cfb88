"""`klogreplay explain CODE`: a rule's documentation."""

from __future__ import annotations

from typing import Annotated

import typer

from klogreplay.cli.exits import usage


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)


def explain(
    code: Annotated[str, typer.Argument(help="A rule's code or name, such as KR101 or stale-plugins.", metavar="CODE")],
) -> None:
    """Explain a rule: what it means and what to do."""
    from klogreplay.cli.output import write
    from klogreplay.rules.docs import as_text
    from klogreplay.rules.registry import find_rule

    rule = find_rule(code)
    if rule is None:
        raise usage(f"there is no rule {code}; klogreplay rules lists them")
    write(as_text(rule))
