"""Kubernetes releases: their names, their order, and which of them the catalogues know."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from typing import Any

import msgspec

from klogreplay.knowledge.store import load

ReleaseKey = tuple[int, int, int, int, int]

CACHED = 1024
"""Answers kept: a log can name any number of releases and gates."""

_STAGES = {"alpha": 0, "beta": 1, "rc": 2}
_RELEASED = 3
_NAME = re.compile(r"v?(\d{1,3})\.(\d{1,4})(?:\.(\d{1,4}))?(?!\.?\d)(?:-(alpha|beta|rc)\.(\d{1,4})(?!\d))?", re.ASCII)


class ReleaseTable(msgspec.Struct, frozen=True):
    """The data file `releases`: order, the releases with all catalogues, and the behaviour rows, undecoded."""

    order: tuple[str, ...]
    main: tuple[str, ...]
    behaviours: dict[str, dict[str, Any]]


@cache
def table() -> ReleaseTable:
    """The data file `releases`."""
    return load("releases", ReleaseTable)


def releases() -> tuple[str, ...]:
    """All known releases in release order, each pre-release before what it leads to ("1.28.0-beta.0" < "1.28.0")."""
    return table().order


def main_releases() -> tuple[str, ...]:
    """The releases of which every catalogue exists: events, plugins, gates, constants."""
    return table().main


def normalise_release(name: str) -> str | None:
    """The bare release in a version as programs print it, or None where there is none.

    "v1.28.0-rc.1+vendor" gives "1.28.0-rc.1", "v1.28.3-eks-4f4795d" gives "1.28.3", "v1.28" gives "1.28.0".
    """
    found = _NAME.match(name.strip())
    if found is None:
        return None
    major, minor, patch, stage, number = found.groups()
    release = f"{int(major)}.{int(minor)}.{int(patch or 0)}"
    return release if stage is None else f"{release}-{stage}.{int(number)}"


def without_release(name: str) -> str:
    """What follows the bare release in a version: "-eks-4f4795d" of "v1.28.3-eks-4f4795d"; "" where nothing does."""
    text = name.strip()
    found = _NAME.match(text)
    return "" if found is None else text[found.end() :]


@lru_cache(maxsize=CACHED)
def release_key(name: str) -> ReleaseKey:
    """Sorts release names in release order. ValueError where `name` holds no release."""
    release = normalise_release(name)
    if release is None:
        raise ValueError(f"not a Kubernetes release: {name!r}")
    numbers, _, pre = release.partition("-")
    major, minor, patch = map(int, numbers.split("."))
    stage, _, number = pre.partition(".")
    return (major, minor, patch, _STAGES.get(stage, _RELEASED), int(number or 0))


def minor_of(name: str) -> int:
    """The minor version: 28 of "1.28.0-alpha.2"."""
    return release_key(name)[1]


@lru_cache(maxsize=CACHED)
def nearest_release(name: str, among: tuple[str, ...] | None = None) -> str:
    """The known release nearest to `name`: itself, else the closest of its minor, else the closest at all.

    `among` are those that may be it, in release order (None: all). Of two equally close ones the newer, since fixes
    travel forward. ValueError where `name` holds no release.
    """
    return _nearest(release_key(name), releases() if among is None else among)


@lru_cache(maxsize=CACHED)
def catalogue_of(name: str) -> tuple[str, bool]:
    """The main release whose catalogues speak for `name`, and whether that is an assumption.

    A release with catalogues speaks for itself. An X.Y.0-alpha.0 is the state at which the branch before was cut, so
    the minor before speaks for it. ValueError where `name` holds no release.
    """
    key = release_key(name)
    release = normalise_release(name)
    if release in main_releases():
        return release, False
    if key[2:] == (0, 0, 0):
        key = (key[0], key[1] - 1, 999, _RELEASED, 0)
    return _nearest(key, main_releases()), True


def _nearest(key: ReleaseKey, among: tuple[str, ...]) -> str:
    keys = [release_key(release) for release in among]
    at = bisect_left(keys, key)
    if at < len(keys) and keys[at] == key:
        return among[at]
    sides = [side for side in (at, at - 1) if 0 <= side < len(keys)]
    return among[min(sides, key=lambda side: _distance(keys[side], key))]


def _distance(one: ReleaseKey, other: ReleaseKey) -> tuple[int, ...]:
    return tuple(abs(a - b) for a, b in zip(one, other, strict=True))
