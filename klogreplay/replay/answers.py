"""What hint functions answered, as far as lines show it: their own lines, and what became of the pods they judged.

Kept only where a verdict may rest on it (`Follower.deep`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.rejectors import Own
from klogreplay.replay.types import Effect

if TYPE_CHECKING:
    from klogreplay.replay.follow import Follower
    from klogreplay.replay.pods import PodState
    from klogreplay.replay.timeline import Observed

MOST = 100
"""So many lines and answers are kept of one event, and of one hand-back."""

HAND_BACK_US = 5_000
"""The hand-back, with the lines of the hint functions it asks, follows the failure line within this (measured)."""


class Answer(msgspec.Struct, gc=False):
    """A parked pod was asked about an event: what rejected it, and whether the event took it out ("queue")."""

    pod: str
    own: Own
    effect: Effect


class HintLines:
    """Handlers for the lines that plugins print while the queue asks them."""

    def __init__(self, follower: Follower) -> None:
        self._f = follower
        self._unclaimed: list[ev.HintLine] = []

    def said(self, e: ev.HintLine) -> None:
        """A line of a hint function: the queue's own line says later of which event it is."""
        if not self._f.deep:
            return
        if len(self._unclaimed) < MOST:
            self._unclaimed.append(e)
        state = self._f.pods.get(e.pod)
        attempt = None if state is None else state.pending
        if attempt is not None and attempt.window is None and e.t <= attempt.t + HAND_BACK_US:
            attempt.asked = [*attempt.asked[-MOST:], e]

    def claims(self, e: ev.ClaimLine) -> None:
        """The claims of a pod, printed when its attempt begins."""
        if self._f.deep and e.what == "claims" and e.pod is not None:
            self._f.pods.need(e.pod).claims = frozenset(e.claims)

    def asked(self, event: Observed, state: PodState, effect: Effect) -> None:
        """The queue asked the rejectors of a parked pod about `event`, which ended as `effect` says."""
        if not self._f.deep:
            return
        mine = [line for line in self._unclaimed if line.pod == state.pod]
        self._unclaimed.clear()
        attempt = state.parked or state.pending
        if mine:
            event.said = [*(event.said or ()), *mine][:MOST]
            if attempt is not None:
                attempt.asked = [line for line in attempt.asked if line not in mine]
        # A PreEnqueue plugin may have put itself beside the rejectors of the attempt.
        if attempt is not None and not attempt.is_error and state.held == attempt.own.plugins:
            event.answers = [*(event.answers or ()), Answer(state.pod, attempt.own, effect)][:MOST]

    def nobody_asked(self) -> None:
        """A line of the queue that ends whatever was asked."""
        self._unclaimed.clear()
