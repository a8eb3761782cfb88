"""The messages that kube-scheduler and the libraries inside it can print, whether or not they make an event.

`data/known_messages.json.gz` is made by tools/known_messages.py from the catalogue of 117 releases (1.18.2 to 1.36.2).
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

import msgspec

from klogreplay.knowledge.pieces import Pieces, fits

_Format = tuple[Pieces, bool]
# utiltrace prints "Trace[id]: ..." through a helper, so the catalogue has its text only as a variable.
_MORE_FORMATS: tuple[_Format, ...] = ((("Trace[", "]: ", ""), False),)
_INDEX = 4
"""How many characters of a format's start its index key has; longer than any start that many formats share."""


class _Table(msgspec.Struct):
    structured: list[tuple[str, bool]]
    printf: list[_Format]


class Known:
    """The table of known messages. `own` throughout: only the scheduler prints the message, no shared library."""

    def __init__(self, table: _Table) -> None:
        self._structured = dict(table.structured)
        self._by_start: dict[str, list[_Format]] = {}
        self._floating: list[_Format] = []
        for pieces, own in (*table.printf, *_MORE_FORMATS):
            if len(pieces[0]) >= _INDEX:
                self._by_start.setdefault(pieces[0][:_INDEX], []).append((pieces, own))
            else:
                self._floating.append((pieces, own))

    def structured(self, message: str) -> bool | None:
        """Whether the structured message is the scheduler's own; None where it is not known."""
        return self._structured.get(message)

    def printf(self, text: str) -> bool | None:
        """Whether the formatted text is the scheduler's own; None where no known format could have made it."""
        text = text.rstrip()
        found = None
        for pieces, own in (*self._by_start.get(text[:_INDEX], ()), *self._floating):
            if fits(pieces, text):
                if not own:
                    return False
                found = True
        return found


@cache
def known() -> Known:
    """The shipped table, read at the first use."""
    data = files("klogreplay.events").joinpath("data", "known_messages.json.gz").read_bytes()
    return Known(msgspec.json.decode(gzip.decompress(data), type=_Table))
