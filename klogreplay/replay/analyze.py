"""The whole replay: events of one or more scheduler processes in, parkings with verdicts out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from klogreplay import knowledge
from klogreplay.events import types as ev
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.backoff import QUIET_US
from klogreplay.replay.facts import Facts, Identified, releases_told
from klogreplay.replay.follow import Follower
from klogreplay.replay.holes import Damage
from klogreplay.replay.judge import AsBuilt, clears_at_pop, depends_on_others, judge
from klogreplay.replay.levels import line_name
from klogreplay.replay.parkings import ParkingStore
from klogreplay.replay.present import parking_of
from klogreplay.replay.processes import STARTS, Live, Processes
from klogreplay.replay.rejectors import Rejectors
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.sources import Apart, Origins, apart, apart_in_attempt, joined, split
from klogreplay.replay.types import Parking
from klogreplay.replay.visibility import Visibility

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

HELD_BACK = 5_000
"""So many events are held back before the first is followed, so that the release is known when they are."""

JUDGED_LATE = 2_000
"""So many failed attempts wait for their verdict, so that a log without start-up lines is identified first."""


FACTS = frozenset({ev.SchedulerStarted, ev.FeatureGatesLogged, ev.Flag, ev.ComponentConfig, ev.Moved})
"""The kinds of events that may say something of release or gates."""

TOLD_EACH = frozenset({ev.SchedulerStarted, ev.FeatureGatesLogged, ev.Flag, ev.ComponentConfig})
"""The kinds of events of which each may say something else."""

RARE = STARTS | {ev.LeaderElection, ev.QueueClosed, ev.Terminating}
"""The kinds of events with which a process may begin or end."""

_DECIDED = -2

MOST_TOLD = 4096
"""So many kinds of events are told apart: what a move says depends on its label."""


class Options(msgspec.Struct, kw_only=True):
    """What the user said: the release and gates, if any, and a table of plugins that are not Kubernetes' own.

    `watch` names pods of which every failed attempt is wanted, parked or not. `origins` tells which inputs are one log,
    `damage` where lines may be missing. `parkings` is where the verdicts are put.
    """

    kubernetes_version: str | None = None
    gates: Mapping[str, bool] = msgspec.field(default_factory=dict)
    identified: Identified | None = None
    plugins: PluginTable | None = None
    watch: frozenset[str] = frozenset()
    origins: Origins | None = None
    damage: Damage | None = None
    parkings: ParkingStore | None = None


class Replay:
    """One run over the events of all processes."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._table = options.plugins
        self._watch = options.watch
        self.watched: list[Attempt] = []
        self._built: dict[tuple[str, ...], list[AsBuilt]] = {}
        self._origins = options.origins or Apart(options.identified)
        self._processes = Processes(self._origins, self._new_facts, self._begin, self._close)
        self._current: Live | None = None
        self._early = self._fresh_facts(0)
        self._held: list[ev.SchedulerEvent] | None = []
        self._waiting: list[tuple[Live, Attempt]] = []
        self._facts_told: dict[tuple[str | None, tuple[str, ...]], Facts] = {}
        self.parkings = ParkingStore() if options.parkings is None else options.parkings
        self._warnings: list[str] = []
        self._known = 0
        self._decided: list[Parking] | None = None
        self.attempts = 0
        self.failures = 0

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event, in the order of the lines."""
        if self._held is None:
            self._follow(event)
            return
        self._held.append(event)
        first = self._held[0]
        if event.pid == first.pid and event.source == first.source:
            self._early.observe(event)
        if len(self._held) >= HELD_BACK:
            self._release_held()

    def feed_all(self, events: Iterable[ev.SchedulerEvent]) -> None:
        """Take all of them: the same as `feed` one by one, with what is the same for most of them looked at once."""
        live: Live | None = None
        pid: int | None = None
        line = 0
        quick: dict[type, Callable[[Any], None]] = {}
        moved, attempting = ev.Moved, ev.Attempting
        event: Any
        for event in events:
            kind = event.__class__
            handler = quick.get(kind)
            if handler is None or event.pid != pid or event.source:
                if live is None or kind in RARE or event.pid != pid or event.source:
                    if live is not None:
                        live.info.last_line, live, quick = line, None, {}
                    self.feed(event)
                    live = self._lane_of(event)
                    if live is not None:
                        lane, pid, line, quick = live, live.info.pid, event.line, live.quick
                        told, follower = live.told, live.follower
                    continue
                handler = follower.handlers.get(kind, _tells_nothing)
                key: Hashable = kind
                if kind is ev.AttemptFailed:
                    self.failures += 1
                    key = kind, event.error
                if kind is not moved and key not in told:
                    self._observe(event, live, key)
                if kind is not ev.AttemptFailed and kind not in TOLD_EACH:
                    quick[kind] = handler
            if kind is moved:
                label = event.variant, event.event, event.hint is None, event.cycle is None
                if label not in told:
                    self._observe(event, lane, label)
            elif kind is attempting:
                self.attempts += 1
            line, t = event.line, event.t
            if t > follower.last_t:
                if t > follower.next_t or t - follower.last_t > QUIET_US:
                    follower.pass_time(t, line)
                else:
                    follower.last_t = t
            handler(event)
            if follower.news:
                self._collect(lane, follower.take())
        if live is not None:
            live.info.last_line = line

    def _lane_of(self, event: ev.SchedulerEvent) -> Live | None:
        """The process of this event, if what follows of it needs no look at process and input."""
        live = self._current
        if live is None or self._held is not None or event.__class__ in RARE or event.source:
            return None
        return None if live.source or live.follower.ended or event.pid != live.info.pid else live

    def _release_held(self) -> None:
        held, self._held = self._held or [], None
        for event in held:
            self._follow(event)

    def _follow(self, event: ev.SchedulerEvent) -> None:
        kind = event.__class__
        live = self._current
        if (
            live is None
            or event.pid != live.info.pid
            or event.source != live.source
            or kind in STARTS
            or live.follower.ended
        ):
            live = self._current = self._processes.of(event)
        told: Hashable = kind
        if kind is ev.Attempting:
            self.attempts += 1
        elif isinstance(event, ev.Moved):
            told = event.variant, event.event, event.hint is None, event.cycle is None
        elif isinstance(event, ev.AttemptFailed):
            self.failures += 1
            told = kind, event.error
        if told not in live.told or live.releases is None:
            self._observe(event, live, told)
        info, follower = live.info, live.follower
        info.last_line, info.last_source = event.line, event.source
        if event.source:
            line = event.line
            event.line = joined(event.source, line)
            follower.feed(event)
            event.line = line
        else:
            follower.feed(event)
        if follower.news:
            self._collect(live, follower.take())

    def _observe(self, event: ev.SchedulerEvent, live: Live, told: Hashable) -> None:
        """What the event says of release, gates and verbosity; `told`: what says that no more says the same."""
        kind = event.__class__
        if kind in FACTS and live.facts.observe(event):
            live.releases = None
        if live.releases is None:
            self._settle_releases(live)
        self._levels(event, live)
        if isinstance(event, ev.SchedulerStarted):
            live.info.version = event.version
        if kind not in TOLD_EACH:
            if len(live.told) >= MOST_TOLD:
                live.told.clear()
                live.quick.clear()
            live.told.add(told)

    def _settle_releases(self, live: Live) -> None:
        live.releases = live.facts.candidates()
        live.follower.visibility.set_releases(live.releases)
        self._known += 1
        live.follower.deep = any(depends_on_others(one) for one in live.facts.as_built())
        live.told.clear()
        live.quick.clear()

    def _fresh_facts(self, log: int) -> Facts:
        options = self._options
        identified = self._origins.identified(log)
        return Facts(options.kubernetes_version, options.gates, identified, options.plugins, self._built)

    def _new_facts(self, log: int, before: Facts | None) -> Facts:
        """What is known of a process at its first line; of the very first that is what was held back says."""
        if not self._processes.infos:
            return self._early
        facts = self._fresh_facts(log)
        if before is not None:
            facts.inherit(before)
        return facts

    def _begin(self, name: str, facts: Facts) -> Follower:
        follower = Follower(name, Rejectors(partial(self._plugins_of, facts)), Visibility())
        if self._options.damage is not None:
            follower.holes.damage = self._options.damage
        return follower

    def _plugins_of(self, facts: Facts, reason: str) -> tuple[str, ...]:
        named = self._table.plugins_of_reason(reason) if self._table is not None else ()
        if named:
            return named
        found: dict[str, None] = {}
        for release in facts.candidates():
            plugins = knowledge.plugins_of_reason(release, reason)
            if plugins:
                found.update(dict.fromkeys(plugins))
        return tuple(found)

    @staticmethod
    def _levels(event: ev.SchedulerEvent, live: Live) -> None:
        visibility = live.follower.visibility
        if isinstance(event, ev.Flag):
            if event.name == "v" and event.value.isascii() and event.value.isdigit() and len(event.value) < 4:
                visibility.saw_level(int(event.value))
            return
        name = line_name(event)
        if name is not None:
            visibility.saw_line(name)

    def _collect(self, live: Live, attempts: list[Attempt]) -> None:
        self._waiting.extend((live, attempt) for attempt in attempts)
        if self._watch:
            self.watched.extend(attempt for attempt in attempts if attempt.pod in self._watch)
        if len(self._waiting) > JUDGED_LATE:
            self._judge_waiting()

    def _judge_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for live, attempt in waiting:
            parking = self._judged(live, attempt)
            if parking is not None:
                self.parkings.append(parking)
                if self._decided is not None and attempt.looked_at != _DECIDED and parking.verdict != "undecided":
                    attempt.looked_at = _DECIDED
                    self._decided.append(parking)

    def decided(self) -> list[Parking]:
        """Of a log that is still being written: the parkings that can be judged by now and could not before.

        Each is given once, as soon as its verdict is right or wrong; it may have no wake-up yet. The result of
        `finish` has all of them, as it would without asking. Ask where the log stands still, or once in a while.
        """
        if self._held is not None:
            self._release_held()
        found, self._decided = self._decided or [], []
        for live, attempt in self._waiting:
            self._look(live, attempt, found)
        for live in self._processes.live:
            for state in live.follower.pods:
                # Its window is over, and where it went is known: only the wake-up is still to come.
                if state.parked is not None and state.parked.window is not None:
                    self._look(live, state.parked, found)
        return found

    def _look(self, live: Live, attempt: Attempt, found: list[Parking]) -> None:
        """Judge an attempt, unless that was done and nothing was learnt of releases and gates since."""
        if attempt.looked_at in (_DECIDED, self._known):
            return
        parking = self._judged(live, attempt)
        attempt.looked_at = self._known
        if parking is not None and parking.verdict != "undecided":
            attempt.looked_at = _DECIDED
            found.append(parking)

    def _judged(self, live: Live, attempt: Attempt) -> Parking | None:
        """The verdict on an attempt; None where it was surely not parked."""
        built = live.facts.as_built()
        judgement = judge(attempt, built)
        if judgement.parked is False or attempt.destination in ("Active", "Backoff"):
            return None
        holds = any(not clears_at_pop(one.profile) for one in built)
        follower = live.follower
        return apart(
            parking_of(follower.process, attempt, judgement, built[0].effects, follower.visibility, holds=holds)
        )

    def _close(self, live: Live) -> None:
        self._collect(live, live.follower.finish())
        live.info.verbosity = live.follower.visibility.proven
        live.info.standby, live.info.lease_holder = live.follower.standby, live.follower.lease_holder
        self._warnings += [self._placed(number) + text for number, text in live.follower.dumps.warnings()]
        # They and the follower hold each other, and a log may have thousands of processes.
        live.follower.handlers.clear()
        live.quick.clear()
        self._facts_told.setdefault((live.facts.single, live.facts.candidates()), live.facts)

    def _placed(self, number: int) -> str:
        source, line = split(number)
        label = self._origins.label_of(source)
        return f"{label} line {line}: " if label else f"line {line}: " if line else ""

    def finish(self) -> ReplayResult:
        """The log is over: judge what is left and give the result."""
        if self._held is not None:
            self._release_held()
        for live in self._processes.live:
            self._close(live)
        self._judge_waiting()
        for attempt in self.watched:
            apart_in_attempt(attempt)
        self.parkings.sort()
        processes = self._processes.infos
        proven = [info.verbosity for info in processes if info.verbosity is not None]
        facts = list(self._facts_told.values()) or [self._early]
        release, candidates, gates = releases_told(facts)
        self._warnings += dict.fromkeys(text for one in facts for text in one.warnings())
        return ReplayResult(
            parkings=self.parkings, processes=processes, attempts=self.attempts, failures=self.failures,
            verbosity=max(proven, default=None), release=release, candidates=candidates, gates=gates,
            watched=self.watched, warnings=self._warnings,
        )  # fmt: skip


def _tells_nothing(_event: ev.SchedulerEvent) -> None:
    """Handles the kinds of events that say nothing of the queue."""


def analyze_events(events: Iterable[ev.SchedulerEvent], options: Options | None = None) -> ReplayResult:
    """Replay `events` (in the order of their lines, several processes may be interleaved) and judge all parkings."""
    replay = Replay(options or Options())
    replay.feed_all(events)
    return replay.finish()
