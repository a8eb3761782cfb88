"""The registry: every message that makes an event, and the reader that makes it.

A family of events is one module, listed here. To add a message, add it to its family's table.
"""

from __future__ import annotations

from itertools import chain

from klogreplay.events import (
    attempts,
    claim_lines,
    dumps,
    handlers,
    hints,
    inflight,
    moves,
    plugins,
    preemption,
    process,
)
from klogreplay.events.reading import PrintfForm, Reader

_FAMILIES = (handlers, attempts, plugins, moves, inflight, hints, preemption, process, claim_lines, dumps)


def _merge() -> dict[str, Reader]:
    merged: dict[str, Reader] = {}
    for family in _FAMILIES:
        twice = merged.keys() & family.STRUCTURED.keys()
        if twice:
            raise ValueError(f"messages with two readers: {sorted(twice)}")
        merged.update(family.STRUCTURED)
    return merged


STRUCTURED: dict[str, Reader] = _merge()
"""Message (without a logger's name in front) to reader."""

PRINTF: tuple[PrintfForm, ...] = tuple(
    chain(attempts.PRINTF, handlers.PRINTF, moves.PRINTF, preemption.PRINTF, process.PRINTF, dumps.PRINTF)
)
"""The formatted messages, mostly those of 1.18-1.20."""
