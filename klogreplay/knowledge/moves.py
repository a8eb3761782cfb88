"""Which function of the queue a "Pod moved …" line comes from (catalogue of call sites, 117 releases).

One message is printed by several functions, and up to 1.31 one of them under a misleading event name, so the line
number decides.
"""

from __future__ import annotations

from functools import cache

from klogreplay.knowledge.store import load


@cache
def _table() -> dict[str, dict[str, str]]:
    return load("moves", dict[str, dict[str, str]])


def site_function(release: str, site: str) -> str | None:
    """The function that prints "Pod moved to an internal scheduling queue" at `site` ("file.go:line"), if one does."""
    return _table().get(release, {}).get(site)
