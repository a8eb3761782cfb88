"""Which plugins made an attempt fail, from the failure's text and the reason tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from klogreplay.events.fiterror import parse_fit_error
from klogreplay.replay.types import Evidence

NO_NODES = "no nodes available to schedule pods"
"""The text of ErrNoNodesAvailable: no plugin ran, so none rejected (all releases)."""


class PluginSet(msgspec.Struct, frozen=True):
    """A set of plugins as far as it is known. `complete` False: there are more, or others, that have no name yet."""

    names: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def surely_empty(self) -> bool:
        """Known to hold nothing."""
        return self.complete and not self.names

    def with_plugin(self, name: str) -> PluginSet:
        """The set with one more."""
        return PluginSet(self.names | {name}, self.complete)


NOTHING = PluginSet()


class Own(msgspec.Struct):
    """The rejector plugins of one attempt.

    `groups` are the plugins reason by reason: where a reason's text is shared, any one of its group may have said it.
    """

    plugins: PluginSet
    evidence: Evidence
    without_rejectors: bool
    groups: tuple[frozenset[str], ...] = ()
    unknown_reasons: tuple[str, ...] = ()


class Rejectors:
    """Maps failure texts to plugins, each distinct text once."""

    MAX_KEPT = 10_000

    def __init__(self, plugins_of: Callable[[str], Sequence[str]]) -> None:
        self._plugins_of = plugins_of
        self._kept: dict[str, Own] = {}

    def of_failure(self, is_error: bool, err: str, rejected_by: str | None) -> Own:
        """The rejectors of an attempt that failed with the text `err`.

        `rejected_by` is the plugin that a Reserve, Permit or PreBind rejection line named for it.
        """
        if is_error or err.startswith(NO_NODES):
            return Own(NOTHING, "observed", True)
        if rejected_by is not None:
            named = frozenset({rejected_by})
            return Own(PluginSet(named), "observed", False, (named,))
        own = self._kept.get(err)
        if own is None:
            own = self._from_text(err)
            if len(self._kept) >= self.MAX_KEPT:
                self._kept.clear()
            self._kept[err] = own
        return own

    def _from_text(self, err: str) -> Own:
        fit = parse_fit_error(err)
        if fit is None or not fit.reasons:
            return Own(PluginSet(complete=False), "unknown", False, (), (err,))
        groups: list[frozenset[str]] = []
        unknown: list[str] = []
        for _count, reason in fit.reasons:
            plugins = frozenset(self._plugins_of(reason))
            if plugins:
                groups.append(plugins)
            else:
                unknown.append(reason)
        names = frozenset().union(*groups)
        return Own(
            PluginSet(names, complete=not unknown),
            "unknown" if unknown else "derived",
            False,
            tuple(groups),
            tuple(unknown),
        )
