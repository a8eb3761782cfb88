"""Whether an event matches a registration, by the rules of each release."""

from __future__ import annotations

from klogreplay.knowledge.event import WILDCARD, event_table
from klogreplay.knowledge.release import minor_of
from klogreplay.knowledge.types import EventFact, Registration

_PODS = frozenset({"AssignedPod", "UnschedulablePod"})


def matches(release: str, registration: Registration, event: EventFact) -> bool:
    """Whether the queue of `release` counts `event` as one that `registration` asked for.

    Up to 1.27 the resource is the same and the actions overlap, or the registration is the wildcard. In 1.28 and 1.29 a
    wildcard registration matches wildcard events only. From 1.30 on it matches everything again, and "*" matches any
    resource; from 1.32 on "Pod" matches assigned and unschedulable pods; from 1.34 on the event's action must besides
    not be the larger number, so that an unspecific Update does not match a registration for one narrow update.
    """
    minor = minor_of(release)
    mask = registration.action_mask
    if minor not in {28, 29} and registration.resource == WILDCARD and mask == event_table(release).actions["All"]:
        return True
    if not mask & event.action_mask or not _same_resource(minor, registration.resource, event):
        return False
    return minor < 34 or event.action_mask <= mask


def _same_resource(minor: int, registered: str, event: EventFact) -> bool:
    if registered == event.resource or (registered == WILDCARD and minor >= 30):
        return True
    if event.custom and minor < 32:
        # Up to 1.31 the label shows the plural only, a registration plural.version.group.
        return registered.partition(".")[0] == event.resource
    return minor >= 32 and registered == "Pod" and event.resource in _PODS
