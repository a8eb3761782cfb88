"""What becomes of an update of a pod that is in flight?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue import actions
from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import ClusterEvent

UpdateInFlight = Callable[[tuple[ClusterEvent, ...]], tuple[ClusterEvent, ...] | None]

_GENERAL: Final = (ClusterEvent("Pod", actions.UPDATE, "UnschedulablePodUpdate"),)


def _queued_again(events: tuple[ClusterEvent, ...]) -> tuple[ClusterEvent, ...] | None:
    return None


def _recorded_as_one(events: tuple[ClusterEvent, ...]) -> tuple[ClusterEvent, ...] | None:
    return _GENERAL


def _recorded_each(events: tuple[ClusterEvent, ...]) -> tuple[ClusterEvent, ...] | None:
    return events


AXIS: Final = Axis[UpdateInFlight](
    name="update_in_flight",
    asks="What becomes of an update of a pod that is in flight?",
    behaviours=(
        Behaviour(
            name="queued-again",
            does="The pod is found in no queue, so it is put into activeQ while it is in flight; its failure is then "
            "refused as already present. Up to 1.30, and SchedulerQueueingHints off.",
            rule=_queued_again,
        ),
        Behaviour(
            name="recorded-as-one",
            does="It is kept as one event UnschedulablePodUpdate (Pod, Update); nothing is queued.",
            rule=_recorded_as_one,
            upstream=("kubernetes#125578",),
        ),
        Behaviour(
            name="recorded-each",
            does="Each change is kept as an event of its own; nothing is queued.",
            rule=_recorded_each,
            upstream=("kubernetes#127083",),
        ),
    ),
)
"""The rule takes the events of the update and gives those to keep, None where nothing is kept."""
