"""Reading a claim's name: by which scheme was it made, and for which entry of the pod.

The claim controller asks the API server for `<pod>-<entry>-` and five random characters (1.29+, kubernetes#120336; in
1.28 without the last hyphen). Where that comes to more than 57 characters it first shortens pod and entry in
proportion. Up to 1.27 the name was `<pod>-<entry>` and nothing else.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Scheme = Literal["generated", "deterministic"]

_SUFFIX_LENGTH = 5
_MAX_BASE = 57
_LONGEST_ENTRY = 63
# The alphabet of apimachinery's rand.String: no vowels, no look-alikes.
_SUFFIX = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}\Z")


class NameParts(msgspec.Struct, frozen=True):
    """How a claim's name reads for a pod. `entry` may be the shortened form of the entry's name (`shortened`)."""

    scheme: Scheme
    entry: str
    shortened: bool = False


def read_claim_name(pod_name: str, claim_name: str, *, recorded_names: bool = True) -> NameParts | None:
    """Read `claim_name` as that of a claim made for a pod; None where it cannot be one.

    `recorded_names` False (up to 1.27) leaves only the deterministic scheme. Otherwise a name that ends like a
    generated one is taken for one: that `gpu-x7f2p` is the entry itself cannot be told from the name.
    """
    prefix = f"{pod_name}-"
    rest = claim_name[len(prefix) :] if claim_name.startswith(prefix) else ""
    if not recorded_names:
        return NameParts("deterministic", rest) if rest else None
    if rest:
        if _SUFFIX.search(rest) and len(rest) > _SUFFIX_LENGTH:
            entry = rest[:-_SUFFIX_LENGTH].removesuffix("-")
            if entry:
                return NameParts("generated", entry)
        return NameParts("deterministic", rest)
    shortened = _shortened_entry(pod_name, claim_name)
    return NameParts("generated", shortened, shortened=True) if shortened else None


def is_generated_from(pod_name: str, entry: str, claim_name: str) -> bool:
    """Whether `claim_name` is one that the claim controller of 1.28+ can have made for this pod and entry."""
    if not _SUFFIX.search(claim_name):
        return False
    base = claim_name[:-_SUFFIX_LENGTH]
    return base in (_base(pod_name, entry, f"{pod_name}-{entry}-"), _base(pod_name, entry, f"{pod_name}-{entry}"))


def _base(pod_name: str, entry: str, full: str) -> str:
    if len(full) <= _MAX_BASE:
        return full
    return f"{pod_name[: len(pod_name) * _MAX_BASE // len(full)]}-{entry[: len(entry) * _MAX_BASE // len(full)]}"


def _shortened_entry(pod_name: str, claim_name: str) -> str | None:
    """The shortened entry in a name whose pod part was shortened too; its real length has to be tried."""
    if not _SUFFIX.search(claim_name):
        return None
    base = claim_name[:-_SUFFIX_LENGTH]
    for length in range(1, _LONGEST_ENTRY + 1):
        for full in (len(pod_name) + length + 2, len(pod_name) + length + 1):
            if full <= _MAX_BASE:
                continue
            kept = len(pod_name) * _MAX_BASE // full
            entry = base[kept + 1 :]
            if base[: kept + 1] == f"{pod_name[:kept]}-" and entry and len(entry) == length * _MAX_BASE // full:
                return entry
    return None
