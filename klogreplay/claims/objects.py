"""The objects that claims are told from, read over all shapes their APIs have had.

resource.k8s.io v1alpha1 (1.26) to v1 (1.34) agree in what is used here, but for one name: PodScheduling (v1alpha1)
became PodSchedulingContext. A pod's entries have their two name fields under `source` up to 1.30 and flat from 1.31;
both are read. As in Go, a missing field and null are the zero value, so empty names, namespaces and UIDs are legal.
Unknown fields are ignored; a field of the wrong type is a `pydantic.ValidationError`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

POD_CLAIM_ANNOTATION = "resource.kubernetes.io/pod-claim-name"
"""Set by the claim controller on what it generates (1.28, kubernetes#117351): the name of the pod's entry."""


def _zero(kind: type) -> BeforeValidator:
    return BeforeValidator(lambda value: kind() if value is None else value)


Text = Annotated[str, _zero(str)]
Flag = Annotated[bool, _zero(bool)]


class KubeModel(BaseModel):
    """Base of all objects and their parts."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, alias_generator=to_camel, populate_by_name=True)


class OwnerReference(KubeModel):
    """One entry of metadata.ownerReferences."""

    api_version: Text = ""
    kind: Text = ""
    name: Text = ""
    uid: Text = ""
    controller: Flag = False


class ObjectMeta(KubeModel):
    """The part of metadata that is looked at."""

    name: Text = ""
    namespace: Text = ""
    uid: Text = ""
    annotations: Annotated[dict[str, Text], _zero(dict)] = Field(default_factory=dict)
    owner_references: Annotated[list[OwnerReference], _zero(list)] = Field(default_factory=list)
    deletion_timestamp: str | None = None


class KubeObject(KubeModel):
    """An object with metadata; `key` is "namespace/name"."""

    metadata: Annotated[ObjectMeta, _zero(dict)] = Field(default_factory=ObjectMeta)

    @property
    def key(self) -> str:
        """ "namespace/name", as logs print it."""
        return f"{self.metadata.namespace}/{self.metadata.name}"


class ClaimSource(KubeModel):
    """Where the two name fields of an entry stood up to 1.30."""

    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodResourceClaim(ClaimSource):
    """One entry of spec.resourceClaims, in either shape.

    `claim` and `template` give the names whichever shape they were read from: None where not set; the empty string
    counts as set.
    """

    name: Text = ""
    source: ClaimSource | None = None

    @property
    def claim(self) -> str | None:
        """The name of an existing claim, where the entry refers to one."""
        if self.resource_claim_name is None and self.source is not None:
            return self.source.resource_claim_name
        return self.resource_claim_name

    @property
    def template(self) -> str | None:
        """The name of the template from which a claim is to be made."""
        if self.resource_claim_template_name is None and self.source is not None:
            return self.source.resource_claim_template_name
        return self.resource_claim_template_name


class PodResourceClaimStatus(KubeModel):
    """One entry of status.resourceClaimStatuses (1.28+). A `resource_claim_name` of None: no claim is needed."""

    name: Text = ""
    resource_claim_name: str | None = None


class ExtendedResourceClaimStatus(KubeModel):
    """status.extendedResourceClaimStatus (1.34+): the claim that stands for the pod's extended resources."""

    resource_claim_name: Text = ""


class PodSpec(KubeModel):
    """The part of a pod's spec that is looked at."""

    node_name: Text = ""
    resource_claims: Annotated[list[PodResourceClaim], _zero(list)] = Field(default_factory=list)


class PodStatus(KubeModel):
    """The part of a pod's status that is looked at."""

    phase: Text = ""
    resource_claim_statuses: Annotated[list[PodResourceClaimStatus], _zero(list)] = Field(default_factory=list)
    extended_resource_claim_status: ExtendedResourceClaimStatus | None = None

    @cached_property
    def recorded(self) -> dict[str, str | None]:
        """The claim names by entry; of an entry recorded twice the first counts."""
        return {status.name: status.resource_claim_name for status in reversed(self.resource_claim_statuses)}


class Pod(KubeObject):
    """A pod."""

    spec: Annotated[PodSpec, _zero(dict)] = Field(default_factory=PodSpec)
    status: Annotated[PodStatus, _zero(dict)] = Field(default_factory=PodStatus)


class ConsumerReference(KubeModel):
    """One entry of a claim's status.reservedFor."""

    resource: Text = ""
    name: Text = ""
    uid: Text = ""


class Allocation(KubeModel):
    """status.allocation; that it is there is what counts. `shareable` exists up to v1alpha2."""

    shareable: Flag = False


class ClaimSpec(KubeModel):
    """The part of a claim's spec that is looked at. `allocation_mode` exists up to v1alpha2."""

    allocation_mode: Text = ""


class ClaimStatus(KubeModel):
    """The part of a claim's status that is looked at. `deallocation_requested` exists up to v1alpha3."""

    allocation: Allocation | None = None
    reserved_for: Annotated[list[ConsumerReference], _zero(list)] = Field(default_factory=list)
    deallocation_requested: Flag = False

    @cached_property
    def reserved_for_uids(self) -> frozenset[str]:
        """The UIDs of those that may use the claim."""
        return frozenset(consumer.uid for consumer in self.reserved_for)


class ResourceClaim(KubeObject):
    """A claim."""

    api_version: Text = ""
    spec: Annotated[ClaimSpec, _zero(dict)] = Field(default_factory=ClaimSpec)
    status: Annotated[ClaimStatus, _zero(dict)] = Field(default_factory=ClaimStatus)


class ResourceClaimTemplate(KubeObject):
    """A template; only that it exists is looked at."""


class SchedulingSpec(KubeModel):
    """The part of a PodSchedulingContext's spec that is looked at."""

    selected_node: Text = ""


class PodSchedulingContext(KubeObject):
    """What scheduler and resource driver tell each other about the pod of the same name (1.26-1.31)."""

    spec: Annotated[SchedulingSpec, _zero(dict)] = Field(default_factory=SchedulingSpec)
