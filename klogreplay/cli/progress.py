"""How far a long read is, on stderr, where that is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from klogreplay.cli.output import is_terminal
from klogreplay.intake import LogLine, Source

_EVERY = 1 << 15


def watched(source: Source) -> Iterable[LogLine]:
    """The lines of a source; with a count on stderr while they are read, where someone can see it."""
    return _shown(source) if is_terminal(2) else source


def _shown(source: Source) -> Iterator[LogLine]:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} lines read", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        for number, line in enumerate(source):
            if not number % _EVERY:
                progress.update(task, completed=number)
            yield line
