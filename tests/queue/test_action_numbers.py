"""A release's numbers for the action types, and the model's."""

from __future__ import annotations

import pytest

from klogreplay.queue import actions
from klogreplay.queue.conformance.numbers import ActionNumbers

MASKS_131 = {"Add": 1, "All": 1023, "Delete": 2, "Update": 1020, "UpdatePodLabel": 128, "UpdatePodScaleDown": 256}
MASKS_135 = {
    **{"Add": 1, "All": 8191, "Delete": 2, "Update": 8188, "UpdateNodeDeclaredFeature": 128, "UpdatePodLabel": 256},
    **{"UpdatePodSchedulingGatesEliminated": 2048},
}


@pytest.mark.parametrize(
    ("masks", "recorded", "mask"),
    [
        (MASKS_131, 128, actions.UPDATE_POD_LABEL),
        (MASKS_131, 512, actions.UPDATE_POD_OTHER),
        (MASKS_131, 1020, actions.UPDATE),
        (MASKS_131, 1023, actions.ALL),
        (MASKS_135, 128, actions.UPDATE_NODE_DECLARED_FEATURE),
        (MASKS_135, 256, actions.UPDATE_POD_LABEL),
        (MASKS_135, 4096, actions.UPDATE_POD_GENERATED_RESOURCE_CLAIM),
        (MASKS_135, 3, actions.ADD | actions.DELETE),
        (MASKS_135, 0, 0),
    ],
)
def test_action_numbers_translate_both_ways(masks: dict[str, int], recorded: int, mask: int) -> None:
    numbers = ActionNumbers(masks)
    assert numbers.to_model(recorded) == mask
    assert numbers.to_recorded(mask) == recorded


def test_a_union_in_a_larger_mask_stays_a_union() -> None:
    assert ActionNumbers(MASKS_131).to_model(1021) == actions.UPDATE | actions.ADD
    assert ActionNumbers({}).to_model(5) == 0
