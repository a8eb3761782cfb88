"""The objects of the claim events that came while a pod was in flight: a neighbour's event is none of the pod's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from klogreplay.claims.attribution import ClaimEvent, kind_of_label
from klogreplay.claims.evidence import ClaimEvidence
from klogreplay.claims.log_relation import PLUGIN
from klogreplay.replay.parkings import ParkingStore
from klogreplay.replay.types import Judged, Parking


def name_objects(parkings: Iterable[Parking], claims: ClaimEvidence) -> None:
    """Write into the parkings' concurrent events what each was about: "resourceclaim ns/name" or the context likewise.

    An event of an object that is none of the pod's gets the effect "skip" where it was not to be told: to the rejector
    DynamicResources alone it means nothing. Verdicts stay as they are.
    """
    if not isinstance(parkings, ParkingStore):
        for parking in parkings:
            _name(claims, parking)
    elif claims.attribution.events:
        parkings.amend = partial(_name, claims)


def _name(claims: ClaimEvidence, parking: Judged) -> None:
    for event in parking.concurrent_events:
        if event.line is None or kind_of_label(event.event) is None:
            continue
        told = claims.attribution.event_at(event.line, parking.source)
        if told is None or told.label != event.event:
            continue
        if event.object is None and told.object is not None:
            event.object = f"{told.kind.lower()} {told.object}"
        if (
            event.effect == "unknown"
            and parking.rejector_plugins == (PLUGIN,)
            and claims.attribution.concerns(told, parking.pod) is False
            and not _may_free_devices(told, claims)
        ):
            event.effect = "skip"


def _may_free_devices(told: ClaimEvent, claims: ClaimEvidence) -> bool:
    """With structured parameters (1.30+) the deallocation of any claim may help any pod."""
    return claims.semantics.structured_parameters and told.kind == "ResourceClaim" and not told.label.endswith("Add")
