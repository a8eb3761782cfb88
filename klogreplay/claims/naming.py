"""The name of the claim that one entry of a pod's spec.resourceClaims stands for.

The counterpart of `resourceclaim.Name` in k8s.io/dynamic-resource-allocation, which the scheduler, the kubelet and the
claim controller call alike. It looks at the pod only, never at claims.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from klogreplay.claims.goquote import go_quote
from klogreplay.claims.objects import Pod, PodResourceClaim
from klogreplay.claims.semantics import Semantics

State = Literal["named", "not-needed", "not-created", "invalid"]
Source = Literal["spec.resourceClaimName", "deterministic-name", "status.resourceClaimStatuses"]


class Resolution(msgspec.Struct, frozen=True):
    """What an entry came to.

    `state` "named": `name` is the claim's. "not-needed": a status entry without a name says that no claim is needed.
    "not-created": no status entry yet. "invalid": none of the supported fields are set. `error` is upstream's text in
    the last two. `must_check_owner`: the claim must be the pod's own (see `is_for_pod`). `source` says where the
    answer was read, None where there is none.
    """

    state: State
    name: str | None
    must_check_owner: bool
    error: str | None
    source: Source | None


def deterministic_name(pod: Pod, entry: str) -> str:
    """The name that releases up to 1.27 give to the claim made from a template: `<pod>-<entry>`."""
    return f"{pod.metadata.name}-{entry}"


def claim_name(pod: Pod, entry: PodResourceClaim, semantics: Semantics) -> Resolution:
    """Resolve one entry of a pod (measured against Name() of 1.26.1 to 1.34.1).

    A direct reference wins over everything, even where it is the empty string. Up to 1.27 every other entry is
    `<pod>-<entry>`, and the plugin, not Name(), checks the owner of what came from a template.
    """
    if entry.claim is not None:
        # Up to 1.27 the plugin asks only whether a template is named, also where a claim is named beside it.
        check = not semantics.recorded_names and entry.template is not None
        return Resolution("named", entry.claim, check, None, "spec.resourceClaimName")
    if not semantics.recorded_names:
        check = entry.template is not None
        return Resolution("named", deterministic_name(pod, entry.name), check, None, "deterministic-name")
    if entry.template is None:
        error = f'pod "{pod.key}", spec.resourceClaim {go_quote(entry.name)}: none of the supported fields are set'
        return Resolution("invalid", None, False, error, None)
    if entry.name in pod.status.recorded:
        name = pod.status.recorded[entry.name]
        return Resolution("not-needed" if name is None else "named", name, True, None, "status.resourceClaimStatuses")
    return Resolution("not-created", None, False, f'pod "{pod.key}": ResourceClaim not created yet', None)
