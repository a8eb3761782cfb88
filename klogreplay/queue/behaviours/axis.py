"""An axis: one question the queue answers differently from release to release, and its answers."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

RuleT = TypeVar("RuleT")


class Behaviour(msgspec.Struct, Generic[RuleT], frozen=True, gc=False):
    """One answer: its name, what it does, the upstream changes that brought it, and the rule the model runs.

    `upstream` holds references such as "kubernetes#118438"; empty where the change is older than what was looked up
    or could not be traced.
    """

    name: str
    does: str
    rule: RuleT
    upstream: tuple[str, ...] = ()


class Axis(msgspec.Struct, Generic[RuleT], frozen=True, gc=False):
    """One question with its answers, oldest first."""

    name: str
    asks: str
    behaviours: tuple[Behaviour[RuleT], ...]

    def rule_of(self, behaviour: str) -> RuleT:
        """The rule of the behaviour of this name. Raises KeyError with the names that exist."""
        for known in self.behaviours:
            if known.name == behaviour:
                return known.rule
        names = ", ".join(known.name for known in self.behaviours)
        raise KeyError(f"axis {self.name} has no behaviour {behaviour!r}; it has {names}")
