"""Which differences make a pod a changed one?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.pod_changes import is_changed
from klogreplay.queue.types import Pod

UpdateDifference = Callable[[Pod | None, Pod], bool]


def _claims_count(old: Pod | None, new: Pod) -> bool:
    return is_changed(old, new) or (old is not None and old.claim_statuses != new.claim_statuses)


AXIS: Final = Axis[UpdateDifference](
    name="update_difference",
    asks="Which differences count when any difference frees a pod from unschedulablePods?",
    behaviours=(
        Behaviour(
            name="status-ignored",
            does="All but the status, the resource version and other bookkeeping of the API server.",
            rule=is_changed,
        ),
        Behaviour(
            name="claims-count",
            does="Those, and the names of the generated resource claims in the status.",
            rule=_claims_count,
            upstream=("kubernetes#117351",),
        ),
    ),
)
"""Asked only where an update is judged by difference, not by hints."""
