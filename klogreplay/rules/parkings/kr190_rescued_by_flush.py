"""KR190: the periodic flush took a pod out of unschedulablePods."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Cited
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.phrases import seconds
from klogreplay.rules.types import Finding


class RescuedByFlush(Rule):
    """A pod left unschedulablePods by the periodic flush, not by an event.

    ## What it is

    An observation, no defect by itself: a pod that fits nowhere is flushed again and again, rightly. Where the pod is
    bound at the attempt after the flush, an event was missed somewhere, for the flush changes nothing in the cluster.

    ## Why it happens

    Pods that no event wakes are retried after `--pod-max-in-unschedulable-pods-duration` (5 minutes by default, 60
    seconds before 1.24), looked at every 30 seconds.

    ## Which versions

    All. Upstream wants to remove the flush and counts, from 1.36 on, pods that were scheduled right after it
    (scheduler_pod_scheduled_after_flush_total).

    ## What the log shows

    "Pod moved to an internal scheduling queue" with event="UnschedulableTimeout" (-v=5, or -v=4, by release).

    ## What to do

    Nothing, if the pod is rejected again for the same reason. Otherwise look at the verdict on the parking before it;
    where that is undecided, `needs` says what to record.

    ## References

    - kubernetes#87850 (remove the flush), kubernetes#134999 and kubernetes#135126 (the counter)
    """

    code = "KR190"
    name = "rescued-by-flush"
    observation = True

    def check(self, case: Case) -> Iterator[Finding]:
        """One observation for each parking that ended by the flush."""
        for index, parking in case.judged.select(lambda each: each.flushed):
            wake_up = parking.wake_up
            if wake_up is None:
                continue
            after = f" after {seconds(parking.parked_us)}" if parking.parked_us is not None else ""
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade="proven",
                summary=f"{parking.pod} left unschedulablePods by the periodic flush{after}; no event had woken it.",
                proof=[
                    Cited(line=wake_up.line, text=wake_up.text, says="the flush moved the pod", source=parking.source)
                ],
            )
