"""The registry: every question on which releases differ, in the order of a pod's life.

One module per axis; adding a behaviour is adding it there, adding an axis is adding a module and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from klogreplay.queue.behaviours import (
    activate_from_backoff,
    activate_missed,
    active_entry,
    assigned_pods,
    assigned_scale_down,
    backoff_count,
    backoff_end,
    backoff_window,
    claim_event,
    delete_search,
    duplicate_pop,
    error_backoff,
    event_interest,
    event_matching,
    first_attempt,
    gated_backoff,
    gated_placement,
    gated_pods_on_events,
    in_flight,
    leftover_flag,
    leftover_limit,
    plugins_at_failure,
    plugins_at_pop,
    pod_events,
    pop_source,
    pop_specific,
    pre_enqueue,
    pre_enqueue_order,
    recreated_pod,
    rejector_sets,
    requeue_decision,
    return_not_in_flight,
    return_path,
    return_without_rejectors,
    untried_backoff,
    update_difference,
    update_in_backoff,
    update_in_flight,
    update_parked,
    wildcard_events,
    zero_max_backoff,
)
from klogreplay.queue.behaviours.axis import Axis, Behaviour

_ORDERED: tuple[Axis[Any], ...] = (
    pre_enqueue.AXIS,
    pre_enqueue_order.AXIS,
    gated_placement.AXIS,
    active_entry.AXIS,
    first_attempt.AXIS,
    pop_source.AXIS,
    pop_specific.AXIS,
    duplicate_pop.AXIS,
    plugins_at_pop.AXIS,
    in_flight.AXIS,
    recreated_pod.AXIS,
    plugins_at_failure.AXIS,
    rejector_sets.AXIS,
    return_path.AXIS,
    return_without_rejectors.AXIS,
    return_not_in_flight.AXIS,
    backoff_count.AXIS,
    untried_backoff.AXIS,
    zero_max_backoff.AXIS,
    backoff_end.AXIS,
    backoff_window.AXIS,
    gated_backoff.AXIS,
    error_backoff.AXIS,
    event_interest.AXIS,
    event_matching.AXIS,
    requeue_decision.AXIS,
    wildcard_events.AXIS,
    gated_pods_on_events.AXIS,
    assigned_pods.AXIS,
    assigned_scale_down.AXIS,
    pod_events.AXIS,
    claim_event.AXIS,
    update_in_flight.AXIS,
    update_in_backoff.AXIS,
    update_parked.AXIS,
    update_difference.AXIS,
    activate_from_backoff.AXIS,
    activate_missed.AXIS,
    delete_search.AXIS,
    leftover_limit.AXIS,
    leftover_flag.AXIS,
)

AXES: Final[Mapping[str, Axis[Any]]] = {axis.name: axis for axis in _ORDERED}
"""Axis name -> axis."""

__all__ = ["AXES", "Axis", "Behaviour"]
