"""How far a long read is, on stderr, where that is a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from klogreplay.cli.output import is_terminal
from klogreplay.intake import Source

if TYPE_CHECKING:
    from rich.live import Live

AFTER_S = 0.5
"""What takes no longer needs no progress: a line that comes and goes at once only flickers."""
_EVERY_S = 4


@contextmanager
def shown(source: Source) -> Iterator[None]:
    """While it lasts, from half a second on, a line on stderr counts the lines read; nothing on what is no terminal."""
    if not is_terminal(2):
        yield
        return
    begun = time.monotonic()
    lives: list[Live] = []

    def start() -> None:
        lives.append(_live(source, begun))
        lives[0].start()

    timer = Timer(AFTER_S, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for live in lives:
            live.stop()


def _live(source: Source, begun: float) -> Live:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def now() -> Text:
        lines = sum(each.lines for each in source.inputs)
        return Text(f"{lines:,} lines read, {time.monotonic() - begun:.0f} s")

    return Live(get_renderable=now, console=Console(stderr=True), transient=True, refresh_per_second=_EVERY_S)
