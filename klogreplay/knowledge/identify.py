"""Which release wrote a log, by what its lines show, and with which feature gates.

Feed an `Identifier` each distinct shape of line once (call site and message), and the start-up facts where the log has
them; it narrows the possible releases as it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from klogreplay.knowledge.gate_seen import GateEvidence, GateFinding, GatesSeen
from klogreplay.knowledge.gate_text import gates_of_config, gates_of_flag
from klogreplay.knowledge.named_version import NamedVersion, named_version
from klogreplay.knowledge.release import main_releases, nearest_release, release_key, releases
from klogreplay.knowledge.site import describe, every_release, mask_of, names_of, sites, split_site
from klogreplay.knowledge.standins import for_release, neighbours

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

    `version` is set where a start-up line names a known release or a single one is left. `candidates` are the known
    releases that may have written every line; `range` is the first and last of them. Where a start-up line names a
    release that is not known they are those that speak for it, without those that its lines exclude, if any is left.
    `nearest` is the one to reason with where there is no `version`: the nearest to the release named, else one with all
    catalogues if there is one among the candidates, else the newest. `vendor` is True where some line is printed like
    that by no known release, or not by the one that is named (nor by its neighbours, where it is not known); the
    candidates are then those that fit the most lines, or those named. `notes` are sentences on what is odd about the
    versions named and the lines that fit none.
    """

    version: str | None
    candidates: tuple[str, ...]
    range: tuple[str, str] | None
    nearest: str | None
    vendor: bool
    gates: dict[str, GateFinding]
    evidence: tuple[EvidenceLine, ...]
    notes: tuple[str, ...] = ()


class Identifier:
    """Narrows the possible releases of one scheduler process. Costs are per distinct shape, not per line."""

    def __init__(self) -> None:
        self._possible = every_release()
        self._shapes: Counter[int] = Counter()
        self._misplaced = 0
        self._named: dict[NamedVersion, tuple[int, str]] = {}
        self._evidence: list[EvidenceLine] = []
        self._narrowing: list[tuple[int, EvidenceLine]] = []
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
        named = named_version(text)
        if named is not None and len(self._named) < MOST_NAMED:
            self._named.setdefault(named, (line, line_text))

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
        speaking = [name for release in self._releases_named() for name in self._speaking_for(release)]
        if speaking:
            return tuple(sorted(set(speaking), key=release_key))
        return names_of(self._possible or self._best_fit())

    def result(self) -> Identification:
        """What is known by now; more may be observed afterwards."""
        named = self._releases_named()
        candidates = self.candidates()
        misfit = bool(named) and self._fits_none_of(named)
        vendor = self._misplaced > 0 or misfit or not (named or self._possible)
        if named:
            version = named[0] if len(named) == 1 and named[0] in releases() else None
        else:
            version = candidates[0] if len(candidates) == 1 and not vendor else None
        return Identification(
            version=version,
            candidates=candidates,
            range=(candidates[0], candidates[-1]),
            nearest=None if version is not None else _to_reason_with(candidates, named),
            vendor=vendor,
            gates=self._gates.result(candidates),
            evidence=self._told(misfit),
            notes=tuple(self._notes(misfit)),
        )

    def _releases_named(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(named.release for named in self._named))

    def _speaking_for(self, release: str) -> tuple[str, ...]:
        """The known releases that speak for one that is named: those that fit the lines, if there are such."""
        standins = for_release(release)
        return names_of(mask_of(standins) & self._possible) or standins

    def _fits_none_of(self, named: Sequence[str]) -> bool:
        """Whether some line is not one of the releases that the log names."""
        bits = self._bits_of(named)
        return any(not mask & bits for mask in self._shapes)

    @staticmethod
    def _bits_of(named: Sequence[str]) -> int:
        return mask_of(tuple(name for release in named for name in neighbours(release)))

    def _told(self, misfit: bool) -> tuple[EvidenceLine, ...]:
        """The evidence in the order of the lines."""
        told = set(self._evidence)
        for named, (line, text) in self._named.items():
            says = [f"the scheduler names its version: {named.name}", named.build, named.unknown]
            told.add(EvidenceLine(line, text, ", ".join(filter(None, says))))
        if misfit:
            bits = self._bits_of(self._releases_named())
            unlike = f"not by {self._names_told()}, which the log names"
            for each in (item for mask, item in self._narrowing if not mask & bits):
                told.discard(each)
                told.add(EvidenceLine(each.line, each.text, f"{each.says}, {unlike}"))
        return tuple(sorted(told, key=lambda item: (item.line, item.says)))

    def _notes(self, misfit: bool) -> Iterator[str]:
        for named in self._named:
            if named.unknown:
                speaking = self._speaking_for(named.release)
                build = f", {named.build}" if named.build else ""
                speak = f"{' and '.join(speaking)} {'speaks' if len(speaking) == 1 else 'speak'} for it"
                yield f"The log names {named.name}{build}, which is {named.unknown}: {speak}."
            elif named.build:
                yield f"The log names {named.name}, {named.build}."
        if misfit:
            fits = f"they are those of {describe(self._possible)}" if self._possible else "nor those of any known one"
            yield f"Its lines are not those of {self._names_told()}: {fits}."
        if self._misplaced or not (self._named or self._possible):
            yield "Some lines are printed like that by no known release: a vendor's build, or one not in the catalogue."

    def _names_told(self) -> str:
        return " or ".join(self._releases_named())

    def _by_message(self, message: str, line: int, text: str) -> None:
        mask = sites().of_message(message)
        if mask:
            self._narrow(mask, line, text, "printed only by {}")

    def _narrow(self, mask: int, line: int, text: str, says: str) -> None:
        self._shapes[mask] += 1
        left = self._possible & mask
        if left != self._possible and self._tell(line, text, says.format(describe(mask))):
            self._narrowing.append((mask, self._evidence[-1]))
        self._possible = left

    def _tell(self, line: int, text: str, says: str) -> bool:
        if len(self._evidence) >= MOST_EVIDENCE:
            return False
        self._evidence.append(EvidenceLine(line, text, says))
        return True

    def _best_fit(self) -> int:
        """The releases that fit the most shapes."""
        fitting: Counter[int] = Counter()
        for mask, count in self._shapes.items():
            for at in range(len(releases())):
                if mask >> at & 1:
                    fitting[at] += count
        most = max(fitting.values())
        return sum(1 << at for at, count in fitting.items() if count == most)


def _to_reason_with(candidates: tuple[str, ...], named: tuple[str, ...]) -> str:
    """The candidate nearest to the one release named, else the one whose facts are known best."""
    if len(named) == 1:
        return nearest_release(named[0], candidates)
    catalogued = [release for release in candidates if release in main_releases()]
    return (catalogued or candidates)[-1]
