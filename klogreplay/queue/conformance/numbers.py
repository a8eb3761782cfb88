"""A release's numbers for the action types, and the model's."""

from __future__ import annotations

from collections.abc import Mapping

from klogreplay.queue import actions


class ActionNumbers:
    """Translates action masks between a recording and the model, by the names in the recording's header."""

    def __init__(self, masks: Mapping[str, int]) -> None:
        """`masks` maps upstream's names to the release's numbers, `Update` and `All` among them."""
        update = masks.get("Update", 0)
        self._unions = {masks.get("All", 0): actions.ALL, update: actions.UPDATE}
        self._update = update
        known = {
            name: mask for name, mask in masks.items() if name in actions.ACTIONS and name not in ("All", "Update")
        }
        # Releases name neither the bit of "other" updates nor, in 1.32 and 1.33, that of the generated claim.
        self._bits = {actions.UPDATE_POD_OTHER: 1 << update.bit_length() >> 1}
        gates = known.get("UpdatePodSchedulingGatesEliminated")
        if gates is not None:
            self._bits[actions.UPDATE_POD_GENERATED_RESOURCE_CLAIM] = gates << 1
        self._bits |= {actions.ACTIONS[name]: mask for name, mask in known.items()}
        self._back = {mask: bit for bit, mask in self._bits.items()}

    def to_model(self, recorded: int) -> int:
        """The model's mask; bits that the header does not name are dropped."""
        union = self._unions.get(recorded)
        if union is not None:
            return union
        mask = actions.UPDATE if self._update and recorded & self._update == self._update else 0
        for number, bit in self._back.items():
            if recorded & number:
                mask |= bit
        return mask

    def to_recorded(self, mask: int) -> int:
        """The release's number."""
        for recorded, union in self._unions.items():
            if mask == union:
                return recorded
        number = 0
        for bit, recorded in self._bits.items():
            if mask & bit:
                number |= recorded
        return number
