"""The claim that exists for an entry although the pod's status does not say so.

The counterpart of the claim controller's search for an orphaned claim, which it makes before it creates a new one: a
claim whose status update failed, or one that a release up to 1.27 made (kubernetes#117351).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from klogreplay.claims.naming import deterministic_name
from klogreplay.claims.objects import POD_CLAIM_ANNOTATION, Pod, PodResourceClaim, ResourceClaim
from klogreplay.claims.owner import controller_of, is_for_pod

Sign = Literal["annotation", "legacy-name"]


class OrphanedClaim(msgspec.Struct, frozen=True):
    """A claim made for an entry of a pod.

    `sign` "annotation": its annotation names the entry, so the update of the pod's status failed or is still to come.
    "legacy-name": it has no annotation and the name that releases up to 1.27 gave.
    """

    claim: ResourceClaim
    sign: Sign


class Orphans:
    """All claims, so laid out that those made for an entry are found at once."""

    def __init__(self, claims: Iterable[ResourceClaim]) -> None:
        self._by_entry: dict[tuple[str, str, str], ResourceClaim] = {}
        self._by_name: dict[tuple[str, str, str], ResourceClaim] = {}
        for claim in claims:
            owner = controller_of(claim)
            if owner is None or not _owned_by_a_pod(claim):
                continue
            annotation = claim.metadata.annotations.get(POD_CLAIM_ANNOTATION)
            key = claim.metadata.name if annotation is None else annotation
            found = self._by_name if annotation is None else self._by_entry
            found.setdefault((claim.metadata.namespace, owner.uid, key), claim)

    def of_entry(self, pod: Pod, entry: PodResourceClaim) -> OrphanedClaim | None:
        """A claim made for this entry: one that is annotated for it, else one with the name of 1.27."""
        place = (pod.metadata.namespace, pod.metadata.uid)
        candidates = (
            self._by_entry.get((*place, entry.name)),
            self._by_name.get((*place, deterministic_name(pod, entry.name))),
        )
        return next(orphaned_claims(pod, entry, filter(None, candidates)), None)


def orphaned_claims(pod: Pod, entry: PodResourceClaim, claims: Iterable[ResourceClaim]) -> Iterator[OrphanedClaim]:
    """The claims among `claims` that were made for this entry, in the order given; the controller takes the first.

    Only claims whose controlling owner is the pod count. An annotation for another entry rules a claim out, whatever
    its name.
    """
    legacy_name = deterministic_name(pod, entry.name)
    for claim in claims:
        if is_for_pod(pod, claim) is not None or not _owned_by_a_pod(claim):
            continue
        annotation = claim.metadata.annotations.get(POD_CLAIM_ANNOTATION)
        if annotation == entry.name:
            yield OrphanedClaim(claim, "annotation")
        elif annotation is None and claim.metadata.name == legacy_name:
            yield OrphanedClaim(claim, "legacy-name")


def _owned_by_a_pod(claim: ResourceClaim) -> bool:
    # The controller looks at the kind too, unlike IsForPod; a cut-down object without a kind gets the benefit.
    owner = controller_of(claim)
    return owner is not None and owner.kind in ("", "Pod")
