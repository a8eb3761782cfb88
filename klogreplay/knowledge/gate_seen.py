"""What a log shows of feature gates, and which value follows for each.

In order of weight: the `--feature-gates` flag, "feature gates:" lines, the component config, behaviour seen in the log,
the default of the release.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from klogreplay.knowledge.behaviour import behaviours
from klogreplay.knowledge.gate import STAGE_SWITCHES, gate_by_stage, gate_default
from klogreplay.knowledge.release import releases
from klogreplay.knowledge.site import GateClue

Setting = Literal["flag", "feature-gates-line", "config"]
WEIGHT: tuple[Setting, ...] = ("flag", "feature-gates-line", "config")
MOST = 500
"""No release has as many gates as this; a damaged or hostile log may name any number."""


class GateFinding(msgspec.Struct, frozen=True):
    """A gate's value and how it is known; `value` is None where the possible releases differ."""

    value: bool | None
    evidence: str


class GateEvidence(NamedTuple):
    """How a gate's value is known, and the line that shows it (0 and "" where there is none)."""

    says: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.says} (line {self.line})" if self.line else self.says


class GatesSeen:
    """Collects what the log shows of gates."""

    def __init__(self) -> None:
        self._set: dict[Setting, dict[str, tuple[bool, GateEvidence]]] = {kind: {} for kind in WEIGHT}
        self._behaviour: dict[str, tuple[bool, GateEvidence]] = {}
        self._clues: dict[GateClue, GateEvidence] = {}

    def set(self, kind: Setting, gates: Mapping[str, bool], evidence: GateEvidence) -> None:
        """Gates that were set; the later line wins. What goes beyond `MOST` gates is left out."""
        known = self._set[kind]
        for gate, value in gates.items():
            if gate in known or len(known) < MOST:
                known[gate] = (value, evidence)

    def behaviour(self, gate: str, value: bool, evidence: GateEvidence) -> None:
        """A behaviour that shows a gate's value; the first one is kept."""
        self._behaviour.setdefault(gate, (value, evidence))

    def clue(self, clue: GateClue, evidence: GateEvidence) -> None:
        """A call site that shows a gate's value if the release is one of the clue's."""
        self._clues.setdefault(clue, evidence)

    def result(self, candidates: tuple[str, ...]) -> dict[str, GateFinding]:
        """Every gate that was set or steers the queue of a candidate, by name."""
        names = {gate for kind in WEIGHT for gate in self._set[kind]} | self._behaviour.keys()
        for release in candidates:
            names.update(behaviours(release).gates)
        names -= STAGE_SWITCHES.keys()
        return {gate: self._finding(gate, candidates) for gate in sorted(names)}

    def _finding(self, gate: str, candidates: tuple[str, ...]) -> GateFinding:
        for kind in WEIGHT:
            if gate in self._set[kind]:
                value, evidence = self._set[kind][gate]
                return GateFinding(value, str(evidence))
        seen = self._behaviour.get(gate) or self._by_clue(gate, candidates)
        if seen is not None:
            return GateFinding(seen[0], f"seen: {seen[1]}")
        return self._default(gate, candidates)

    def _by_clue(self, gate: str, candidates: tuple[str, ...]) -> tuple[bool, GateEvidence] | None:
        possible = sum(1 << at for at, release in enumerate(releases()) if release in candidates)
        for clue, evidence in self._clues.items():
            if clue.gate == gate and possible and not possible & ~clue.releases:
                return clue.value, evidence
        return None

    def _default(self, gate: str, candidates: tuple[str, ...]) -> GateFinding:
        values = {self._default_in(gate, release) for release in candidates}
        if len(values) == 1:
            value, switched = values.pop()
            how = f"set by {switched}" if switched else f"default of {_span(candidates)}"
            return GateFinding(value, how if value is not None else f"no such gate in {_span(candidates)}")
        return GateFinding(None, f"the default differs within {_span(candidates)}")

    def _default_in(self, gate: str, release: str) -> tuple[bool | None, str]:
        for kind in WEIGHT:
            switched = gate_by_stage(release, {name: value for name, (value, _) in self._set[kind].items()}, gate)
            if switched is not None:
                return switched
        return gate_default(release, gate), ""


def _span(candidates: tuple[str, ...]) -> str:
    return candidates[0] if len(candidates) == 1 else f"{candidates[0]} to {candidates[-1]}"
