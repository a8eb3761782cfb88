"""Reasons that no known plugin gives, as a table to fill in and to give with `--plugins`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from klogreplay.events.fiterror import parse_fit_error
from klogreplay.knowledge import plugins_of_reason, registrations
from klogreplay.replay.parkings import stored
from klogreplay.replay.types import Parking

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

UNNAMED = "NameOfThePlugin"
"""Stands for a plugin that the log does not name."""
MOST_REASONS = 10
"""Reasons shown of one plugin; texts that differ only in words with digits count as one."""
MOST_PLUGINS = 5

_WORD = re.compile(r"\S++")
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,199}", re.ASCII)


def skeleton_of(parkings: Iterable[Parking], releases: Sequence[str], table: PluginTable | None) -> str | None:
    """A plugin table, as TOML, with the reasons that kept a parking undecided; None where there are none.

    A plugin is named where the log prints the rejectors and just one of them is no plugin of Kubernetes.
    """
    reasons: dict[str, dict[str, str]] = {}
    known: dict[str, bool] = {}
    for _, parking in stored(parkings).select(lambda each: each.verdict == "undecided" and not each.is_error):
        fit = parse_fit_error(parking.error)
        for _, reason in () if fit is None else fit.reasons:
            if reason not in known:
                known[reason] = _is_known(reason, releases, table)
            if known[reason]:
                continue
            plugin = _plugin(parking, releases, table)
            if plugin in reasons or len(reasons) < MOST_PLUGINS:
                shapes = reasons.setdefault(plugin, {})
                if len(shapes) < MOST_REASONS:
                    shapes.setdefault(_WORD.sub(_varying, reason), reason)
    if not reasons:
        return None
    from klogreplay.knowledge import skeleton  # noqa: PLC0415 - it brings pydantic and YAML, and is seldom needed

    return "\n".join(skeleton(plugin, shapes.values()) for plugin, shapes in reasons.items())


def _is_known(reason: str, releases: Sequence[str], table: PluginTable | None) -> bool:
    if table is not None and table.plugins_of_reason(reason):
        return True
    return any(plugins_of_reason(release, reason) for release in releases)


def _plugin(parking: Parking, releases: Sequence[str], table: PluginTable | None) -> str:
    if parking.rejector_evidence != "observed":
        return UNNAMED
    foreign = [
        plugin
        for plugin in parking.rejector_plugins or ()
        if all(registrations(release, plugin) is None for release in releases)
        and (table is None or plugin not in table.plugins)
    ]
    return foreign[0] if len(foreign) == 1 and _NAME.fullmatch(foreign[0]) else UNNAMED


def _varying(word: re.Match[str]) -> str:
    """ "*" for a word with a digit in it."""
    return "*" if _DIGIT.search(word[0]) else word[0]
