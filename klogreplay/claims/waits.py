"""What a pod waits for because of one of its claims, told from the objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from klogreplay.claims.objects import Pod, ResourceClaim
from klogreplay.claims.owner import controller_of, is_for_pod, is_reserved_for_pod

WaitCode = Literal[
    "creation",
    "missing",
    "status-update",
    "foreign",
    "deletion",
    "deallocation",
    "allocation",
    "in-use",
    "driver",
    "retry",
    "spec",
]
"""creation: no claim was made yet. missing: a claim of that name does not exist. status-update: it exists, but the
pod's status does not name it. foreign: it was made for another pod. deletion, deallocation, allocation: that has to
come first. in-use: others have reserved it. driver: a resource driver has to answer. retry: an update collided. spec:
the entry itself is at fault."""


_SHOWN = 3


class Wait(msgspec.Struct, frozen=True):
    """One reason to wait; `text` completes the sentence "the pod waits for ..."."""

    code: WaitCode
    text: str


def done_with_claims(pod: Pod) -> bool:
    """Whether the pod no longer waits for claims: it is on a node, or finished."""
    return bool(pod.spec.node_name) or pod.status.phase in ("Succeeded", "Failed")


def wait_for_claim(pod: Pod, claim: ResourceClaim, *, must_check_owner: bool) -> Wait | None:
    """What the pod waits for although the claim exists, in the order in which the plugin looks (1.26-1.34)."""
    name = claim.metadata.name
    if claim.metadata.deletion_timestamp is not None:
        return Wait("deletion", f"the deletion of claim {name}, and for a new one")
    if must_check_owner and is_for_pod(pod, claim) is not None:
        return Wait("foreign", f"a claim of its own: {name} belongs to {_owner_text(pod, claim)}")
    if claim.status.deallocation_requested:
        return Wait("deallocation", f"the deallocation of claim {name}")
    if claim.status.allocation is None:
        return Wait("allocation", f"the allocation of claim {name}")
    if not is_reserved_for_pod(pod, claim) and not _can_be_reserved(claim):
        users = listed([f"{user.resource}/{user.name}" for user in claim.status.reserved_for])
        return Wait("in-use", f"claim {name}, which is in use by {users}")
    return None


def listed(names: Sequence[str]) -> str:
    """Names in a text: the first few, and how many more."""
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _owner_text(pod: Pod, claim: ResourceClaim) -> str:
    owner = controller_of(claim)
    if owner is None:
        return "nobody"
    text = f"{owner.kind.lower() or 'object'} {owner.name or owner.uid}"
    if claim.metadata.namespace == pod.metadata.namespace and owner.name == pod.metadata.name:
        return f"an older or newer {text}, of UID {owner.uid}"
    return text


def _can_be_reserved(claim: ResourceClaim) -> bool:
    # Only claims of the first two API versions say whether they can be shared; later ones always can.
    if claim.api_version.endswith(("/v1alpha1", "/v1alpha2")):
        allocation = claim.status.allocation
        return not claim.status.reserved_for or (allocation is not None and allocation.shareable)
    return True
