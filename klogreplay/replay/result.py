"""What a whole replay gives."""

from __future__ import annotations

import msgspec

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.parkings import ParkingStore


class ProcessInfo(msgspec.Struct):
    """One scheduler process: its id within the analysis, the process id printed, and the span of its lines.

    `source` and `last_source` are the inputs of its first and its last line. `standby`: it waited for the lease until
    its end; `lease_holder` held it, where a line says so.
    """

    id: str
    pid: int | None
    version: str | None
    first_line: int
    last_line: int
    verbosity: int | None = None
    source: int = 0
    last_source: int = 0
    standby: bool = False
    lease_holder: str | None = None


class GateFact(msgspec.Struct):
    """A feature gate's value (None: not to be told) and where it is known from."""

    value: bool | None
    evidence: str


class ReplayResult(msgspec.Struct):
    """The verdicts on one run's inputs, in the order of their hand-back lines.

    `release` is the single release left of the 117 known ones, else None; `candidates` are those left. `attempts`
    counts the scheduling attempts seen, `failures` the failed ones. `verbosity` is the highest -v proven. `watched` are
    all failed attempts of the pods that were to be watched, as they were given out.
    """

    parkings: ParkingStore
    processes: list[ProcessInfo]
    attempts: int
    failures: int
    verbosity: int | None
    release: str | None
    candidates: tuple[str, ...]
    gates: dict[str, GateFact]
    watched: list[Attempt] = msgspec.field(default_factory=list)
    warnings: list[str] = msgspec.field(default_factory=list)
