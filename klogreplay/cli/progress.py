"""How far a long read is, on stderr, where that is a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from klogreplay.cli.output import is_terminal
from klogreplay.intake import Source

_EVERY_S = 4


@contextmanager
def shown(source: Source) -> Iterator[None]:
    """While it lasts, a line on stderr counts the lines read; on no terminal nothing is shown."""
    if not is_terminal(2):
        yield
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    begin = time.monotonic()

    def now() -> Text:
        lines = sum(each.lines for each in source.inputs)
        return Text(f"{lines:,} lines read, {time.monotonic() - begin:.0f} s")

    with Live(get_renderable=now, console=Console(stderr=True), transient=True, refresh_per_second=_EVERY_S):
        yield
