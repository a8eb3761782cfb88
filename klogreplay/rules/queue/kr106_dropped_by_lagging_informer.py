"""KR106: a failed pod was dropped since the scheduler's second informer did not know it yet."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references, weakest
from klogreplay.rules.phrases import seconds
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.dropped_pods import DroppedPods
from klogreplay.rules.types import Finding

LONG_US = 120_000_000
"""Twice the flush interval of these releases: a pod that is in any queue would have been tried again."""


class DroppedByLaggingInformer(Rule):
    """A pod failed once and was never tried again, not even by the flush: it is in no queue any more.

    ## What it is

    After a failed attempt the scheduler looks the pod up before it puts it back. It did not find it, took it for
    deleted and let it go. But the pod is there, and pending for ever.

    ## Why it happens

    The look-up went to another informer than the one that had announced the pod, and on a busy cluster that one was
    behind. The fix looks into the informer that the queue is fed from.

    ## Which versions

    1.19.0 to 1.19.14. Fixed in 1.19.15 and 1.20.0. In later releases the same line means that the pod was deleted
    while it was being tried.

    ## What the log shows

    "Unable to schedule pod; no fit; waiting" and, within a millisecond, "Pod doesn't exist in informer cache"; no
    "Delete event for unscheduled pod" (-v=3); no further line for the pod, also after the flush interval of a minute.

    ## What to do

    Upgrade. Until then: restart the scheduler, or delete and recreate the pod.

    ## References

    - kubernetes#104521 (report), kubernetes#93044, kubernetes#105015 (fix)
    """

    code = "KR106"
    name = "dropped-by-lagging-informer"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod that was let go though nothing shows that it was deleted."""
        rows = case.sensed.of(DroppedPods)
        bugs = matching(case, "KB07") if rows else []
        if not bugs:
            return
        for each in rows:
            silence = each.until_t - each.failed.t
            sure: Grade = "likely" if each.deletions_shown and silence > LONG_US else "suspected"
            yield self.finding(
                pod=each.pod,
                grade=weakest(sure, bugs[0].best),
                summary=(
                    f"{each.pod} was dropped after a failed attempt because the informer did not know it; no line says "
                    f"that it was deleted, and none tells of it in the {seconds(silence)} that the log goes on."
                ),
                proof=cite_all(((each.failed, "the attempt failed"), (each.gone, "the pod is let go"))),
                upstream=references(match.bug for match in bugs),
            )
