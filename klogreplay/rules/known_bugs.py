"""Upstream bugs as rules use them: does the log's release have the bug, and what is to be said of its fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from klogreplay.knowledge import Bug, bug, bugs_affecting
from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case
from klogreplay.rules.types import UpstreamRef

_GRADES: tuple[Grade, ...] = ("proven", "likely", "suspected")
_PULL = re.compile(r"PR #(\d+)", re.ASCII)
_ISSUE = re.compile(r"#(\d+)", re.ASCII)


class Match(msgspec.Struct, frozen=True):
    """A known bug that the log's release may have. `certain`: all releases the log may be of have it for sure."""

    bug: Bug
    certain: bool

    @property
    def best(self) -> Grade:
        """The best grade that a finding which rests on the bug's range can have."""
        return "proven" if self.certain else "suspected"


def matching(case: Case, *ids: str) -> list[Match]:
    """Those of the known bugs `ids` that the case's release can have, in the order given.

    Where several releases are possible, one that has the bug is enough for a match, and all for a certain one; a
    certainty that was only inferred (`klogreplay.knowledge.upstream`) is not certain. Where no release is known at all,
    nothing matches.
    """
    releases = (case.release,) if case.release is not None else tuple(case.candidates)
    gates = tuple(sorted((name, value) for name, value in case.gates.items() if value is not None))
    found = []
    for code in ids:
        entry = bug(code)
        if entry is None:
            raise ValueError(f"no such bug: {code}")
        certainties = [_affecting(release, gates).get(code) for release in releases]
        if any(certainties):
            found.append(Match(entry, all(each in ("measured", "stated") for each in certainties)))
    return found


@lru_cache(maxsize=512)
def _affecting(release: str, gates: tuple[tuple[str, bool], ...]) -> dict[str, str]:
    return {each.bug.id: each.certainty for each in bugs_affecting(release, dict(gates))}


def weakest(*grades: Grade) -> Grade:
    """The grade of a conclusion that rests on all of these."""
    return max(grades, key=_GRADES.index)


def references(bugs: Iterable[Bug]) -> tuple[UpstreamRef, ...]:
    """The bugs as upstream references: the change that fixes each, and the releases that have it, with the doubts."""
    return tuple(UpstreamRef(ref=_ref(entry), title=entry.title, fixed_in=_fixed(entry)) for entry in bugs)


def fixed_in(code: str) -> tuple[str, ...]:
    """The releases that have the fix of a known bug ("KB12"), with the doubts. ValueError for an unknown one."""
    entry = bug(code)
    if entry is None:
        raise ValueError(f"no such bug: {code}")
    return _fixed(entry)


_FIX = {"KB22": "125578", "KB27": "137607", "KB38": "134245"}
"""The fix, where the first change that the bug's entry names is the one that brought the bug."""


def _ref(entry: Bug) -> str:
    fix = _FIX.get(entry.id)
    if fix is not None:
        return f"kubernetes#{fix}"
    found = next(
        (number for pattern in (_PULL, _ISSUE) for text in entry.refs if (number := pattern.search(text))), None
    )
    return f"kubernetes#{found[1]}" if found is not None else entry.refs[0]


def _fixed(entry: Bug) -> tuple[str, ...]:
    if not entry.fixed_in:
        return (f"not known to be fixed ({entry.fixed_text})",)
    return tuple(fix.release if fix.certain else f"{fix.release} (unverified)" for fix in entry.fixed_in)


def named(bugs: Sequence[Bug]) -> str:
    """The bugs in a sentence: by their references."""
    return " or ".join(_ref(entry) for entry in bugs)
