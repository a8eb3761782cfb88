"""Whose a claim is: the counterpart of `resourceclaim.IsForPod` and `IsReservedForPod`."""

from __future__ import annotations

from klogreplay.claims.objects import OwnerReference, Pod, ResourceClaim


def controller_of(claim: ResourceClaim) -> OwnerReference | None:
    """The first owner reference with `controller: true`, as metav1.GetControllerOf finds it."""
    return next((owner for owner in claim.metadata.owner_references if owner.controller), None)


def is_for_pod(pod: Pod, claim: ResourceClaim) -> str | None:
    """None where the claim was made for the pod, else upstream's error text.

    Only the namespaces and the UID of the controlling owner are compared: not its kind, not its name, and two empty
    UIDs are equal (measured on 1.27.1, 1.28.0 and 1.34.1).
    """
    controller = controller_of(claim)
    if (
        claim.metadata.namespace == pod.metadata.namespace
        and controller is not None
        and controller.uid == pod.metadata.uid
    ):
        return None
    return f"ResourceClaim {claim.key} was not created for pod {pod.key} (pod is not owner)"


def is_reserved_for_pod(pod: Pod, claim: ResourceClaim) -> bool:
    """Whether the pod's UID is in status.reservedFor."""
    return pod.metadata.uid in claim.status.reserved_for_uids
