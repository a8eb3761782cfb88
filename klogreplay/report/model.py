"""The report as other programs read it: pydantic models of the schema "klogreplay.analysis/v1"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, WrapSerializer, WrapValidator

SCHEMA = "klogreplay.analysis/v1"

Verdict = Literal["right", "wrong", "undecided"]
Grade = Literal["proven", "likely", "suspected", "undecided"]
Evidence = Literal["observed", "derived", "assumed", "unknown"]


class Model(BaseModel):
    """Base of all report models: no unknown fields, and field order is output order."""

    model_config = ConfigDict(extra="forbid")


class Tool(Model):
    """This program."""

    name: str = "klogreplay"
    version: str


class Input(Model):
    """One input: its name as given (never an absolute path added), size and SHA-256 of the bytes read.

    `form`: what the log is wrapped in, such as "cri" or "docker-json in journald-json"; "plain" for a log as it is.
    """

    name: str
    bytes: int
    lines: int
    sha256: str
    form: str = "plain"


class LineCounts(Model):
    """Physical lines by what became of them; understood + irrelevant + unknown = total."""

    total: int
    understood: int
    irrelevant: int
    unknown: int


class Gap(Model):
    """One of the longest silences of a log: `seconds` from the record at `line` to the next, at `next_line`.

    Nothing was printed in it, or lines are missing: the log alone cannot tell.
    """

    seconds: float
    line: int
    next_line: int
    input: int = Field(default=0, description="Where the line before it is; left out where there is a single input.")
    next_input: int = Field(
        default=0, description="Where the line after it is; left out where there is a single input."
    )


class Process(Model):
    """One scheduler process seen: from its first to its last line.

    `standby`: it waited for the lease until its end and scheduled nothing; `lease_holder` held it, where it says so.
    """

    id: str
    pid: int | None
    version: str | None
    standby: bool = False
    lease_holder: str | None = None
    first_line: int
    last_line: int
    first_input: int = Field(default=0, description="Where its first line is; left out where there is a single input.")
    last_input: int = Field(default=0, description="Where its last line is; left out where there is a single input.")


class Log(Model):
    """What the log is. `verbosity` is the highest -v that the lines seen prove, None where none does.

    `gaps` are the longest silences of each log, those of ten seconds or more.
    """

    format: str
    processes: list[Process]
    lines: LineCounts
    verbosity: int | None
    gaps: list[Gap] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class Gate(Model):
    """A feature gate's value, and where that is known from."""

    value: bool | None
    evidence: str


class Kubernetes(Model):
    """The release: `version` only where a single known one is left. `evidence` says how it is known.

    `named` is the release that the log or the user names where that is not a known one; `candidates` speak for it.
    """

    version: str | None
    candidates: list[str]
    gates: dict[str, Gate]
    evidence: str | None = None
    named: str | None = None


class Valued(Model):
    """A value with its evidence."""

    value: Any
    evidence: Evidence


class ConcurrentEventOut(Model):
    """An event received while the pod was in flight."""

    event: str
    object: str | None
    line: int | None
    time: str | None
    evidence: Evidence
    effect: Literal["queue", "skip", "unknown"]
    input: int = Field(default=0, description="Index into `inputs`; left out where there is a single input.")


class WakeUpOut(Model):
    """What took the pod out of the pool."""

    event: str
    line: int
    time: str | None
    input: int = Field(default=0, description="Index into `inputs`; left out where there is a single input.")


class CauseOut(Model):
    """An upstream fix whose absence explains the parking."""

    code: str
    grade: Grade


class ParkingOut(Model):
    """A failed attempt handed back into the unschedulable pool (or whose destination cannot be told)."""

    pod: str
    process: str
    destination: Valued
    time: str | None
    line: int
    attempt: int
    cycle: int | None
    error: str
    rejector_plugins: Valued
    stale_plugins: list[str]
    concurrent_events: list[ConcurrentEventOut]
    verdict: Verdict
    grade: Grade
    causes: list[str]
    expected_queue: str | None
    wake_up: WakeUpOut | None
    parked_seconds: float | None
    lost_seconds: float | None
    needs: list[str]
    input: int = Field(default=0, description="Index into `inputs`; left out where there is a single input.")


class MadeWhenAsked(Sequence[ParkingOut]):
    """Parkings that are not all held at once (`klogreplay.report.rows`)."""


def _as_they_are(given: object, validate: Callable[[object], Sequence[ParkingOut]]) -> Sequence[ParkingOut]:
    return given if isinstance(given, MadeWhenAsked) else validate(given)


def _one_by_one(parkings: Sequence[ParkingOut], dump: Callable[[list[ParkingOut]], object]) -> object:
    return dump(list(parkings))


class ProofLine(Model):
    """A log line, untouched, and what it says."""

    line: int
    text: str
    says: str
    input: int = Field(default=0, description="Index into `inputs`; left out where there is a single input.")


class Upstream(Model):
    """An upstream change and the releases that have the fix."""

    ref: str
    title: str
    fixed_in: list[str]


class FindingOut(Model):
    """One finding of one rule."""

    code: str
    name: str
    pod: str | None
    parking: int | None
    grade: Grade
    summary: str
    proof: list[ProofLine]
    upstream: list[Upstream]


class AttemptOut(Model):
    """A failed attempt of a pod that was asked for.

    `destination` is the queue's part that the pod went to; `wake_up` the event that moved it next, None where the log
    does not show one; `waited_seconds` runs to the next attempt or the binding. `verdict` is that on the parking.
    """

    attempt: int
    time: str
    line: int
    is_error: bool
    reasons: list[str]
    rejector_plugins: list[str] | None
    destination: Valued
    wake_up: str | None
    waited_seconds: float | None
    verdict: str | None
    input: int = Field(default=0, description="Index into `inputs`.")


class PodOut(Model):
    """The answer for a pod that was asked for. `more_attempts` are failed attempts beyond those listed."""

    pod: str
    answer: str
    right: bool = Field(description="Whether the log shows nothing wrong in the queue for this pod.")
    attempts: list[AttemptOut]
    more_attempts: int


class Analysis(Model):
    """The whole report."""

    schema_: str = Field(default=SCHEMA, alias="schema", serialization_alias="schema")
    tool: Tool
    inputs: list[Input]
    log: Log
    kubernetes: Kubernetes
    parkings: Annotated[Sequence[ParkingOut], WrapValidator(_as_they_are), WrapSerializer(_one_by_one)]
    findings: list[FindingOut]
    pods: list[PodOut] = Field(
        default_factory=list, description="Answers for the pods that were asked for; left out where none was."
    )
    plugin_table: str | None = Field(
        default=None,
        description="A table for --plugins, to fill in, with the reasons that no known plugin gives; left out where "
        "there are none.",
    )

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    _not_seen: list[str] = PrivateAttr(default_factory=list)

    @property
    def not_seen(self) -> list[str]:
        """The pods that were asked for and are not in the log; the warnings of `log` name them."""
        return self._not_seen
