"""KR109: a preemptor stays parked though its preemption is over and its victims are gone."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, named, references, weakest
from klogreplay.rules.phrases import seconds
from klogreplay.rules.queue.shared import ASKED_AT, FLUSH, shows
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.preemptions import Held, Preemptions
from klogreplay.rules.types import Finding

FLUSHED_BY_US = 335_000_000
"""By then the flush has come by, with the default of 5 minutes."""

SHORT_US = 10_000_000
"""A hold that the log's end cuts off before this may have been about to end."""


class HeldPreemptor(Rule):
    """A preemptor was left in unschedulablePods by a preemption that had nothing to wait for any more.

    ## What it is

    While its asynchronous preemption runs, a pod is kept out of activeQ by the PreEnqueue plugin DefaultPreemption. It
    comes back with the event that a victim is gone. Here that event came too early, while the pod was still kept out,
    or there was none, since the victim had been deleted before. When the preemption was over, nothing woke the pod.

    ## Why it happens

    The preemption activates its pod only when it fails. A victim that is not found any more counts as success, and a
    victim that is turned away at Permit or in PreBind raises its one event before the preemption ends. From 1.34 on the
    flush passes over gated pods too, so that a pod that is gated in vain may wait for ever.

    ## Which versions

    1.32 and later with SchedulerAsyncPreemption (on from 1.33). Partly fixed in 1.34.0; open in 1.36.

    ## What the log shows

    "Async Preemption finished completely" (-v=2) for a pod that is in unschedulablePods, after "Victim Pod is already
    deleted" or after the deletion of all its victims; then no move of the pod until some other event or the flush.
    Moves need -v=5.

    ## What to do

    Any event that its plugins wait for wakes the pod. Or `--feature-gates=SchedulerAsyncPreemption=false`.

    ## References

    - kubernetes#141694, kubernetes#142294 (open), kubernetes#140082 (victims at Permit and PreBind), kubernetes#133167,
      kubernetes#139162 (the flush and gated pods)
    """

    code = "KR109"
    name = "held-preemptor"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each hold for which a bug of the release is known."""
        for each in case.sensed.of(Preemptions):
            if each.held is not None:
                bugs = _bugs(case, each.held)
                if bugs:
                    yield self._finding(case, each.held, bugs)

    def _finding(self, case: Case, held: Held, bugs: list[Match]) -> Finding:
        stayed = held.until_t - held.finish.t
        # Below -v=5 a move that nobody sees may have come before the end of the preemption.
        seen = shows(case, ASKED_AT) and (held.woken is not None or stayed >= SHORT_US)
        sure: Grade = "likely" if seen else "suspected"
        event = getattr(held.woken, "event", None)
        until = (
            "until the log ends"
            if held.woken is None
            else f'until "{event}" moved it'
            if event is not None
            else "until it was popped"
        )
        gone = "a victim that was already deleted" if held.absent is not None else "victims that were all gone"
        either = (
            f" {named([match.bug for match in bugs[:2]])}: a start of the preemption before the victim's deletion, and "
            "a second one after it, speak for the latter."
            if [match.bug.id for match in bugs[:2]] == ["KB37", "KB41"]
            else ""
        )
        return self.finding(
            pod=held.pod,
            grade=weakest(sure, bugs[0].best),
            summary=(
                f"{held.pod} was left parked when its preemption of {gone} finished; it stayed {seconds(stayed)}, "
                f"{until}.{either}"
            ),
            proof=cite_all(
                (
                    (held.gate, "the pod is kept out while its preemption runs"),
                    (held.parked, "the queue parked the pod"),
                    (held.start, "its preemption starts"),
                    (held.absent, "there was nobody left to preempt, so no deletion will wake the pod"),
                    (held.finish, "the preemption is over; nothing moves the pod"),
                    (held.woken, "the flush took it out" if event == FLUSH else "something else brought it back"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )


def _bugs(case: Case, held: Held) -> list[Match]:
    if held.absent is not None:
        bugs = matching(case, "KB37", "KB41")
    else:
        bugs = matching(case, "KB40") if held.rejected else matching(case, "KB37")
    if bugs and held.gate is not None and held.until_t - held.finish.t > FLUSHED_BY_US:
        # The flush should have taken it out by then.
        bugs += matching(case, "KB39")
    return bugs
