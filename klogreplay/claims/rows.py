"""The table of `klogreplay claims`: one row for each claim entry of each pod, told from the objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from klogreplay.claims.ambiguity import Claimant, ambiguous_names
from klogreplay.claims.naming import Resolution, State, claim_name, deterministic_name
from klogreplay.claims.objects import Pod, PodResourceClaim, ResourceClaim
from klogreplay.claims.owner import is_for_pod
from klogreplay.claims.reading import Objects
from klogreplay.claims.semantics import Semantics
from klogreplay.claims.transition import OrphanedClaim, Orphans
from klogreplay.claims.waits import Wait, done_with_claims, wait_for_claim

Owner = Literal["ok", "foreign", "unknown"]
ResolvedBy = Literal[
    "spec.resourceClaimName",
    "status.resourceClaimStatuses",
    "status.extendedResourceClaimStatus",
    "deterministic-name",
    "ambiguous-deterministic-name",
    "claim-annotation",
    "legacy-name",
    "log",
]
"""Where a claim's name is known from. "claim-annotation" and "legacy-name": the pod's status does not name a claim, but
one exists that was made for the entry. "ambiguous-deterministic-name": another entry comes to the same name."""


class ClaimRow(msgspec.Struct, kw_only=True):
    """One entry of one pod. `entry` is None for a claim that stands for extended resources, or where only the log
    speaks and does not tell. `owner` is that of the claim called `name`. `wait` and `orphan` are for the rules.
    """

    pod: str
    entry: str | None
    state: State
    name: str | None
    must_check_owner: bool | None
    error: str | None
    owner: Owner
    resolved_by: ResolvedBy | None
    wait: Wait | None = None
    orphan: OrphanedClaim | None = None
    claimants: tuple[Claimant, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The row as `--format json` prints it."""
        return {
            "pod": self.pod,
            "entry": self.entry,
            "state": self.state,
            "name": self.name,
            "must_check_owner": self.must_check_owner,
            "error": self.error,
            "owner": self.owner,
            "resolved_by": self.resolved_by,
            "waits_for": self.wait.text if self.wait is not None else None,
        }


def rows_of_objects(objects: Objects, semantics: Semantics) -> Iterator[ClaimRow]:
    """The rows of all pods by namespace and name, entries in the order of the spec."""
    teller = _Teller(objects, semantics)
    for key in sorted(objects.pods):
        yield from teller.rows(objects.pods[key])


class _Teller:
    def __init__(self, objects: Objects, semantics: Semantics) -> None:
        self._objects = objects
        self._semantics = semantics
        self._ambiguous = ambiguous_names(objects.pods.values())
        self._orphans = Orphans(objects.claims[key] for key in sorted(objects.claims))

    def rows(self, pod: Pod) -> Iterator[ClaimRow]:
        for entry in pod.spec.resource_claims:
            yield self._entry_row(pod, entry)
        extended = pod.status.extended_resource_claim_status
        if extended is not None and self._semantics.extended_resources:
            yield self._extended_row(pod, extended.resource_claim_name)

    def _claim(self, pod: Pod, name: str | None) -> ResourceClaim | None:
        return None if name is None else self._objects.claims.get((pod.metadata.namespace, name))

    def _entry_row(self, pod: Pod, entry: PodResourceClaim) -> ClaimRow:
        resolution = claim_name(pod, entry, self._semantics)
        resolved_by: ResolvedBy | None = resolution.source
        claim = self._claim(pod, resolution.name)
        orphan = None
        claimants: tuple[Claimant, ...] = ()
        if resolution.state == "not-created":
            orphan = self._orphans.of_entry(pod, entry)
            if orphan is not None:
                resolved_by = "claim-annotation" if orphan.sign == "annotation" else "legacy-name"
        elif resolution.source == "deterministic-name":
            claimants = self._ambiguous.get((pod.metadata.namespace, deterministic_name(pod, entry.name)), ())
            if claimants:
                resolved_by = "ambiguous-deterministic-name"
        row = ClaimRow(
            pod=pod.key,
            entry=entry.name,
            state=resolution.state,
            name=resolution.name,
            must_check_owner=resolution.must_check_owner,
            error=resolution.error,
            owner=_owner(pod, claim),
            resolved_by=resolved_by,
            orphan=orphan,
            claimants=claimants,
        )
        if not done_with_claims(pod):
            row.wait = self._wait(pod, entry, resolution, orphan)
        return row

    def _extended_row(self, pod: Pod, name: str) -> ClaimRow:
        claim = self._claim(pod, name)
        row = ClaimRow(
            pod=pod.key,
            entry=None,
            state="named",
            name=name,
            must_check_owner=True,
            error=None,
            owner=_owner(pod, claim),
            resolved_by="status.extendedResourceClaimStatus",
        )
        if claim is not None and not done_with_claims(pod):
            row.wait = wait_for_claim(pod, claim, must_check_owner=True)
        return row

    def _wait(
        self, pod: Pod, entry: PodResourceClaim, resolution: Resolution, orphan: OrphanedClaim | None
    ) -> Wait | None:
        match resolution.state:
            case "not-needed":
                return None
            case "invalid":
                return Wait("spec", "an entry that names a claim or a template: no field known here is set")
            case "not-created":
                return self._wait_for_status(pod, entry, orphan)
        claim = self._claim(pod, resolution.name)
        if claim is not None:
            return wait_for_claim(pod, claim, must_check_owner=resolution.must_check_owner)
        if not self._objects.complete_claims:
            return None
        if resolution.source == "deterministic-name" and entry.template is not None:
            return Wait("creation", f"the claim controller to create claim {resolution.name}")
        return Wait("missing", f"claim {resolution.name}, which does not exist")

    def _wait_for_status(self, pod: Pod, entry: PodResourceClaim, orphan: OrphanedClaim | None) -> Wait:
        controller = "the claim controller to create a claim"
        if orphan is not None:
            name = orphan.claim.metadata.name
            if orphan.sign == "legacy-name" and not self._semantics.adopts_legacy_claims:
                return Wait("creation", f"{controller}; {name}, made by 1.27 or older, is not taken over from 1.32 on")
            return Wait("status-update", f"its status to name claim {name}, which exists")
        if self._objects.templates and (pod.metadata.namespace, entry.template or "") not in self._objects.templates:
            return Wait("creation", f"{controller}; template {entry.template} does not exist")
        return Wait("creation", f"{controller} from template {entry.template}")


def _owner(pod: Pod, claim: ResourceClaim | None) -> Owner:
    if claim is None:
        return "unknown"
    return "ok" if is_for_pod(pod, claim) is None else "foreign"
