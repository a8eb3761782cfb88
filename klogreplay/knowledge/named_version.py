"""A version as the scheduler names it: which release it is, whose build of it, and whether the release is known."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from klogreplay.knowledge.release import CACHED, normalise_release, release_key, releases, without_release

LONGEST = 80
"""Characters of a version that are kept."""

_DESCRIBED = re.compile(r"[.-]\d{1,6}[+-]g?[0-9a-f]{7,40}(?:-dirty)?|-dirty", re.ASCII)
"""What Kubernetes' own build (hack/lib/version.sh) adds between two tags: commits since the tag, and the commit."""


class NamedVersion(msgspec.Struct, frozen=True):
    """A version: `printed` as in the log (no more than LONGEST characters), the bare `release`, and the `suffix`."""

    printed: str
    release: str
    suffix: str

    @property
    def known(self) -> bool:
        """Whether the catalogue has the release."""
        return self.release in releases()

    @property
    def name(self) -> str:
        """As it is to be named: the bare release, or what was printed where it is a build of its own."""
        return self.printed if self.suffix else self.release

    @property
    def build(self) -> str:
        """Whose build it is: "a vendor's build of 1.28.0"; "" for the release itself."""
        if not self.suffix:
            return ""
        kind = "a development build after" if _DESCRIBED.fullmatch(self.suffix) else "a vendor's build of"
        return f"{kind} {self.release}"

    @property
    def unknown(self) -> str:
        """How the release is not known: "newer than all known releases"; "" for one that is."""
        return unknown_as(self.release)


def named_version(text: str) -> NamedVersion | None:
    """The version in `text`; None where it holds none."""
    release = normalise_release(text)
    if release is None:
        return None
    return NamedVersion(text.strip()[:LONGEST], release, without_release(text)[:LONGEST])


@lru_cache(maxsize=CACHED)
def unknown_as(release: str) -> str:
    """In which way the catalogue does not have a release; "" where it has it.

    ValueError where `release` is none.
    """
    if release in releases():
        return ""
    key = release_key(release)
    if key > release_key(releases()[-1]):
        return "newer than all known releases"
    if key < release_key(releases()[0]):
        return "older than all known releases"
    return "not among the known releases"
