"""Feature gates: the default of each release."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from klogreplay.knowledge.behaviour import behaviours
from klogreplay.knowledge.release import CACHED, catalogue_of
from klogreplay.knowledge.store import load
from klogreplay.knowledge.types import GateInfo, Stage

HINTS = "SchedulerQueueingHints"
STAGE_SWITCHES: dict[str, Stage] = {"AllAlpha": "Alpha", "AllBeta": "Beta"}
"""Names that are set like gates and stand for all unlocked gates of a stage that are not set themselves."""


class GateRow(msgspec.Struct, frozen=True, array_like=True):
    """A row of the data file `gates`."""

    default: bool
    stage: Stage
    locked: bool


@cache
def _table() -> dict[str, dict[str, GateRow]]:
    return load("gates", dict[str, dict[str, GateRow]])


@lru_cache(maxsize=4 * CACHED)
def gate_info(release: str, gate: str) -> GateInfo | None:
    """The gate in `release`; None where the scheduler of that release knows no such gate.

    The gates that steer the queue are known for each release (the default of some changed between two patch releases,
    for instance SchedulerQueueingHints in 1.28.5, kubernetes#122291); the others are taken from the release that
    `catalogue_of` names.
    """
    row = behaviours(release)
    main, assumed = catalogue_of(release)
    near = _table()[main].get(gate)
    own = row.gates.get(gate)
    if own is None:
        return None if near is None else GateInfo(near.default, near.stage, near.locked, assumed)
    state, _, stage = own.partition("/")
    default = state == "on"
    same = near is not None and (near.default, near.stage) == (default, stage)
    locked = near.locked if near is not None and (same or not assumed) else None
    return msgspec.convert({"default": default, "stage": stage, "locked": locked, "assumed": row.assumed}, GateInfo)


def gate_default(release: str, gate: str) -> bool | None:
    """The gate's default in `release`; None where the scheduler of that release knows no such gate."""
    info = gate_info(release, gate)
    return None if info is None else info.default


def gate_by_stage(release: str, gates: Mapping[str, bool], gate: str) -> tuple[bool, str] | None:
    """What AllAlpha or AllBeta in `gates` make of a gate that is not set itself, and which; None: nothing."""
    info = gate_info(release, gate)
    if info is None or info.locked:
        return None
    return next(
        ((gates[name], name) for name, stage in STAGE_SWITCHES.items() if stage == info.stage and name in gates), None
    )


def gate_value(release: str, gates: Mapping[str, bool], gate: str) -> bool:
    """The gate as set in `gates`, by name or by stage, else its default in `release`; an unknown one is off."""
    value = gates.get(gate)
    if value is None:
        switched = gate_by_stage(release, gates, gate)
        return bool(gate_default(release, gate)) if switched is None else switched[0]
    return value
