"""The whole replay: events of one or more scheduler processes in, parkings with verdicts out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from klogreplay import knowledge
from klogreplay.events import types as ev
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.facts import Facts, Identified
from klogreplay.replay.follow import Follower
from klogreplay.replay.judge import clears_at_pop, depends_on_others, judge
from klogreplay.replay.levels import line_name
from klogreplay.replay.present import parking_of
from klogreplay.replay.rejectors import Rejectors
from klogreplay.replay.result import ProcessInfo, ReplayResult
from klogreplay.replay.types import Parking
from klogreplay.replay.visibility import Visibility

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

HELD_BACK = 5_000
"""So many events are held back before the first is followed, so that the release is known when they are."""

JUDGED_LATE = 2_000
"""So many failed attempts wait for their verdict, so that a log without start-up lines is identified first."""


FACTS = frozenset({ev.SchedulerStarted, ev.FeatureGatesLogged, ev.Flag, ev.Moved})
"""The kinds of events that may say something of release or gates."""

STARTS = frozenset({ev.Flag, ev.SchedulerStarted})

VARIED = frozenset({ev.Moved, ev.AttemptFailed})
"""The kinds of events whose lines are printed at several levels."""


class Options(msgspec.Struct, kw_only=True):
    """What the user said: the release and gates, if any, and a table of plugins that are not Kubernetes' own.

    `watch` names pods of which every failed attempt is wanted, parked or not.
    """

    kubernetes_version: str | None = None
    gates: Mapping[str, bool] = msgspec.field(default_factory=dict)
    identified: Identified | None = None
    plugins: PluginTable | None = None
    watch: frozenset[str] = frozenset()


class _Live(msgspec.Struct):
    """A process that is being followed. `proven`: the kinds of events whose level it has been credited with."""

    follower: Follower
    info: ProcessInfo
    proven: set[type] = msgspec.field(default_factory=set)


class Replay:
    """One run over the events of all processes."""

    def __init__(self, options: Options) -> None:
        self.facts = Facts(options.kubernetes_version, options.gates, options.identified, options.plugins)
        self._table = options.plugins
        self._watch = options.watch
        self.watched: list[Attempt] = []
        self.processes: list[ProcessInfo] = []
        self._live: dict[int | None, _Live] = {}
        self._current: _Live | None = None
        self._last_pid: int | None = None
        self._incarnations: dict[int | None, int] = {}
        self._held: list[ev.SchedulerEvent] | None = []
        self._waiting: list[tuple[Follower, Attempt]] = []
        self._releases: tuple[str, ...] | None = None
        self.parkings: list[Parking] = []
        self.attempts = 0
        self.failures = 0

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event, in the order of the lines."""
        if self._held is None:
            self._follow(event)
            return
        self._held.append(event)
        if self.facts.observe(event):
            self._releases = None
        if len(self._held) >= HELD_BACK:
            self._release_held()

    def _release_held(self) -> None:
        held, self._held = self._held or [], None
        for event in held:
            self._follow(event)

    def _follow(self, event: ev.SchedulerEvent) -> None:
        kind = event.__class__
        if kind in FACTS and self.facts.observe(event):
            self._releases = None
        live = self._current
        if live is None or event.pid != live.info.pid or kind in STARTS:
            live = self._current = self._process(event)
        if self._releases is None:
            self._settle_releases()
        live.info.last_line = event.line
        if kind not in live.proven:
            self._levels(event, live)
        if kind is ev.Attempting:
            self.attempts += 1
        elif kind is ev.AttemptFailed:
            self.failures += 1
        elif isinstance(event, ev.SchedulerStarted):
            live.info.version = event.version
        follower = live.follower
        follower.feed(event)
        if follower.has_news:
            self._collect(follower, follower.take())

    def _settle_releases(self) -> None:
        self._releases = self.facts.candidates()
        deep = any(depends_on_others(one) for one in self.facts.as_built())
        for live in self._live.values():
            live.follower.visibility.set_releases(self._releases)
            live.follower.deep = deep
            live.proven.clear()

    def _process(self, event: ev.SchedulerEvent) -> _Live:
        pid = event.pid if event.pid is not None else self._last_pid
        self._last_pid = pid
        live = self._live.get(pid)
        if live is not None and event.__class__ in STARTS and live.follower.busy:
            # In a container the process id is always 1: a start tells a new process, not the id.
            self._close(live)
            live = None
        if live is None:
            number = self._incarnations[pid] = self._incarnations.get(pid, 0) + 1
            name = f"{pid if pid is not None else '-'}" + (f"/{number}" if number > 1 else "")
            info = ProcessInfo(name, pid, None, event.line, event.line)
            live = _Live(Follower(name, Rejectors(self._plugins_of), Visibility()), info)
            self._live[pid] = live
            self.processes.append(info)
            self._releases = None
        return live

    def _plugins_of(self, reason: str) -> tuple[str, ...]:
        named = self._table.plugins_of_reason(reason) if self._table is not None else ()
        if named:
            return named
        found: dict[str, None] = {}
        for release in self._releases or self.facts.candidates():
            plugins = knowledge.plugins_of_reason(release, reason)
            if plugins:
                found.update(dict.fromkeys(plugins))
        return tuple(found)

    @staticmethod
    def _levels(event: ev.SchedulerEvent, live: _Live) -> None:
        visibility = live.follower.visibility
        if isinstance(event, ev.Flag):
            if event.name == "v" and event.value.isascii() and event.value.isdigit() and len(event.value) < 4:
                visibility.saw_flag(int(event.value))
            return
        name = line_name(event)
        if name is not None:
            visibility.saw_line(name)
        if event.__class__ not in VARIED:
            live.proven.add(event.__class__)

    def _collect(self, follower: Follower, attempts: list[Attempt]) -> None:
        self._waiting.extend((follower, attempt) for attempt in attempts)
        if self._watch:
            self.watched.extend(attempt for attempt in attempts if attempt.pod in self._watch)
        if len(self._waiting) > JUDGED_LATE:
            self._judge_waiting()

    def _judge_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        built = self.facts.as_built()
        for follower, attempt in waiting:
            judgement = judge(attempt, built)
            if judgement.parked is False or attempt.destination in ("Active", "Backoff"):
                continue
            holds = any(not clears_at_pop(one.profile) for one in built)
            self.parkings.append(
                parking_of(follower.process, attempt, judgement, built[0].effects, follower.visibility, holds=holds)
            )

    def _close(self, live: _Live) -> None:
        self._collect(live.follower, live.follower.finish())
        live.info.verbosity = live.follower.visibility.proven

    def finish(self) -> ReplayResult:
        """The log is over: judge what is left and give the result."""
        if self._held is not None:
            self._release_held()
        for live in self._live.values():
            self._close(live)
        self._judge_waiting()
        self.parkings.sort(key=lambda p: (p.source, p.line, p.pod))
        proven = [info.verbosity for info in self.processes if info.verbosity is not None]
        return ReplayResult(
            parkings=self.parkings, processes=self.processes, attempts=self.attempts, failures=self.failures,
            verbosity=max(proven, default=None), release=self.facts.single, candidates=self.facts.candidates(),
            gates=self.facts.gates(), watched=self.watched,
        )  # fmt: skip


def analyze_events(events: Iterable[ev.SchedulerEvent], options: Options | None = None) -> ReplayResult:
    """Replay `events` (in the order of their lines, several processes may be interleaved) and judge all parkings."""
    replay = Replay(options or Options())
    for event in events:
        replay.feed(event)
    return replay.finish()
