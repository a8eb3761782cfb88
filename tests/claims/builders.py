"""Short ways to make the objects that the tests of this package talk about."""

from __future__ import annotations

from typing import Any

from klogreplay.claims.objects import Pod, ResourceClaim

ANNOTATION = "resource.kubernetes.io/pod-claim-name"


def pod(name: str = "web-0", *entries: dict[str, Any], uid: str = "uid-1", **status: Any) -> Pod:
    return Pod.model_validate(
        {
            "metadata": {"name": name, "namespace": "default", "uid": uid},
            "spec": {"resourceClaims": list(entries)},
            "status": status,
        }
    )


def claim(name: str, owner_uid: str | None = "uid-1", *, namespace: str = "default", **rest: Any) -> ResourceClaim:
    owners = [{"apiVersion": "v1", "kind": "Pod", "name": "web-0", "uid": owner_uid, "controller": True}]
    return ResourceClaim.model_validate(
        {
            "apiVersion": rest.pop("api_version", "resource.k8s.io/v1"),
            "metadata": {
                "name": name,
                "namespace": namespace,
                "annotations": rest.pop("annotations", {}),
                "ownerReferences": owners if owner_uid is not None else [],
                **rest.pop("metadata", {}),
            },
            **rest,
        }
    )
