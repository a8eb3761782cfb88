"""The table `events`: per main release the labels of cluster events and what they stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

OTHER_POD_UPDATE = "updatePodOther"
"""1.31-1.33: the action of a pod update that changes nothing a plugin can register for."""


def build(catalogue: Path) -> dict[str, Any]:
    """Release -> actions (name -> mask), resources, named labels, names of the queue's own moves, and short names."""
    events = json.loads((catalogue / "events.json").read_text())
    return {release: _release(facts) for release, facts in events.items() if not release.startswith("_")}


def _release(facts: dict[str, Any]) -> dict[str, Any]:
    actions: dict[str, int] = facts["actionTypeValues"]
    other = facts["labelsForOtherResources"]
    printed = other.get("action strings")
    labels: dict[str, list[Any]] = {}
    for event in facts["namedEvents"].values():
        known = labels.get(event["label"])
        # 1.31 names two events AssignedPodUpdate; the informer handlers deliver the narrow one.
        if known is None or event["actionTypeValue"] < known[1]:
            labels[event["label"]] = [event["resource"], event["actionTypeValue"]]
    if printed is not None and OTHER_POD_UPDATE in actions:
        # The general Update is a name only here; what is delivered under that label is the narrow action.
        for resource in other["pod resource strings"].values():
            labels[resource + printed[OTHER_POD_UPDATE]] = [resource, actions[OTHER_POD_UPDATE]]
    moves = sorted(set(facts["plainEventNames"].values()) - set(labels))
    return {
        "actions": actions,
        "resources": sorted(set(facts["resources"].values())),
        "labels": labels,
        "moves": moves,
        "printedActions": None if printed is None else sorted({text for text in printed.values() if text in actions}),
        "shortNames": {short: resource for resource, short in other.get("short names", {}).items()},
    }
