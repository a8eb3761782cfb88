"""Upstream fixes, each as a change to a profile: apply one and see whether the symptom goes away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from klogreplay.queue.profiles import Profile


class Fix(msgspec.Struct, frozen=True):
    """One upstream fix. `apply` gives the profile with the fix; one that has it already comes back equal."""

    name: str
    ref: str
    title: str
    apply: Callable[[Profile], Profile]


def _stale_plugins(profile: Profile) -> Profile:
    behaviours = profile.behaviours
    stale = (
        behaviours["plugins_at_pop"] == "kept"
        and behaviours["plugins_at_failure"] == "left-as-they-are"
        and behaviours["rejector_sets"] != "none"
    )
    if not stale:
        return profile
    return profile.replace(plugins_at_pop="unschedulable-cleared")


def _missed_events(profile: Profile) -> Profile:
    if profile.behaviours["in_flight"] != "markers-with-counters":
        return profile
    return profile.replace(in_flight="own-entry")


def _error_without_plugins(profile: Profile) -> Profile:
    return profile.replace(return_without_rejectors="always-after-backoff")


_ALL: Final = (
    Fix(
        "stale-plugins",
        "kubernetes#120334",
        "Clear the rejector plugins of the last attempt when a pod is popped",
        _stale_plugins,
    ),
    Fix(
        "missed-events",
        "kubernetes#120413",
        "Keep a pod's own entry in the in-flight list, so that no concurrent event is lost",
        _missed_events,
    ),
    Fix(
        "error-without-plugins",
        "kubernetes#119105",
        "Put a pod that failed by an error, without any rejector plugin, into backoff always",
        _error_without_plugins,
    ),
)

FIXES: Final[Mapping[str, Fix]] = {fix.name: fix for fix in _ALL}
"""Name -> fix."""
