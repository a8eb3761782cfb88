"""Deterministic names that two entries share: pod `a`, entry `b-c` and pod `a-b`, entry `c` both come to `a-b-c`.

The reason why kubernetes#117351 gave claims generated names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from klogreplay.claims.naming import deterministic_name
from klogreplay.claims.objects import Pod

Claimant = tuple[str, str]
"""A pod ("namespace/name") and the name of one of its entries."""


def ambiguous_names(pods: Iterable[Pod]) -> Mapping[tuple[str, str], tuple[Claimant, ...]]:
    """The deterministic names, as (namespace, name), that more than one template entry comes to, and those entries."""
    claimants: dict[tuple[str, str], dict[Claimant, None]] = {}
    for pod in pods:
        for entry in pod.spec.resource_claims:
            if entry.claim is None and entry.template is not None:
                name = (pod.metadata.namespace, deterministic_name(pod, entry.name))
                claimants.setdefault(name, {})[pod.key, entry.name] = None
    return {name: tuple(found) for name, found in claimants.items() if len(found) > 1}
