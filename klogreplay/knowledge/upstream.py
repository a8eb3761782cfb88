"""Known upstream queueing bugs: which releases have them, which have the fix.

Sources: public threads, release notes and cherry-picks of kubernetes/kubernetes, and the queue's source of 117
releases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from klogreplay.knowledge.gate import gate_value
from klogreplay.knowledge.release import ReleaseKey, normalise_release, release_key, releases
from klogreplay.knowledge.store import load

Certainty = Literal["measured", "stated", "inferred"]
"""measured: read in the release's source. stated: a thread or release note says so. inferred: follows, unverified."""

CODES = {"stale-plugins": "KB12", "missed-events": "KB13", "error-without-plugins": "KB15"}
"""The causes of wrong parkings that have an entry of their own."""

_PATCHLESS = re.compile(r"\d+\.\d+")
_LAST = 1 << 30


class GateNeed(msgspec.Struct, frozen=True, array_like=True):
    """A feature gate that must have this value for the bug to show."""

    gate: str
    value: bool


class AffectedRange(msgspec.Struct, frozen=True, array_like=True):
    """Releases from `first` to `last`, both included; None is open, a bound without a patch means the whole minor."""

    first: str | None
    last: str | None
    gate: GateNeed | None
    certain: bool

    def holds(self, key: ReleaseKey) -> bool:
        """Whether the release of this key is in the range."""
        if self.first is not None and key < release_key(self.first):
            # The pre-releases of a minor belong to it.
            return bool(_PATCHLESS.fullmatch(self.first)) and key[:2] == release_key(self.first)[:2]
        if self.last is None:
            return True
        last = release_key(self.last)
        return key <= ((*last[:2], _LAST, 0, 0) if _PATCHLESS.fullmatch(self.last) else last)


class FixedIn(msgspec.Struct, frozen=True, array_like=True):
    """A release that has the fix; `certain` False where its number was inferred."""

    release: str
    certain: bool


class Bug(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A known bug. `refs` without a repository are of kubernetes/kubernetes.

    `measured` are those of the known releases whose source shows it, None where no source was compared for it.
    `min_verbosity` is the -v from which the log shows it, None where no line does. `how_long` tells how long a pod
    stays.
    """

    id: str
    title: str
    refs: tuple[str, ...]
    component: str
    affected_text: str
    fixed_text: str
    affected: tuple[AffectedRange, ...]
    measured: frozenset[str] | None
    fixed_in: tuple[FixedIn, ...]
    symptom: str
    log_signature: tuple[str, ...]
    min_verbosity: int | None
    trigger: str
    how_long: str
    workaround: str
    confidence: Literal["high", "medium", "low"]
    note: str | None


class AffectingBug(msgspec.Struct, frozen=True):
    """A bug that a release has, and how sure that is."""

    bug: Bug
    certainty: Certainty


@cache
def bugs() -> dict[str, Bug]:
    """All known bugs by their id."""
    return {row.id: row for row in load("bugs", tuple[Bug, ...])}


def bug(code: str) -> Bug | None:
    """The bug with this id ("KB12") or behind this cause ("stale-plugins"); None where there is none."""
    return bugs().get(CODES.get(code, code))


def fixed_in(code: str) -> tuple[FixedIn, ...]:
    """The releases that are named as having the fix of a bug or cause; () where it is unknown or open."""
    found = bug(code)
    return () if found is None else found.fixed_in


def bugs_affecting(release: str, gates: Mapping[str, bool] | None = None) -> tuple[AffectingBug, ...]:
    """The bugs that `release` has with `gates` as set (others by default), in order of their ids.

    ValueError where `release` names no Kubernetes release.
    """
    key = release_key(release)
    known = normalise_release(release)
    found = []
    for entry in bugs().values():
        certainty = _certainty(entry, known or release, key, gates or {})
        if certainty is not None:
            found.append(AffectingBug(entry, certainty))
    return tuple(found)


def _certainty(entry: Bug, release: str, key: ReleaseKey, gates: Mapping[str, bool]) -> Certainty | None:
    needs = [part for part in entry.affected if part.gate is None or _has(release, gates, part.gate)]
    if entry.measured is not None and release in releases():
        if release not in entry.measured or not needs:
            return None
        return "measured"
    holding = [part for part in needs if part.holds(key)]
    if not holding:
        return None
    return "stated" if any(part.certain for part in holding) and entry.confidence != "low" else "inferred"


def _has(release: str, gates: Mapping[str, bool], need: GateNeed) -> bool:
    return gate_value(release, gates, need.gate) == need.value
