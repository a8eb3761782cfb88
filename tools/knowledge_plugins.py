"""The table `plugins`: per main release what each in-tree plugin registers, and which plugin gives which reason."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PLUGIN_GATES = {
    "SchedulingGates": "PodSchedulingReadiness",
    "DynamicResources": "DynamicResourceAllocation",
    "NodeDeclaredFeatures": "NodeDeclaredFeatures",
    "GangScheduling": "GangScheduling",
    "TopologyPlacementGenerator": "TopologyAwareWorkloadScheduling",
    "PodGroupPodsCount": "TopologyAwareWorkloadScheduling",
}
"""Default plugins that a feature gate adds (applyFeatureGates in pkg/scheduler/apis/config/v1/default_plugins.go)."""

REJECTING_POINTS = frozenset({"PreEnqueue", "PreFilter", "Filter", "Reserve", "Permit"})
"""Only plugins with one of these are registered for events (shouldHaveEnqueueExtensions, runtime/framework.go)."""

ONE_WORD = frozenset({"Insufficient %v"})
"""Reasons whose hole is one word (a resource's name), so that other texts of the same start do not fit."""

WAYS = {"base": "base", "or-ed onto the previous": "or", "replaces": "replace"}


def build(catalogue: Path) -> dict[str, Any]:
    """Release -> plugins, default plugins, reasons, and whether Node registrations are completed automatically."""
    return {release: _release(facts) for release, facts in json.loads((catalogue / "plugins.json").read_text()).items()}


def _release(facts: dict[str, Any]) -> dict[str, Any]:
    newest_api = sorted(facts["defaultPlugins"], key=lambda api: ("beta" not in api, api))[-1]
    return {
        "automaticNodeTaint": facts["automaticEvents"] is not None,
        "plugins": {name: _plugin(plugin) for name, plugin in facts["plugins"].items()},
        # Up to v1beta2 the list names a plugin once per extension point.
        "defaultPlugins": [
            [name, PLUGIN_GATES.get(name)] for name in dict.fromkeys(facts["defaultPlugins"][newest_api]) if name
        ],
        "reasons": _reasons(facts["reasonIndex"]),
    }


def _plugin(plugin: dict[str, Any]) -> dict[str, Any]:
    points = plugin["extensionPoints"]
    return {
        "points": points,
        "rejects": not REJECTING_POINTS.isdisjoint(points),
        "events": [_event(event) for event in plugin["events"]] if plugin["hasEventsToRegister"] else None,
    }


def _event(event: dict[str, Any]) -> dict[str, Any]:
    parts = event.get("actionsConditional") or [{"actions": event["actions"], "combine": "base", "conditions": []}]
    return {
        "resource": event["resource"],
        "conditions": [_condition(text) for text in event.get("conditions", ())],
        "parts": [
            {
                "actions": part["actions"],
                "how": WAYS[part["combine"]],
                "conditions": [_condition(text) for text in part["conditions"]],
            }
            for part in parts
        ],
        "hint": (event.get("hintFn") or "") if event["queueingHintFn"] else None,
    }


def _condition(text: str) -> list[Any]:
    """ "SchedulerQueueingHints: on" -> ["SchedulerQueueingHints", true]."""
    name, _, state = text.rpartition(": ")
    if state not in {"on", "off"}:
        raise ValueError(f"condition of an unknown form: {text}")
    return [name, state == "on"]


def _reasons(index: list[dict[str, Any]]) -> list[list[Any]]:
    """[literal pieces, plugins, whether its hole is one word] of each reason that a plugin can reject a pod with.

    Left out: texts of plain errors, which reject nothing, and those of PostFilter, scoring and signing, which the
    queue does not count among the rejectors.
    """
    found: dict[tuple[str, ...], set[str]] = {}
    words: set[tuple[str, ...]] = set()
    for entry in index:
        if entry["code"] in {"Error", "Wait"} or _of_no_rejector(entry["from"]):
            continue
        pieces = _pieces(entry["regex"])
        if any(pieces):
            found.setdefault(pieces, set()).update(entry["plugins"])
        if entry["text"] in ONE_WORD:
            words.add(pieces)
    return [[list(pieces), sorted(plugins), pieces in words] for pieces, plugins in sorted(found.items())]


def _of_no_rejector(origin: str) -> bool:
    return origin.lower().endswith(("postfilter", "selectvictimsonnode", "preemptionmighthelp", ".signpod"))


def _pieces(regex: str) -> tuple[str, ...]:
    r"""The literal text around the holes (`.*` or a `<placeholder>`) of an anchored expression."""
    body = regex.removeprefix("^").removesuffix("$")
    return tuple(re.sub(r"\\(.)", r"\1", piece) for piece in re.split(r"\.\*|<[^>]*>", body))
