"""The table "moves": which function of the queue prints "Pod moved to an internal scheduling queue" at which line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MESSAGE = "Pod moved to an internal scheduling queue"


def build(catalogue: Path) -> dict[str, dict[str, str]]:
    """Per release: "file.go:line" -> function name without its receiver."""
    table: dict[str, dict[str, str]] = {}

    def take(release: str, record: dict[str, Any]) -> None:
        if record["message"] == MESSAGE:
            function = record["func"].rsplit(").", 1)[-1]
            table.setdefault(release, {})[f"{record['file']}:{record['line']}"] = function

    main = json.loads((catalogue / "callsites.json").read_text())
    for release, records in main["versions"].items():
        for record in records:
            take(release, record)
    more = json.loads((catalogue / "callsites_more.json").read_text())
    for release, indexes in more["versions"].items():
        for index in indexes:
            take(release, more["records"][index])
    return table
