"""Known bugs of hint functions, as data: which answer "skip" of which plugin each of them would explain."""

from __future__ import annotations

import msgspec

from klogreplay.replay.types import Parking
from klogreplay.rules.base import Case
from klogreplay.rules.known_bugs import Match, matching
from klogreplay.rules.queue.shared import rejected_by
from klogreplay.rules.sensors.flush_rescues import Rescue


class Suspect(msgspec.Struct, frozen=True):
    """A bug of a hint function.

    It fits a rescue whose pod `plugin` had rejected, with `reason` in the failure's text, that was asked about an event
    whose label ends in one of `events`; `hint` is part of the plugin's own line, where the bug shows in one. `decides`
    says what would tell it from the others.
    """

    bug: str
    plugin: str
    events: tuple[str, ...]
    reason: str = ""
    hint: str = ""
    decides: str = ""


SUSPECTS: tuple[Suspect, ...] = (
    Suspect(
        "KB32",
        "InterPodAffinity",
        ("AssignedPodDelete",),
        reason="didn't satisfy existing pods anti-affinity rules",
        decides="the deleted pod had an anti-affinity against the waiting one",
    ),
    Suspect(
        "KB33",
        "InterPodAffinity",
        ("AssignedPodDelete", "UnschedulablePodUpdate", "PodLabel"),
        reason="anti-affinity rules",
        decides="the waiting pod has several anti-affinity terms, or its labels were changed",
    ),
    Suspect(
        "KB34",
        "InterPodAffinity",
        ("AssignedPodDelete",),
        reason="didn't match pod affinity rules",
        decides="the waiting pod has an affinity to its own labels",
    ),
    Suspect(
        "KB35",
        "NodeResourcesFit",
        ("AssignedPodDelete",),
        hint="deleted pod was unscheduled",
        decides="the binding of another pod failed just before",
    ),
    Suspect(
        "KB35",
        "NodePorts",
        ("AssignedPodDelete",),
        hint="deleted pod is unscheduled",
        decides="the binding of another pod failed just before",
    ),
    Suspect("KB24", "PodTopologySpread", ("NodeDelete",), decides="the deleted node was the one that broke the spread"),
    Suspect(
        "KB28",
        "DynamicResources",
        ("ResourceClaimDelete",),
        decides="no update of the claim's allocation comes before its deletion",
    ),
    Suspect(
        "KB26",
        "DynamicResources",
        ("ResourceSliceAdd", "ResourceSliceUpdate"),
        reason="cannot allocate all claims",
        decides="the driver published its devices while the pod waited",
    ),
    Suspect(
        "KB30",
        "VolumeBinding",
        ("PvAdd", "PersistentVolumeAdd"),
        reason="didn't find available persistent volumes to bind",
        decides="the volume was created by hand while the pod waited",
    ),
)


def suspects(case: Case, rescue: Rescue, parking: Parking | None) -> list[tuple[Suspect, Match]]:
    """The bugs that the rescue fits, of those that the release can have."""
    found: dict[str, tuple[Suspect, Match]] = {}
    for suspect in SUSPECTS:
        if suspect.bug in found or not rejected_by(parking, suspect.plugin) or suspect.reason not in rescue.failed.err:
            continue
        if not any(asked.event.rpartition("/")[2].startswith(suspect.events) for asked in rescue.asked):
            continue
        if suspect.hint and not any(suspect.hint in line.message for line in rescue.hints):
            continue
        matches = matching(case, suspect.bug)
        if matches:
            found[suspect.bug] = (suspect, matches[0])
    return list(found.values())
