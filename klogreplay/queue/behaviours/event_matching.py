"""When does an event match what a plugin registered for?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import WILDCARD, ClusterEvent, Registration

EventMatching = Callable[[Registration, ClusterEvent], bool]

POD: Final = "Pod"
POD_KINDS: Final = frozenset({"AssignedPod", "UnschedulablePod"})


def _registered_wildcard(known: Registration, event: ClusterEvent) -> bool:
    return known.is_wildcard or _same_resource(known, event)


def _same_resource(known: Registration, event: ClusterEvent) -> bool:
    return known.resource == event.resource and known.action_mask & event.action != 0


def _wildcard_resource(known: Registration, event: ClusterEvent) -> bool:
    return known.is_wildcard or (known.resource in (event.resource, WILDCARD) and known.action_mask & event.action != 0)


def _pod_kinds(known: Registration, event: ClusterEvent) -> bool:
    return _wildcard_resource(known, event) or (
        known.resource == POD and event.resource in POD_KINDS and known.action_mask & event.action != 0
    )


def _action_within(known: Registration, event: ClusterEvent) -> bool:
    return known.is_wildcard or (_pod_kinds(known, event) and event.action <= known.action_mask)


AXIS: Final = Axis[EventMatching](
    name="event_matching",
    asks="When does an event match what a plugin registered for?",
    behaviours=(
        Behaviour(
            name="registered-wildcard",
            does="Same resource and a common action; a plugin registered for everything matches every event.",
            rule=_registered_wildcard,
            upstream=("kubernetes#98241",),
        ),
        Behaviour(
            name="same-resource",
            does="Same resource and a common action only; the scheduler unrolls wildcard registrations before the "
            "queue sees them, so that a wildcard registration itself matches wildcard events alone.",
            rule=_same_resource,
            upstream=("kubernetes#118551",),
        ),
        Behaviour(
            name="wildcard-resource",
            does="Same resource, or a registration with the wildcard resource, and a common action; a registration "
            "for everything matches every event again.",
            rule=_wildcard_resource,
            upstream=("kubernetes#123117",),
        ),
        Behaviour(
            name="pod-kinds",
            does="In addition a registration for Pod matches the resources AssignedPod and UnschedulablePod, into "
            "which pod events are split from here on.",
            rule=_pod_kinds,
        ),
        Behaviour(
            name="action-within-registration",
            does="In addition the event's action must not be numerically greater than the registered mask, so that an "
            "unspecific Update no longer matches a registration for one specific update.",
            rule=_action_within,
            upstream=("kubernetes#131693",),
        ),
    ),
)
