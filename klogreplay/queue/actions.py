"""Action types of cluster events: one layout of bits for all releases.

Upstream's numbers change from release to release (1.35 moved the pod actions up by one bit), their order does not.
The model works on this one layout, so that a registration or an event needs no release to be written down; a caller
that reads recorded numbers translates them by name. The order matters to one rule only: since 1.34 an event must not
be numerically greater than the registration it is to match, and the general UPDATE is greater than every single one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ADD: Final = 1 << 0
DELETE: Final = 1 << 1
UPDATE_NODE_ALLOCATABLE: Final = 1 << 2
UPDATE_NODE_LABEL: Final = 1 << 3
UPDATE_NODE_TAINT: Final = 1 << 4
UPDATE_NODE_CONDITION: Final = 1 << 5
UPDATE_NODE_ANNOTATION: Final = 1 << 6
UPDATE_NODE_DECLARED_FEATURE: Final = 1 << 7
UPDATE_POD_LABEL: Final = 1 << 8
UPDATE_POD_SCALE_DOWN: Final = 1 << 9
UPDATE_POD_TOLERATION: Final = 1 << 10
UPDATE_POD_SCHEDULING_GATES_ELIMINATED: Final = 1 << 11
UPDATE_POD_GENERATED_RESOURCE_CLAIM: Final = 1 << 12
UPDATE_POD_OTHER: Final = 1 << 13
UPDATE: Final = (1 << 14) - (1 << 2)
ALL: Final = (1 << 14) - 1

ACTIONS: Final[Mapping[str, int]] = {
    "Add": ADD,
    "Delete": DELETE,
    "UpdateNodeAllocatable": UPDATE_NODE_ALLOCATABLE,
    "UpdateNodeLabel": UPDATE_NODE_LABEL,
    "UpdateNodeTaint": UPDATE_NODE_TAINT,
    "UpdateNodeCondition": UPDATE_NODE_CONDITION,
    "UpdateNodeAnnotation": UPDATE_NODE_ANNOTATION,
    "UpdateNodeDeclaredFeature": UPDATE_NODE_DECLARED_FEATURE,
    "UpdatePodLabel": UPDATE_POD_LABEL,
    "UpdatePodScaleDown": UPDATE_POD_SCALE_DOWN,
    "UpdatePodToleration": UPDATE_POD_TOLERATION,
    "UpdatePodTolerations": UPDATE_POD_TOLERATION,
    "UpdatePodSchedulingGatesEliminated": UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
    "UpdatePodGeneratedResourceClaim": UPDATE_POD_GENERATED_RESOURCE_CLAIM,
    "Update": UPDATE,
    "All": ALL,
}
"""Upstream's name of each action -> its bit here. `Update` and `All` are the unions."""


def action_mask(*names: str) -> int:
    """The union of the actions of these upstream names, such as `action_mask("Add", "UpdateNodeLabel")`.

    Raises KeyError for a name that no release has.
    """
    mask = 0
    for name in names:
        mask |= ACTIONS[name]
    return mask
