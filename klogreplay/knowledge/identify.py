"""Which release wrote a log, by what its lines show, and with which feature gates.

Feed an `Identifier` each distinct shape of line once (call site and message), and the start-up facts where the log has
them; it narrows the possible releases as it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from klogreplay.knowledge.gate_seen import GateEvidence, GateFinding, GatesSeen
from klogreplay.knowledge.gate_text import gates_of_config, gates_of_flag
from klogreplay.knowledge.release import main_releases, nearest_release, normalise_release, release_key, releases
from klogreplay.knowledge.site import describe, every_release, names_of, sites, split_site

MOST_EVIDENCE = 50
"""No more narrowing lines than this are kept."""
MOST_NAMED = 20
"""No more versions than this are believed to have written one log."""


class SeenBehaviour(msgspec.Struct, frozen=True):
    """A behaviour that a reader of the log saw and that shows a feature gate's value, with the line that shows it."""

    gate: str
    value: bool
    says: str
    line: int = 0
    text: str = ""


class EvidenceLine(msgspec.Struct, frozen=True):
    """A line that narrowed the possible releases, and what it says. `line` is 0 where the number is not known."""

    line: int
    text: str
    says: str


class Identification(msgspec.Struct, frozen=True):
    """Which release wrote the log.

    `version` is set where a start-up line names it or a single known release is left. `candidates` are the known
    releases that may have written every line; `range` is the first and last of them. `nearest` is the one to reason
    with where there is no `version`: one with all catalogues if there is one among the candidates, else the newest.
    `vendor` is True where some line is printed like that by no known release; the candidates are then those that fit
    the most lines.
    """

    version: str | None
    candidates: tuple[str, ...]
    range: tuple[str, str] | None
    nearest: str | None
    vendor: bool
    gates: dict[str, GateFinding]
    evidence: tuple[EvidenceLine, ...]


class Identifier:
    """Narrows the possible releases of one scheduler process. Costs are per distinct shape, not per line."""

    def __init__(self) -> None:
        self._possible = every_release()
        self._shapes: Counter[int] = Counter()
        self._misplaced = 0
        self._named: dict[str, EvidenceLine] = {}
        self._evidence: list[EvidenceLine] = []
        self._gates = GatesSeen()

    def observe(
        self,
        site: str,
        message: str,
        keys: Sequence[str] | None = None,
        structured: bool = True,
        *,
        line: int = 0,
        text: str = "",
    ) -> None:
        """A shape of line seen for the first time: its call site "file.go:line", message, and keys in printed order.

        Without a call site ("") the message alone narrows to the releases that print it anywhere. What the catalogue
        does not know (out-of-tree plugins, other libraries) is passed over.
        """
        place = split_site(site)
        if place is None:
            self._by_message(message, line, text)
            return
        found = sites().find(*place, message, structured)
        if found is None:
            return
        if found.misplaced:
            self._misplaced += 1
            if self._misplaced == 1:
                self._tell(line, text, "no known release prints this message at this place")
            return
        for clue in found.gates:
            self._gates.clue(clue, GateEvidence(f"{site} is reached with this value only", line, text))
        self._narrow(found.releases, line, text, "printed here only by {}")

    def observe_version(self, text: str, *, line: int = 0, line_text: str = "") -> None:
        """The version of "Starting Kubernetes Scheduler", as printed."""
        release = normalise_release(text)
        if release is not None and len(self._named) < MOST_NAMED:
            self._named.setdefault(
                release, EvidenceLine(line, line_text, f"the scheduler names its version: {release}")
            )

    def observe_flag(self, name: str, value: str, *, line: int = 0, text: str = "") -> None:
        """A `FLAG:` line; `name` with or without the leading dashes."""
        if name.lstrip("-") == "feature-gates":
            self._gates.set("flag", gates_of_flag(value), GateEvidence("--feature-gates", line, text))

    def observe_gates(self, gates: Mapping[str, bool], *, line: int = 0, text: str = "") -> None:
        """The gates of a "feature gates:" line."""
        self._gates.set("feature-gates-line", gates, GateEvidence("feature gates line", line, text))

    def observe_config(self, text: str, *, line: int = 0) -> None:
        """The text of "Using component config"."""
        gates = gates_of_config(text)
        if gates:
            self._gates.set("config", gates, GateEvidence("component config", line, ""))

    def observe_behaviour(self, fact: SeenBehaviour) -> None:
        """A behaviour that shows a gate's value."""
        self._gates.behaviour(fact.gate, fact.value, GateEvidence(fact.says, fact.line, fact.text))

    def candidates(self) -> tuple[str, ...]:
        """The releases left by now, in release order; cheap to ask again while nothing new was observed."""
        if self._named:
            return tuple(sorted(self._named, key=release_key))
        return names_of(self._possible or self._best_fit())

    def result(self) -> Identification:
        """What is known by now; more may be observed afterwards."""
        evidence = sorted({*self._evidence, *self._named.values()}, key=lambda item: (item.line, item.says))
        candidates = self.candidates()
        vendor = self._misplaced > 0 or (self._does_not_fit(candidates) if self._named else not self._possible)
        single = len(candidates) == 1 and (bool(self._named) or not vendor)
        version = candidates[0] if single else None
        return Identification(
            version=version,
            candidates=candidates,
            range=(candidates[0], candidates[-1]),
            nearest=None if version is not None else _to_reason_with(candidates),
            vendor=vendor,
            gates=self._gates.result(candidates),
            evidence=tuple(evidence),
        )

    def _by_message(self, message: str, line: int, text: str) -> None:
        mask = sites().of_message(message)
        if mask:
            self._narrow(mask, line, text, "printed only by {}")

    def _narrow(self, mask: int, line: int, text: str, says: str) -> None:
        self._shapes[mask] += 1
        left = self._possible & mask
        if left != self._possible:
            self._tell(line, text, says.format(describe(mask)))
        self._possible = left

    def _tell(self, line: int, text: str, says: str) -> None:
        if len(self._evidence) < MOST_EVIDENCE:
            self._evidence.append(EvidenceLine(line, text, says))

    def _best_fit(self) -> int:
        """The releases that fit the most shapes."""
        fitting: Counter[int] = Counter()
        for mask, count in self._shapes.items():
            for at in range(len(releases())):
                if mask >> at & 1:
                    fitting[at] += count
        most = max(fitting.values())
        return sum(1 << at for at, count in fitting.items() if count == most)

    def _does_not_fit(self, named: tuple[str, ...]) -> bool:
        """Whether the lines are not those of the one known release that the log names."""
        if len(named) != 1 or named[0] not in releases():
            return False
        bit = 1 << releases().index(named[0])
        return any(not mask & bit for mask in self._shapes)


def _to_reason_with(candidates: tuple[str, ...]) -> str:
    """The candidate whose facts are known best."""
    catalogued = [release for release in candidates if release in main_releases()]
    return nearest_release((catalogued or candidates)[-1])
