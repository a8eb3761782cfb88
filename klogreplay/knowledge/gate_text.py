"""Feature gates as flags and configurations write them."""

from __future__ import annotations

import re

_GATE = re.compile(r"(?:[A-Za-z0-9_.-]*:)?([A-Z][A-Za-z0-9]*)=(true|false|t|f|1|0)", re.IGNORECASE | re.ASCII)
_CONFIG_HEAD = re.compile(r"([ \t]*)featureGates:[ \t]*", re.ASCII)
_CONFIG_GATE = re.compile(r"([ \t]+)\"?([A-Z][A-Za-z0-9]*)\"?:[ \t]*(true|false)[ \t]*", re.ASCII)
MOST = 1000
"""No more gates than this are taken from one text."""


def gates_of_flag(value: str) -> dict[str, bool]:
    """ "A=true,B=false" or, from 1.31 on, ":A=true,kube:B=false", as `--feature-gates` is printed."""
    found: dict[str, bool] = {}
    for part in value.strip().strip('"').split(",", MOST)[:MOST]:
        gate = _GATE.fullmatch(part.strip())
        if gate is not None:
            found[gate[1]] = gate[2].lower() in {"true", "t", "1"}
    return found


def gates_of_config(text: str) -> dict[str, bool]:
    """The entries under a `featureGates:` key of a YAML text, at any depth."""
    found: dict[str, bool] = {}
    indent: int | None = None
    for line in text.split("\n"):
        gate = _CONFIG_GATE.fullmatch(line)
        if indent is not None and gate is not None and len(gate[1]) > indent and len(found) < MOST:
            found[gate[2]] = gate[3] == "true"
            continue
        head = _CONFIG_HEAD.fullmatch(line)
        indent = None if head is None else len(head[1])
    return found
