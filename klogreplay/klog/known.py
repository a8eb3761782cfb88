"""The scheduler's structured messages with their keys, over all catalogued releases (1.18.2 to 1.36.2)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


@cache
def known_keys() -> dict[str, frozenset[str]]:
    """Message -> the keys its call sites give (without `err`, which Error calls put in front)."""
    data = files("klogreplay.klog").joinpath("data", "known_keys.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, frozenset[str]])


@cache
def blank_keys() -> frozenset[str]:
    """The known keys that hold a blank, such as "unschedulable plugins"."""
    return frozenset(key for keys in known_keys().values() for key in keys if " " in key)
