"""Profiles: what one release with its feature gates does, as a table of behaviours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as _dataclass_replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Final

import msgspec

from klogreplay.queue.behaviours import AXES
from klogreplay.queue.releases import RELEASES, STATED_AXES, ByGate, Choice, Release
from klogreplay.queue.rules import Rules, compile_rules


class UnknownRelease(KeyError):  # noqa: N818 - the name the other packages use
    """A release that the table does not have; the text says which ones are near."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Profile:
    """One release with its gates: `behaviours` maps each axis to the name of a behaviour.

    `gates` has the gates that make a difference to the queue, as they are set. `assumed` names the axes on which
    nothing is known of this very release; empty for a recorded one.
    """

    release: str
    gates: Mapping[str, bool] = field(hash=False)
    behaviours: Mapping[str, str] = field(hash=False)
    assumed: frozenset[str] = frozenset()

    @cached_property
    def rules(self) -> Rules:
        """The behaviours' rules."""
        return compile_rules(tuple(sorted(self.behaviours.items())))

    def replace(self, **behaviours: str) -> Profile:
        """This profile with other behaviours on some axes.

        Raises KeyError for an axis or a behaviour that does not exist.
        """
        for axis, behaviour in behaviours.items():
            if axis not in AXES:
                raise KeyError(f"no axis {axis!r}; there are {', '.join(AXES)}")
            AXES[axis].rule_of(behaviour)
        changed = MappingProxyType({**self.behaviours, **behaviours})
        return _dataclass_replace(self, behaviours=changed, assumed=self.assumed.difference(behaviours))


def profile_for(release: str, gates: Mapping[str, bool] | None = None) -> Profile:
    """The profile of a release ("1.28.0" or "v1.28.0") with its default gates and those given.

    Gates that make no difference to the queue are ignored, and so is the setting of one that the release locks.
    Raises UnknownRelease for a release that is not in the table; `nearest_release` finds one that is.
    """
    row = _release(release)
    given = gates or {}
    return _profile(
        row.name,
        tuple(gate.default if gate.locked else bool(given.get(name, gate.default)) for name, gate in row.gates.items()),
    )


@cache
def _profile(name: str, settings: tuple[bool, ...]) -> Profile:
    row = RELEASES[name]
    gates = dict(zip(row.gates, settings, strict=True))
    return Profile(
        release=name,
        gates=MappingProxyType(gates),
        behaviours=MappingProxyType({axis: choose(row.choices[axis], gates) for axis in AXES}),
        assumed=frozenset() if row.recorded else frozenset(AXES) - STATED_AXES,
    )


def choose(choice: Choice, gates: Mapping[str, bool]) -> str:
    """The behaviour that this choice comes to under these gates."""
    while isinstance(choice, ByGate):
        choice = choice.on if gates[choice.gate] else choice.off
    return choice


def _release(release: str) -> Release:
    row = RELEASES.get(release.removeprefix("v"))
    if row is None:
        near = nearest_release(release)
        hint = f"the nearest one there is {near}" if near else f"there are {', '.join(RELEASES)}"
        raise UnknownRelease(f"no Kubernetes release {release!r} in the table of queue behaviours; {hint}")
    return row


_VERSION: Final = re.compile(r"v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:-(alpha|beta|rc)\.(\d{1,4}))?")
_STAGES: Final = {"alpha": 0, "beta": 1, "rc": 2, None: 3}


def release_order(release: str) -> tuple[int, ...]:
    """A key that sorts releases by age, pre-releases before their release. Raises ValueError for what is none."""
    found = _VERSION.match(release)
    if found is None:
        raise ValueError(f"{release!r} is no Kubernetes version")
    major, minor, patch, stage, number = found.groups()
    return (int(major), int(minor), int(patch or 0), _STAGES[stage], int(number or 0))


def nearest_release(release: str) -> str | None:
    """The newest release of the table, of the same minor version, that is not newer than this one.

    Else the oldest of that minor version; None if the table has none of it, or if it is no version at all. Vendor
    suffixes ("v1.27.3-gke.100", "1.28.2+k3s1") do not matter.
    """
    try:
        wanted = release_order(release)
    except ValueError:
        return None
    same_minor = [name for name in RELEASES if release_order(name)[:2] == wanted[:2]]
    same_minor.sort(key=release_order)
    older = [name for name in same_minor if release_order(name) <= wanted]
    return older[-1] if older else next(iter(same_minor), None)


def all_releases() -> tuple[str, ...]:
    """Every release of the table, oldest first."""
    return tuple(sorted(RELEASES, key=release_order))


def recorded_releases() -> tuple[str, ...]:
    """The releases whose queue was recorded, oldest first."""
    return tuple(name for name in all_releases() if RELEASES[name].recorded)


class VersionRow(msgspec.Struct, frozen=True):
    """One row of the version table: a release with its default gates."""

    release: str
    recorded: bool
    gates: Mapping[str, bool]
    behaviours: Mapping[str, str]
    assumed: frozenset[str]


def version_table(release: str | None = None) -> list[VersionRow]:
    """The table of profiles, one row per release with its default gates, oldest first; or the row of one release.

    Raises UnknownRelease.
    """
    rows = []
    for name in all_releases() if release is None else (_release(release).name,):
        profile = profile_for(name)
        rows.append(VersionRow(name, RELEASES[name].recorded, profile.gates, profile.behaviours, profile.assumed))
    return rows


REFERENCE: Final = profile_for("1.36.2")
"""The newest profile: what the queue should do."""
