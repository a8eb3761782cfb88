"""What a rule gives: findings."""

from __future__ import annotations

from typing import Literal

import msgspec

from klogreplay.replay.types import Cited, Grade


class UpstreamRef(msgspec.Struct, gc=False):
    """An upstream change: "kubernetes#120334", its title, and the releases that have the fix."""

    ref: str
    title: str
    fixed_in: tuple[str, ...]


class Finding(msgspec.Struct, kw_only=True):
    """One thing a rule has to say. `parking` indexes the analysis' parkings, None for a finding without one.

    `observation` marks what is worth telling and no defect by itself (rescued-by-flush): it never counts towards the
    exit code.
    """

    code: str
    name: str
    pod: str | None
    parking: int | None
    grade: Grade | Literal["undecided"]
    summary: str
    proof: list[Cited]
    upstream: tuple[UpstreamRef, ...]
    observation: bool = False
