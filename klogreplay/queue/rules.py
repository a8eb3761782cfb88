"""A profile compiled: for each axis the rule of the behaviour it chose."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from klogreplay.queue.behaviours import AXES
from klogreplay.queue.behaviours.activate_missed import ActivateMissed
from klogreplay.queue.behaviours.assigned_pods import AssignedPods
from klogreplay.queue.behaviours.assigned_scale_down import AssignedScaleDown
from klogreplay.queue.behaviours.backoff_count import BackoffCount
from klogreplay.queue.behaviours.backoff_end import BackoffEnd
from klogreplay.queue.behaviours.backoff_window import BackoffWindow
from klogreplay.queue.behaviours.error_backoff import ErrorBackoff
from klogreplay.queue.behaviours.event_matching import EventMatching
from klogreplay.queue.behaviours.gated_placement import GatedPlacement
from klogreplay.queue.behaviours.gated_pods_on_events import GatedPodsOnEvents
from klogreplay.queue.behaviours.in_flight import InFlight
from klogreplay.queue.behaviours.plugins_at_failure import PluginsAtFailure
from klogreplay.queue.behaviours.plugins_at_pop import PluginsAtPop
from klogreplay.queue.behaviours.pod_events import PodEvents
from klogreplay.queue.behaviours.pre_enqueue import PreEnqueuePoints
from klogreplay.queue.behaviours.pre_enqueue_order import PreEnqueueOrder
from klogreplay.queue.behaviours.recreated_pod import RecreatedPod
from klogreplay.queue.behaviours.rejector_sets import RejectorSets
from klogreplay.queue.behaviours.requeue_decision import RequeueDecision
from klogreplay.queue.behaviours.return_not_in_flight import ReturnNotInFlight
from klogreplay.queue.behaviours.return_path import ReturnPath
from klogreplay.queue.behaviours.return_without_rejectors import ReturnWithoutRejectors
from klogreplay.queue.behaviours.untried_backoff import UntriedBackoff
from klogreplay.queue.behaviours.update_difference import UpdateDifference
from klogreplay.queue.behaviours.update_in_flight import UpdateInFlight
from klogreplay.queue.behaviours.update_parked import UpdateParked
from klogreplay.queue.behaviours.wildcard_events import WildcardEvents


class Rules(msgspec.Struct, frozen=True, gc=False):
    """One field per axis, named as the axis; what each rule takes and gives stands in the axis' module."""

    activate_from_backoff: bool
    activate_missed: ActivateMissed
    active_entry: bool
    assigned_pods: AssignedPods
    assigned_scale_down: AssignedScaleDown
    backoff_count: BackoffCount
    backoff_end: BackoffEnd
    backoff_window: BackoffWindow
    claim_event: bool
    delete_search: bool
    duplicate_pop: bool
    error_backoff: ErrorBackoff
    event_interest: bool
    event_matching: EventMatching
    first_attempt: bool
    gated_backoff: bool
    gated_placement: GatedPlacement
    gated_pods_on_events: GatedPodsOnEvents
    in_flight: InFlight
    leftover_flag: bool
    leftover_limit: int
    plugins_at_failure: PluginsAtFailure
    plugins_at_pop: PluginsAtPop
    pod_events: PodEvents
    pop_source: bool
    pop_specific: bool
    pre_enqueue: PreEnqueuePoints
    pre_enqueue_order: PreEnqueueOrder
    recreated_pod: RecreatedPod
    rejector_sets: RejectorSets
    requeue_decision: RequeueDecision
    return_not_in_flight: ReturnNotInFlight
    return_path: ReturnPath
    return_without_rejectors: ReturnWithoutRejectors
    untried_backoff: UntriedBackoff
    update_difference: UpdateDifference
    update_in_backoff: bool
    update_in_flight: UpdateInFlight
    update_parked: UpdateParked
    wildcard_events: WildcardEvents
    zero_max_backoff: bool


@lru_cache(maxsize=1024)
def compile_rules(behaviours: tuple[tuple[str, str], ...]) -> Rules:
    """The rules of these (axis, behaviour) pairs, one for each axis.

    Raises KeyError for an axis or a behaviour that does not exist, TypeError for an axis that is missing.
    """
    chosen: dict[str, Any] = {axis: AXES[axis].rule_of(name) for axis, name in behaviours}
    return Rules(**chosen)
