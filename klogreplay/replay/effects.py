"""What an event means to the rejector plugins of an attempt, by the tables of the releases the log may be of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from klogreplay import knowledge
from klogreplay.replay import hinted
from klogreplay.replay.rejectors import Own, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Effect

if TYPE_CHECKING:
    from klogreplay.events.types import HintLine
    from klogreplay.knowledge import PluginTable
    from klogreplay.replay.attempts import Attempt

TIMEOUT = "UnschedulableTimeout"

RAISED_FROM = {"NodeDelete": (1, 32)}
"""Handler lines that raise their event from this minor release on only.

None of the 16 nodes deleted in the logs recorded of 1.22-1.29 reached the queue, all of 1.32-1.36 did; in 1.30 and 1.31
the handler is that of 1.29 (deleteNodeFromCache, eventhandlers.go).
"""


class Effects:
    """Answers for one release and its gates. A user's `table` of plugins goes before the release's own.

    `raises` False: a handler's line of this name raises no event in the release, so it does not count.
    """

    def __init__(self, release: str, gates: Mapping[str, bool], table: PluginTable | None = None) -> None:
        self.release = release
        self.gates = dict(gates)
        self._table = table
        self.of_plugin = lru_cache(maxsize=4096)(self._of_plugin)
        self.raises = lru_cache(maxsize=1024)(self._raises)

    def _raises(self, label: str) -> bool:
        if knowledge.release_key(self.release)[:2] < RAISED_FROM.get(label, (0, 0)):
            return False
        return knowledge.cluster_event(self.release, label) is not None

    def _of_plugin(self, plugin: str, label: str) -> Effect:
        if self._table is not None:
            effect = self._table.event_effect(self.release, self.gates, plugin, label)
            if effect is not None:
                return effect
        return knowledge.event_effect(self.release, self.gates, plugin, label)

    def _wildcard(self, label: str) -> bool:
        fact = knowledge.cluster_event(self.release, label)
        return fact is not None and fact.wildcard

    def counts(self, event: Observed) -> bool:
        """Whether the line stands for an event in this release (a deleted node raises none up to 1.31)."""
        return event.how == "queue" or self.raises(event.label)

    def on_own(self, event: Observed, own: Own) -> Effect:
        """The effect on the rejectors of one attempt, reason by reason."""
        if self._wildcard(event.label):
            return "queue"
        if not own.groups:
            return "unknown" if not own.plugins.complete else "skip"
        best: Effect = "skip"
        for group in own.groups:
            effects = {self.of_plugin(plugin, event.label) for plugin in group}
            if effects == {"queue"}:
                return "queue"
            if effects != {"skip"}:
                best = "unknown"
        return best if own.plugins.complete else "unknown"

    def on_set(self, event: Observed, plugins: PluginSet) -> Effect:
        """The effect on a set of plugins, the strongest of its members' answers."""
        if self._wildcard(event.label):
            return "queue"
        effects = {self.of_plugin(plugin, event.label) for plugin in plugins.names}
        if "queue" in effects:
            return "queue"
        return "skip" if effects <= {"skip"} and plugins.complete else "unknown"

    def on_attempt(self, event: Observed, attempt: Attempt, *, likely: bool = False) -> Effect:
        """The effect on the rejectors of this attempt, by the tables, else by what the log shows of hint functions.

        `likely`: what other pods' answers make likely counts as well.
        """
        own = attempt.own
        effect = self.on_own(event, own)
        if effect != "unknown":
            return effect
        # What the tables do not give, lines can only deny: where one group says "queue" throughout, they gave it.
        groups = [{self._answer(plugin, event, attempt) for plugin in group} for group in own.groups]
        if own.plugins.complete and groups and all(group == {"skip"} for group in groups):
            return "skip"
        return hinted.by_others(self, event, own, attempt) if likely else "unknown"

    def on_held(self, event: Observed, attempt: Attempt, plugins: PluginSet) -> Effect:
        """The effect on the plugins that the attempt's queue entry held before."""
        effect = self.on_set(event, plugins)
        if effect != "unknown" or not plugins.complete:
            return effect
        answers = {self._answer(plugin, event, attempt) for plugin in plugins.names}
        return "skip" if answers == {"skip"} else "unknown"

    def _answer(self, plugin: str, event: Observed, attempt: Attempt) -> Effect:
        effect = self.of_plugin(plugin, event.label)
        return hinted.by_lines(self, plugin, event, attempt) if effect == "unknown" else effect

    def asks_about(self, line: HintLine) -> frozenset[str]:
        """The resources of the events that the hint function behind this line is asked about."""
        function = hinted.function_of(self.release, line)
        registered = knowledge.registrations(self.release, line.plugin, self.gates) or ()
        return frozenset(one.resource for one in registered if function is not None and one.hint_fn == function)
