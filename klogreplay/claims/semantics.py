"""What differs between Kubernetes releases in the naming of a pod's claims."""

from __future__ import annotations

import re

import msgspec

_VERSION = re.compile(r"v?([0-9]{1,4})\.([0-9]{1,4})(?![0-9])")


class Semantics(msgspec.Struct, frozen=True):
    """How the components of one release find the claim of a pod's entry.

    `recorded_names`: the name is read from pod.status.resourceClaimStatuses (1.28, kubernetes#117351); before, it was
    `<pod>-<entry>`. `adopts_legacy_claims`: the claim controller records a claim that 1.27 or older made (1.28 to
    1.31; support removed in 1.32, kubernetes#127397). `structured_parameters`: the scheduler itself allocates devices,
    so that the end of any claim may help any pod (1.30). `extended_resources`: pod.status.extendedResourceClaimStatus
    names a further claim (1.34).
    """

    recorded_names: bool
    adopts_legacy_claims: bool
    structured_parameters: bool
    extended_resources: bool


def semantics_of(version: str | None) -> Semantics:
    """The semantics of a release such as "1.28", "v1.30.2" or "1.31.1-gke.5"; None stands for the newest.

    With None, claims that an older release made still count as recordable: nothing says that they would not be.
    Raises ValueError for what is no version.
    """
    if version is None:
        return Semantics(
            recorded_names=True,
            adopts_legacy_claims=True,
            structured_parameters=True,
            extended_resources=True,
        )
    release = minor_release(version)
    return Semantics(
        recorded_names=release >= (1, 28),
        adopts_legacy_claims=(1, 28) <= release < (1, 32),
        structured_parameters=release >= (1, 30),
        extended_resources=release >= (1, 34),
    )


def minor_release(version: str) -> tuple[int, int]:
    """Major and minor number of a version. Raises ValueError for what is no version."""
    match = _VERSION.match(version.strip())
    if match is None:
        raise ValueError(f"not a Kubernetes version: {version!r}")
    return int(match[1]), int(match[2])
