"""The lines that hint functions print."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from klogreplay.knowledge.release import nearest_release
from klogreplay.knowledge.store import load
from klogreplay.knowledge.types import HintMessage


class HintRow(msgspec.Struct, frozen=True):
    """A row of the data file `hints`; `places` maps a release to file, line and level of each call."""

    plugin: str
    function: str
    message: str
    worth: bool | None
    places: dict[str, tuple[tuple[str, int, int], ...]]


@cache
def _table() -> tuple[HintRow, ...]:
    return load("hints", tuple[HintRow, ...])


@lru_cache(maxsize=64)
def hint_lines(release: str) -> tuple[HintMessage, ...]:
    """The messages that the hint functions of in-tree plugins print in `release` (or the nearest known one).

    Several plugins can share a message ("node was created or updated, …"); the file tells them apart.
    """
    known = nearest_release(release)
    return tuple(
        HintMessage(row.plugin, row.function, row.message, file, line, level, row.worth)
        for row in _table()
        for file, line, level in row.places.get(known, ())
    )


@cache
def hint_messages() -> dict[str, dict[str, HintMessage]]:
    """Message -> file -> the hint line, over all releases; `line` and `level` are those of the newest one."""
    found: dict[str, dict[str, HintMessage]] = {}
    for row in _table():
        for places in row.places.values():
            for file, line, level in places:
                hint = HintMessage(row.plugin, row.function, row.message, file, line, level, row.worth)
                found.setdefault(row.message, {})[file] = hint
    return found
