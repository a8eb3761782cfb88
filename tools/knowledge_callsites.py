"""Reading the call sites of all releases, whichever of the two files they are in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _files(catalogue: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    main = json.loads((catalogue / "callsites.json").read_text())
    more = json.loads((catalogue / "callsites_more.json").read_text())
    return main, more


def call_sites(catalogue: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(release, call site) of every release."""
    main, more = _files(catalogue)
    for release, sites in main["versions"].items():
        for site in sites:
            yield release, site
    for release, indexes in more["versions"].items():
        for index in indexes:
            yield release, more["records"][index]
