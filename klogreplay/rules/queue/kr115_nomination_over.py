"""KR115: a nominated pod gave up its room, and the pods that it had kept out were not told."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import references
from klogreplay.rules.phrases import seconds
from klogreplay.rules.queue.rescues import Explained, bugs_of, explained, flushed
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.types import Finding


class NominationOverTold(Rule):
    """A pod was kept out by room that was only nominated; the nomination ended, and nothing woke the pod.

    ## What it is

    A preemptor has a node nominated for it and counts there as if it were bound. Another pod of the same or a lower
    priority does not fit for that. Then the preemptor is deleted, or bound to another node. The room is free, but no
    assigned pod has gone, so no event says so.

    ## Why it happens

    The end of a nomination raised no event for other pods. Several changes have added some since; not all cases are
    covered yet.

    ## Which versions

    Up to 1.36. Parts of it are fixed in 1.33.0, 1.36.0 and 1.37.0.

    ## What the log shows

    A pod rejected by NodeResourcesFit; a nominated pod ("Preemptor Pod preempted victim Pod" with its node, from 1.35
    on nominatedNodeName) that is deleted or bound elsewhere; event="UnschedulableTimeout" (-v=5, or -v=4, by release);
    and the waiting pod is bound to the nominated node at once.

    ## What to do

    Upgrade. Until then shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#129058, kubernetes#135392, kubernetes#139904, kubernetes#139057
    """

    code = "KR115"
    name = "nomination-over"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod that the flush bound to a node whose nomination had ended meanwhile."""
        for found in explained(case, "nominated"):
            yield self._finding(found)

    def _finding(self, found: Explained) -> Finding:
        rescue, over = found.rescue, found.nomination
        assert over is not None
        ended = "was deleted" if over.how == "deleted" else "was bound elsewhere"
        return self.finding(
            pod=rescue.pod,
            parking=found.index,
            grade=found.grade,
            summary=(
                f"{rescue.pod} waited {seconds(rescue.waited_us)} {flushed(rescue)}. {over.pod}, for which that node "
                f"had been nominated, {ended} meanwhile, and no event told of the room."
            ),
            proof=cite_all(
                (
                    (over.nominated, f"{over.node} is nominated for {over.pod}"),
                    (rescue.failed, "the attempt failed"),
                    (rescue.parked, "the queue parked the pod"),
                    (over.event, f"the nominated pod {ended}"),
                    (rescue.flush, "the flush, not an event, took the pod out"),
                    (rescue.bound, "it was bound to that node at the next attempt"),
                )
            ),
            upstream=references(bugs_of(found)),
        )
