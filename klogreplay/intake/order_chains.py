"""Which logs are one: a chain holds the files of one scheduler's log, as rotation left them or as klog copied them.

Never one queue made of two schedulers: in a container every process has the id 1, so two files are two schedulers
unless the times and what stands there show that one goes on where the other ended.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.order import Placed
from klogreplay.intake.order_times import SECOND_US, between

OUT_OF_ORDER_US = SECOND_US
"""Lines of one log are out of order by no more than this (a header's time is taken before the lock is)."""

GOES_ON_US = 10 * SECOND_US
"""A log goes on in a file that begins so soon after its end, where only the times tell."""

ROTATED_GOES_ON_US = 300 * SECOND_US
"""The same where the names tell of a rotation: a quiet scheduler prints nothing for minutes below -v=5."""


class Chain(msgspec.Struct):
    """One log: `number` is the index of its first input, `end` the time of its last record so far."""

    number: int
    families: set[str]
    pids: set[int]
    end: int | None = None

    def take(self, one: Placed) -> None:
        """The log goes on in `one`."""
        self.families.add(one.family)
        self.pids |= one.beginning.pids


class Chains:
    """The chains of the logs read so far."""

    def __init__(self) -> None:
        self._chains: list[Chain] = []

    def new(self, index: int, one: Placed) -> Chain:
        """A chain that begins with `one`, the input with that index."""
        chain = Chain(index, {one.family}, set(one.beginning.pids))
        self._chains.append(chain)
        return chain

    def of(self, index: int, one: Placed) -> Chain:
        """The chain that goes on with `one`; a new one where there is none, or more than one could be it."""
        found = self.continued_by(one)
        if found is None:
            return self.new(index, one)
        found.take(one)
        return found

    def continued_by(self, one: Placed) -> Chain | None:
        """The chain that surely goes on with `one`."""
        if one.at is None or one.beginning.starts:
            return None
        fits = [chain for chain in self._chains if goes_on(chain, one)]
        related = [chain for chain in fits if one.family in chain.families]
        return (related or fits)[0] if len(related or fits) == 1 else None


def goes_on(chain: Chain, one: Placed) -> bool:
    """Whether `one` begins where the chain ends, with a process of it."""
    if chain.end is None or one.at is None or not same_processes(chain.pids, one.beginning.pids):
        return False
    longest = ROTATED_GOES_ON_US if one.family in chain.families else GOES_ON_US
    return -OUT_OF_ORDER_US <= between(chain.end, one.at) <= longest


def same_processes(some: set[int], others: set[int]) -> bool:
    """Whether two logs can be of one process, by the ids they print; some dialects print none."""
    return not some.isdisjoint(others) if some and others else some == others
