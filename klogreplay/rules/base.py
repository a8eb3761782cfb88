"""The frame of a rule: what it is given, what it must offer, and how its documentation is read.

A rule is one class in one file. Its docstring is its documentation (`klogreplay explain CODE`, docs/rules/), its
`check` turns the evidence of a `Case` into findings; it does nothing else.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from klogreplay.replay.parkings import ParkingStore, stored
from klogreplay.replay.types import Cited, Grade, Parking
from klogreplay.rules.sensors.base import NOTHING_SENSED, Sensed
from klogreplay.rules.types import Finding, UpstreamRef

SECTIONS = (
    "What it is",
    "Why it happens",
    "Which versions",
    "What the log shows",
    "What to do",
    "References",
)
"""The sections of a rule's docstring, in this order; each is a line `## <section>`."""


class UnknownShape(msgspec.Struct, gc=False):
    """One commonest kind of line that nothing of the program knows: the first such line, and how many there are."""

    line: int
    text: str
    count: int
    source: int = 0


class Case(msgspec.Struct, kw_only=True):
    """What rules may look at.

    `parkings` in log order; there may be millions, of which `judged` reads few back. `attempts` counts the scheduling
    attempts seen and `failures` those handed back. `verbosity` is the highest -v that the lines prove, None where none
    does. `release` is the single release left, None where several are; `candidates` are those. `unknown_lines` counts
    lines not understood, `unknown_shapes` gives examples. `claims` is what `klogreplay.claims` found, for the KR3xx
    rules; None where claims were not looked at. `sensed` is what the sensors found (`klogreplay.rules.sensors`).
    """

    parkings: Sequence[Parking]
    attempts: int = 0
    failures: int = 0
    verbosity: int | None = None
    release: str | None = None
    candidates: Sequence[str] = ()
    gates: Mapping[str, bool | None] = {}
    unknown_lines: int = 0
    unknown_shapes: Sequence[UnknownShape] = ()
    claims: Any = None
    sensed: Sensed = NOTHING_SENSED

    def __post_init__(self) -> None:
        self.parkings = stored(self.parkings)

    @property
    def judged(self) -> ParkingStore:
        """The parkings, with the ways to those that a rule is after."""
        return stored(self.parkings)


class Rule(ABC):
    """One rule: a stable code, a name, and a check.

    `observation` marks rules whose findings are worth telling and no defect by themselves; they never count towards
    the exit code. `upstream` are the changes that the rule's findings point to.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    observation: ClassVar[bool] = False
    upstream: ClassVar[tuple[UpstreamRef, ...]] = ()

    @abstractmethod
    def check(self, case: Case) -> Iterator[Finding]:
        """Give the findings of this rule, in log order. Must not raise on any case."""

    @classmethod
    def documentation(cls) -> str:
        """The docstring as Markdown: a title line, then the sections of `SECTIONS`."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def title(cls) -> str:
        """The first line of the documentation."""
        return cls.documentation().partition("\n")[0]

    def finding(
        self,
        *,
        pod: str | None,
        grade: Grade | None,
        summary: str,
        proof: Sequence[Cited] = (),
        parking: int | None = None,
        upstream: tuple[UpstreamRef, ...] | None = None,
    ) -> Finding:
        """Make a finding of this rule. `grade` None stands for "undecided"; `upstream` None for the rule's own."""
        return Finding(
            code=self.code,
            name=self.name,
            pod=pod,
            parking=parking,
            grade=grade or "undecided",
            summary=summary,
            proof=list(proof),
            upstream=self.upstream if upstream is None else upstream,
            observation=self.observation,
        )


def caused_by(case: Case, cause: str) -> Iterator[tuple[int, Parking, Grade]]:
    """The wrong parkings that lack the upstream fix `cause`, with their index and the grade of that cause."""
    for index, parking in case.judged.select(lambda each: each.verdict == "wrong"):
        for each in parking.causes:
            if each.code == cause:
                yield index, parking, each.grade
                break
