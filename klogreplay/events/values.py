"""Readings of a record's values: what text, JSON and the older Go forms print for one thing becomes one value here.

Every reading raises `OddValueError` where the value cannot be what the message promises;
`klogreplay.events.extract` turns that into "no event".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from klogreplay.klog.values import parse_json

_STRUCT_LABEL = re.compile(r"\bLabel:([^ {}]+)")
_MAX_DIGITS = 18

HINTS = {
    "QueueSkip": "skip",
    "QueueAfterBackoff": "after-backoff",
    "QueueImmediately": "immediately",
    "0": "skip",
    "1": "after-backoff",
    "2": "immediately",
}
"""The `hint` value of a move as printed (a word in 1.28, the queue's own number from 1.29) to its meaning."""

_NODE_CHANGES = {
    4: "UpdateNodeAllocatable",
    8: "UpdateNodeLabel",
    16: "UpdateNodeTaint",
    32: "UpdateNodeCondition",
    64: "UpdateNodeAnnotation",
}
# The other bits of ActionType moved between releases (128 is a pod's labels in 1.32 and a node's features in 1.36), so
# only those of the node changes, the same since 1.22, are told by name.


class OddValueError(ValueError):
    """A value that is missing or of a kind that the message never prints."""


def text(value: Any) -> str:
    """A string as printed; anything else but None as compact JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        raise OddValueError("no value")
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def ref(value: Any) -> str:
    """An object reference: "namespace/name" or "name", from text or from JSON's {"name", "namespace"}."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, Mapping):
        name = value.get("name")
        namespace = value.get("namespace") or ""
        if isinstance(name, str) and name and isinstance(namespace, str):
            return f"{namespace}/{name}" if namespace else name
    raise OddValueError(f"no object reference: {value!r:.80}")


def optional_ref(value: Any) -> str | None:
    """Like `ref`, None where there is none ("", null, a missing key)."""
    return None if value is None or value == "" else ref(value)


def refs(value: Any) -> tuple[str, ...]:
    """A reference or a list of them: JSON lists, klog's "[ns/a b]", or a single name."""
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple(ref(item) for item in value)
    if isinstance(value, str):
        inner = value[1:-1] if value.startswith("[") and value.endswith("]") else value
        return tuple(inner.split())
    return (ref(value),)


def optional_text(value: Any) -> str | None:
    """Like `text`, None for a missing key."""
    return None if value is None else text(value)


def number(value: Any) -> int:
    """A whole number, parsed or still text (klog of 1.27 and before prints numbers bare)."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS:
        return int(value)
    raise OddValueError(f"no number: {value!r:.80}")


def optional_number(value: Any) -> int | None:
    """Like `number`, None for a missing key."""
    return None if value is None else number(value)


def plugin_set(value: Any) -> frozenset[str]:
    """A set of plugin names: {"A":{}} parsed or as text, the older map[A:{} B:{}], a list; null is the empty set."""
    if value is None or value == "null":
        return frozenset()
    if isinstance(value, Mapping):
        return frozenset(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return frozenset(value)
    if isinstance(value, str):
        if value.startswith("map[") and value.endswith("]"):
            return frozenset(member.partition(":")[0] for member in value[4:-1].split())
        if value.startswith("{"):
            try:
                return plugin_set(parse_json(value))
            except ValueError as error:
                raise OddValueError("no plugin set") from error
    raise OddValueError(f"no plugin set: {value!r:.80}")


def label(value: Any) -> str:
    """An event's label.

    A string stands for itself. Of a struct it is the field Label (1.26-1.31), or CustomLabel where that is set, else
    what 1.32 and later compose of Resource and ActionType. A combined or unnamed action reads "Update" there.
    """
    if isinstance(value, str):
        if not value.startswith("{"):
            if not value:
                raise OddValueError("an empty event")
            return value
        found = _STRUCT_LABEL.search(value)
        if found:
            return found.group(1)
        try:
            value = parse_json(value)
        except ValueError as error:
            raise OddValueError("no event") from error
    if not isinstance(value, Mapping):
        raise OddValueError(f"no event: {value!r:.80}")
    for field in ("Label", "CustomLabel"):
        if isinstance(value.get(field), str) and value[field]:
            return str(value[field])
    resource = value.get("Resource")
    if not isinstance(resource, str) or not resource:
        raise OddValueError("an event without a resource")
    action = number(value.get("ActionType"))
    what = {1: "Add", 2: "Delete"}.get(action)
    if what is None:
        what = _NODE_CHANGES.get(action, "Update") if resource == "Node" else "Update"
    return resource + what


def hint(value: Any) -> str | None:
    """What a move line's hint says ("skip", "after-backoff", "immediately"); None for a missing key."""
    if value is None:
        return None
    known = HINTS.get(value if isinstance(value, str) else str(number(value)))
    if known is None:
        raise OddValueError(f"no hint: {value!r:.80}")
    return known


def gates(value: Any) -> dict[str, bool]:
    """Feature gates: JSON's {"A":true}, or Go's &{map[A:true B:false]} in any of its wrappings."""
    if isinstance(value, Mapping):
        return {name: on for name, on in value.items() if isinstance(on, bool)}
    if isinstance(value, str):
        if value.startswith("{") and "map[" not in value:
            try:
                return gates(parse_json(value))
            except ValueError as error:
                raise OddValueError("no feature gates") from error
        pairs = (pair.partition(":") for pair in value.partition("map[")[2].partition("]")[0].split())
        return {name: on == "true" for name, _, on in pairs if on in ("true", "false")}
    raise OddValueError(f"no feature gates: {value!r:.80}")


def boolean(value: Any) -> bool:
    """true or false, parsed or as text."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise OddValueError(f"no boolean: {value!r:.80}")
