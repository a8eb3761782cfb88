"""The table `hints`: the lines that hint functions print, with the plugin and what the line says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from knowledge_callsites import call_sites

_RECEIVER = re.compile(r"\(\*?(\w+)\)\.(\w+)")
_UNDECIDED = re.compile(r"\b(?:unexpected|failed)\b|^is\w+$", re.IGNORECASE)
_MAY = re.compile(r"\b(?:may|maybe|might|could|potentially)\b", re.IGNORECASE)
_NOT = re.compile(
    r"n't\b|\bnot\b|\b(?:unrelated|irrelevant|QueueSkip)\b|\b(?:keep waiting|ignore the update|skipping queueing)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\b(?:got created|got deallocated|got updated|got an update|changed|matches|immediately|queueing|is schedulable)\b"
)


def build(catalogue: Path) -> list[dict[str, Any]]:
    """One row per message of a hint function: plugin, function, worth, and release -> [file, line, level] places."""
    owners = _owners(catalogue)
    functions = _functions(catalogue)
    rows: dict[tuple[str, str, str], dict[str, list[list[Any]]]] = {}
    for release, site in call_sites(catalogue):
        found = _RECEIVER.match(site["func"])
        if site["group"] != "scheduler" or found is None or found[2] not in functions:
            continue
        plugin = owners.get((_package(site["package"]), found[1]))
        if plugin is None:
            raise ValueError(f"no plugin of {site['package']} {site['func']}")
        places = rows.setdefault((plugin, found[2], site["message"]), {})
        places.setdefault(release, []).append([site["file"], site["line"], site["minLevel"]])
    return [
        {
            "plugin": plugin,
            "function": function,
            "message": message,
            "worth": worth(message),
            "places": {release: sorted(found) for release, found in places.items()},
        }
        for (plugin, function, message), places in sorted(rows.items())
    ]


def worth(message: str) -> bool | None:
    """What the message says: the event may help (True), it does not (False), or neither (None)."""
    if _UNDECIDED.search(message):
        return None
    if _MAY.search(message):
        return True
    if _NOT.search(message):
        return False
    return True if _YES.search(message) else None


def _package(path: str) -> str:
    return path.removeprefix("k8s.io/kubernetes/")


def _owners(catalogue: Path) -> dict[tuple[str, str], str]:
    """(package, receiver type) -> plugin."""
    releases = json.loads((catalogue / "plugins.json").read_text()).values()
    return {
        (facts["package"], kind): name
        for release in releases
        for name, facts in release["plugins"].items()
        for kind in re.split(r"[,\s]+", facts["types"])
    }


def _functions(catalogue: Path) -> set[str]:
    releases = json.loads((catalogue / "plugins.json").read_text()).values()
    return {
        event["hintFn"]
        for release in releases
        for facts in release["plugins"].values()
        for event in facts["events"] or ()
        if event.get("hintFn")
    }
