"""Which known releases speak for a log whose own release is not among them.

A verdict then holds only if it holds for each of them.
"""

from __future__ import annotations

from functools import lru_cache

from klogreplay.knowledge.release import CACHED, nearest_release, normalise_release, release_key, releases
from klogreplay.knowledge.upstream import CODES, fixed_in


@lru_cache(maxsize=CACHED)
def neighbours(name: str) -> tuple[str, ...]:
    """The release itself where it is known, else the known ones before and after it of its minor, else the nearest.

    What `name` prints is what one of them prints, unless it changed twice between them. ValueError where `name` holds
    no release.
    """
    known = _release(name)
    if known in releases():
        return (known,)
    key = release_key(known)
    minor = [r for r in releases() if release_key(r)[:2] == key[:2]]
    below = [r for r in minor if release_key(r) < key][-1:]
    above = [r for r in minor if release_key(r) > key][:1]
    return (*below, *above) or (nearest_release(known),)


@lru_cache(maxsize=CACHED)
def for_release(name: str) -> tuple[str, ...]:
    """The stand-ins of a release named by the log or the user: itself, else its neighbours of the same minor.

    A neighbour is left out where upstream's release notes place a fix of this model between it and `name`.
    ValueError where `name` holds no release.
    """
    near = neighbours(name)
    same = tuple(r for r in near if _fixed(r) == _fixed(_release(name)))
    return same or near


def _release(name: str) -> str:
    known = normalise_release(name)
    if known is None:
        raise ValueError(f"not a Kubernetes release: {name!r}")
    return known


@lru_cache(maxsize=CACHED)
def for_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """The stand-ins of all these releases: other processes of the log may have named some that are not known."""
    return tuple(dict.fromkeys(known for name in names for known in for_release(name)))


def _fixed(release: str) -> tuple[bool, ...]:
    key = release_key(release)
    state = []
    for name in CODES:
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
        main = [r for r in releases() if release_key(r) < first and _on_main_branch(r)]
        found[:0] = main[-1:]
    return tuple(found)


def _on_main_branch(release: str) -> bool:
    key = release_key(release)
    return key[2] == 0 or key[3] < 3
