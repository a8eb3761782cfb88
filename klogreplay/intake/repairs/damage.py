"""What was found damaged in an input, what was done about it, and where."""

from __future__ import annotations

import msgspec

from klogreplay.intake.limits import Limits

_LINES_NAMED = 5


class Damage(msgspec.Struct):
    """One kind of damage: what it is and what was done, how often, and the numbers of the first lines that have it."""

    text: str
    count: int = 0
    lines: list[str] = []

    def __str__(self) -> str:
        if not self.count:
            return self.text
        where = ", ".join(self.lines) + (", …" if self.count > len(self.lines) else "")
        return f"{self.text} ({self.count}: line{'s' if self.count > 1 else ''} {where})"


class DamageLog(msgspec.Struct):
    """Collects damage by its kind. `dropped` counts physical lines that were left out as copies of others."""

    kinds: dict[str, Damage] = {}
    dropped: int = 0

    def note(self, text: str, number: int | None = None, source: int = 0) -> None:
        """One more case of a kind, at a line of an input; without a number it holds for the input as a whole."""
        damage = self.kinds.setdefault(text, Damage(text))
        if number is not None:
            damage.count += 1
            if len(damage.lines) < _LINES_NAMED:
                damage.lines.append(f"{number} of input {source + 1}" if source else str(number))

    def all(self) -> list[Damage]:
        """Every kind seen, in the order in which they were."""
        return list(self.kinds.values())


class Mending(msgspec.Struct):
    """What a repair of a stream works with. `stripped`: something took the blanks off both ends of the lines."""

    limits: Limits
    damage: DamageLog = msgspec.field(default_factory=DamageLog)
    stripped: bool = False
