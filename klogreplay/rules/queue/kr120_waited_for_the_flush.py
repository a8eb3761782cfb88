"""KR120: a pod was bound right after the flush, and the log shows too little to say what was missed."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.phrases import seconds
from klogreplay.rules.queue.kr107_rejection_without_rejector import RejectionWithoutRejector
from klogreplay.rules.queue.rescues import explained
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.flush_rescues import Rescue
from klogreplay.rules.types import Finding


class WaitedForTheFlush(Rule):
    """A pod failed, was silent for as long as the flush takes, and was bound at its first attempt after it.

    ## What it is

    A suspicion. The flush changes nothing in the cluster, so what made the pod schedulable had come before, and the
    queue had not retried the pod for it. At a low verbosity it may also be chance: an event that woke the pod at about
    the time of the flush is not printed there.

    ## Why it happens

    Any of the bugs of the other rules, or an event that nobody could know of (a plugin that decides by the time of day,
    an extender).

    ## Which versions

    All.

    ## What the log shows

    A failed attempt; nothing more of the pod for the flush interval and up to 30 seconds more
    (`--pod-max-in-unschedulable-pods-duration`, 5 minutes by default, 60 seconds before 1.24); then the pod is bound
    without another failure. Where the log shows the start of the scheduler, the pod came back just after one of the
    moments at which the queue looks for such pods.

    ## What to do

    Record again at -v=5: it shows what woke the pod, and what it was asked about before.

    ## References

    - kubernetes#87850 (how much depends on the flush)
    """

    code = "KR120"
    name = "waited-for-the-flush"

    def check(self, case: Case) -> Iterator[Finding]:
        """One suspicion for each such pod of which KR107 does not tell the reason."""
        told = {finding.parking for finding in RejectionWithoutRejector().check(case)}
        for found in explained(case, "silence"):
            rescue = found.rescue
            if found.index is not None and found.index in told:
                continue
            yield self.finding(
                pod=rescue.pod,
                parking=found.index,
                grade="suspected",
                summary=(
                    f"{rescue.pod} failed, was silent for {seconds(rescue.waited_us)}{_when(rescue)}, and was bound at "
                    "its next attempt: the queue seems to have missed what helped it."
                ),
                proof=cite_all(
                    (
                        (rescue.failed, "the attempt failed"),
                        (rescue.parked, "the queue parked the pod"),
                        (rescue.flush, "the flush, not an event, took the pod out"),
                        (rescue.popped, "the next the log tells of the pod"),
                        (rescue.bound, "it was bound at once"),
                    )
                ),
            )


def _when(rescue: Rescue) -> str:
    if rescue.flush is not None:
        return " until the periodic flush took it out"
    if rescue.off_tick_us is not None:
        return f", came back {seconds(rescue.off_tick_us)} after the queue's look for pods to flush"
    return ", as long as the periodic flush lets a pod wait"
