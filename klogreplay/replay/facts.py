"""Which release and which gates the log is of, for the replay: what was given, what the log says, what is assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from klogreplay import knowledge
from klogreplay.events import types as ev
from klogreplay.knowledge.gate_text import gates_of_config, gates_of_flag
from klogreplay.knowledge.standins import for_named, for_release, for_unfitting
from klogreplay.queue import profile_for
from klogreplay.replay import conflicts
from klogreplay.replay.effects import Effects
from klogreplay.replay.judge import AsBuilt
from klogreplay.replay.result import GateFact

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

HINTS = "SchedulerQueueingHints"


class Identified(Protocol):
    """What identification by call sites offers (klogreplay.knowledge.Identifier)."""

    def candidates(self) -> Sequence[str]:
        """All releases still possible, in release order."""

    @property
    def vendor(self) -> bool:
        """Whether some line is printed like that by no known release."""


class Facts:
    """Collects what the events of one process say of release and gates.

    `built` is shared by all processes that differ in nothing else: the queues made so far, by what they are made of.
    """

    MOST_BUILT = 64
    MOST_GATES = 256
    """Gates that a log may set: many more than an operator sets."""

    def __init__(
        self,
        version: str | None,
        gates: Mapping[str, bool],
        identified: Identified | None,
        table: PluginTable | None,
        built: dict[tuple[str, ...], list[AsBuilt]] | None = None,
    ) -> None:
        self._given_name = version
        self._given_gates = dict(gates)
        self._identified = identified
        self._table = table
        self.logged_version: str | None = None
        self.logged_gates: dict[str, bool] = {}
        self.hints_seen: bool | None = None
        self._built = {} if built is None else built
        self._named: tuple[str | None, tuple[str, ...]] = (None, ())
        self._settled: tuple[tuple[str, ...], list[AsBuilt]] | None = None

    def inherit(self, before: Facts) -> None:
        """Take over what the log said of the process before."""
        self.logged_version, self.logged_gates = before.logged_version, dict(before.logged_gates)
        self.hints_seen, self._settled = before.hints_seen, None

    def observe(self, event: ev.SchedulerEvent) -> bool:
        """Take what an event says; True where it may have changed the release or the gates."""
        changed = self._observe(event)
        if changed:
            self._settled = None
        return changed

    def _observe(self, event: ev.SchedulerEvent) -> bool:
        if isinstance(event, ev.SchedulerStarted):
            if event.version:
                self.logged_version = event.version
            return True
        if isinstance(event, ev.FeatureGatesLogged):
            self._take_gates(event.gates)
            return True
        if isinstance(event, ev.Flag) and event.name == "feature-gates":
            self._take_gates(gates_of_flag(event.value))
            return True
        if isinstance(event, ev.ComponentConfig):
            # What the flags say goes before the configuration.
            self._take_gates({**gates_of_config(event.config), **self.logged_gates})
            return True
        if (
            self.hints_seen is None
            and isinstance(event, ev.Moved)
            and event.event == "ScheduleAttemptFailure"
            and (event.cycle is not None or event.hint is not None)
        ):
            # Only the hand-back with queueing hints prints the cycle (1.28+).
            self.hints_seen = True
            return True
        return False

    def _take_gates(self, gates: Mapping[str, bool]) -> None:
        for name, value in gates.items():
            if name in self.logged_gates or len(self.logged_gates) < self.MOST_GATES:
                self.logged_gates[name] = value

    def candidates(self) -> tuple[str, ...]:
        """The releases the log may be of, in release order."""
        if self._given_name:
            return self._fitting(for_release(self._given_name))
        named = self.logged_version
        if named:
            if self._named[0] != named:
                self._named = named, for_release(named) if knowledge.normalise_release(named) else ()
            if self._named[1]:
                return self._fitting(self._named[1])
        if self._identified is not None:
            found = tuple(self._identified.candidates())
            if found:
                known = for_named(found)
                return for_unfitting(known) if self._identified.vendor else known
        return knowledge.releases()

    def _fitting(self, standins: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the stand-ins that the call sites leave, if they leave any."""
        if len(standins) == 1 or self._identified is None or self._identified.vendor:
            return standins
        left = self._identified.candidates()
        return tuple(release for release in standins if release in left) or standins

    @property
    def single(self) -> str | None:
        """The one release left, or the one named in the log or on the command line, which need not be a known one."""
        if self._given_name:
            return knowledge.normalise_release(self._given_name)
        if self.logged_version and (known := knowledge.normalise_release(self.logged_version)):
            return known
        found = self.candidates()
        return found[0] if len(found) == 1 else None

    def gate(self, release: str, name: str) -> GateFact:
        """A gate's value in `release`, with where it is known from."""
        if name in self._given_gates:
            return GateFact(self._given_gates[name], "given on the command line")
        if name in self.logged_gates:
            return GateFact(self.logged_gates[name], "printed by the scheduler at its start")
        if name == HINTS and self.hints_seen is not None:
            return GateFact(self.hints_seen, "the hand-back lines are those of queueing hints")
        switched = knowledge.gate_by_stage(release, {**self.logged_gates, **self._given_gates}, name)
        if switched is not None:
            return GateFact(switched[0], f"set by {switched[1]}")
        return GateFact(knowledge.gate_default(release, name), f"default of {release}")

    def gates(self) -> dict[str, GateFact]:
        """The gates that matter to the queue, where all releases left agree on them."""
        names = [HINTS, "SchedulerPopFromBackoffQ", "SchedulerAsyncPreemption", "SchedulerAsyncAPICalls"]
        names += sorted(set(self.logged_gates) | set(self._given_gates))
        found: dict[str, GateFact] = {}
        releases = self.candidates()
        for name in dict.fromkeys(names):
            facts = [self.gate(release, name) for release in releases]
            values = {fact.value for fact in facts}
            if values == {None}:
                continue
            if len(values) == 1:
                same = len({fact.evidence for fact in facts}) == 1
                found[name] = facts[0] if same else GateFact(facts[0].value, "default of all releases left")
            else:
                found[name] = GateFact(None, "the releases left differ in its default")
        return found

    def warnings(self) -> list[str]:
        """What is odd about the release and the gates that the log is judged by."""
        releases = self.candidates()
        unfitting = self._identified is not None and self._identified.vendor
        by_sites = () if self._identified is None or unfitting else tuple(self._identified.candidates())
        seen = {} if self.hints_seen is None else {HINTS: self.hints_seen}
        return [
            *conflicts.of_release(self._given_name, self.logged_version, by_sites, releases, unfitting=unfitting),
            *conflicts.of_gates(self._given_gates, self.logged_gates, seen, releases),
        ]

    def as_built(self) -> list[AsBuilt]:
        """The distinct queues that the log may be of."""
        releases = self.candidates()
        if self._settled is not None and self._settled[0] == releases:
            return self._settled[1]
        settings = (*releases, str(sorted(self.logged_gates.items())), str(self.hints_seen))
        self._settled = releases, self._as_built(releases, settings)
        return self._settled[1]

    def _as_built(self, releases: tuple[str, ...], settings: tuple[str, ...]) -> list[AsBuilt]:
        known = self._built.get(settings)
        if known is not None:
            return known
        built: list[AsBuilt] = []
        seen: set[object] = set()
        for release in reversed(releases):
            values = {
                name: fact.value for name in self._names() if (fact := self.gate(release, name)).value is not None
            }
            gates = {name: bool(value) for name, value in values.items()}
            profile = profile_for(release, gates)
            key = (tuple(sorted(profile.behaviours.items())), knowledge.catalogue_of(release)[0], gates.get(HINTS))
            if key in seen:
                continue
            seen.add(key)
            built.append(AsBuilt(release, profile, Effects(release, gates, self._table), bool(gates.get(HINTS))))
        if len(self._built) >= self.MOST_BUILT:
            self._built.clear()
        self._built[settings] = built
        return built

    def _names(self) -> list[str]:
        names = [HINTS, "SchedulerPopFromBackoffQ"]
        return list(dict.fromkeys([*names, *self.logged_gates, *self._given_gates]))


def releases_told(processes: Sequence[Facts]) -> tuple[str | None, tuple[str, ...], dict[str, GateFact]]:
    """The single release of all processes, those that one of them may be of, and the gates on which all agree."""
    if len(processes) == 1:
        return processes[0].single, processes[0].candidates(), processes[0].gates()
    singles = {facts.single for facts in processes}
    possible = {release for facts in processes for release in facts.candidates()}
    gates = [facts.gates() for facts in processes]
    agreed = {name: gate for name, gate in gates[0].items() if all(name in others for others in gates)}
    for name, gate in agreed.items():
        if any(others[name].value != gate.value for others in gates):
            agreed[name] = GateFact(None, "the processes differ in it")
    candidates = tuple(release for release in knowledge.releases() if release in possible)
    return (singles.pop() if len(singles) == 1 else None), candidates, agreed
