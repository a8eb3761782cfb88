"""Reasons of fit errors: which plugin says so."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from klogreplay.knowledge.pieces import fits
from klogreplay.knowledge.plugin import PluginTableRow, Reason, plugin_tables
from klogreplay.knowledge.release import CACHED, catalogue_of, main_releases, normalise_release, release_key

LONGEST = 4096
"""A reason text longer than this (characters) is not looked at."""

_PLUGIN_LIST = re.compile(r"node\(s\) didn't satisfy plugin(?:\(s\))? ([^\n]*?)(?: simultaneously)?", re.ASCII)
_PLUGIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*", re.ASCII)


class ReasonIndex:
    """Reasons of one release: those without holes by their text, the others by their pieces."""

    def __init__(self, facts: PluginTableRow) -> None:
        self.exact: dict[str, tuple[str, ...]] = {}
        self.patterns: list[Reason] = []
        for reason in facts.reasons:
            if len(reason.pieces) == 1:
                self.exact[reason.pieces[0]] = reason.plugins
            else:
                self.patterns.append(reason)

    def plugins(self, reason: str) -> tuple[str, ...]:
        """The plugins that reject with this text, sorted."""
        exact = self.exact.get(reason)
        if exact is not None:
            return exact
        found: set[str] = set()
        for pattern in self.patterns:
            if fits(pattern.pieces, reason) and not (pattern.one_word and " " in reason[len(pattern.pieces[0]) :]):
                found.update(pattern.plugins)
        return tuple(sorted(found))


@cache
def _index(main: str) -> ReasonIndex:
    return ReasonIndex(plugin_tables()[main])


@lru_cache(maxsize=4096)
def plugins_of_reason(release: str, reason: str) -> tuple[str, ...]:
    """The in-tree plugins that reject a pod with this reason in `release`; () where it is unknown.

    `reason` stands without its node count ("Insufficient cpu"). Plugins that share a text are all named. A release
    between two catalogued ones takes both, the newer first; where neither knows the text, the other releases are
    asked, the nearest first. The texts that list plugins themselves ("node(s) didn't satisfy plugin(s) [...]") give
    those.
    """
    text = reason.strip()
    if not text or len(text) > LONGEST:
        return ()
    listed = _PLUGIN_LIST.fullmatch(text)
    if listed is not None:
        return tuple(dict.fromkeys(_PLUGIN_NAME.findall(listed[1])))
    near, others = _asked(release)
    found = dict.fromkeys(plugin for main in near for plugin in _index(main).plugins(text))
    if found:
        return tuple(found)
    return next((plugins for main in others if (plugins := _index(main).plugins(text))), ())


@lru_cache(maxsize=CACHED)
def _asked(release: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The releases whose reasons speak for `release`, newest first, and the rest, nearest first."""
    key = release_key(release)
    mains = main_releases()
    if catalogue_of(release) == (normalise_release(release), False):
        near: tuple[str, ...] = (catalogue_of(release)[0],)
    else:
        older = [main for main in mains if release_key(main) < key][-1:]
        newer = [main for main in mains if release_key(main) > key][:1]
        near = (*newer, *older)
    position = sum(release_key(main) < key for main in mains)
    rest = sorted((main for main in mains if main not in near), key=lambda main: abs(mains.index(main) - position))
    return near, tuple(rest)
