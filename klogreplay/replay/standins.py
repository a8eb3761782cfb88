"""Which known releases speak for a log whose own release is not among them.

A verdict then holds only if it holds for each of them.
"""

from __future__ import annotations

from functools import lru_cache

from klogreplay import knowledge
from klogreplay.knowledge.release import CACHED, release_key
from klogreplay.knowledge.upstream import fixed_in
from klogreplay.queue import FIXES


def for_release(name: str) -> tuple[str, ...]:
    """The stand-ins of a release named by the log or the user: itself, else its neighbours of the same minor.

    A neighbour is left out where upstream's release notes place a fix of this model between it and `name`.
    ValueError where `name` holds no release.
    """
    known = knowledge.normalise_release(name)
    if known is None:
        raise ValueError(f"not a Kubernetes release: {name!r}")
    if known in knowledge.releases():
        return (known,)
    key = release_key(known)
    minor = [r for r in knowledge.releases() if release_key(r)[:2] == key[:2]]
    below = [r for r in minor if release_key(r) < key][-1:]
    above = [r for r in minor if release_key(r) > key][:1]
    near = [*below, *above]
    same = [r for r in near if _fixed(r) == _fixed(known)]
    return tuple(same or near) or (knowledge.nearest_release(known),)


@lru_cache(maxsize=CACHED)
def for_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """The stand-ins of all these releases: other processes of the log may have named some that are not known."""
    return tuple(dict.fromkeys(known for name in names for known in for_release(name)))


def _fixed(release: str) -> tuple[bool, ...]:
    key = release_key(release)
    state = []
    for name in FIXES:
        fixes = [release_key(fix.release) for fix in fixed_in(name)]
        same_minor = [fix for fix in fixes if fix[:2] == key[:2]]
        state.append(any(key >= fix for fix in same_minor) or (not same_minor and key >= max(fixes)))
    return tuple(state)


def for_unfitting(candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The stand-ins of a build whose lines fit no release: the nearest ones, and what came before on the main branch.

    A build between two releases of the main branch may lack what the later one has.
    """
    found = list(candidates)
    first = release_key(candidates[0])
    if first[3] < 3 or first[2] == 0:
        main = [r for r in knowledge.releases() if release_key(r) < first and _on_main_branch(r)]
        found[:0] = main[-1:]
    return tuple(found)


def _on_main_branch(release: str) -> bool:
    key = release_key(release)
    return key[2] == 0 or key[3] < 3
