"""KR201: a pod was recreated under its name while it was being tried, and its in-flight entry stays for ever."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, references, weakest
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.in_flight_ghosts import Ghosts, InFlightGhosts
from klogreplay.rules.sensors.recreated_pods import Recreated, RecreatedPods
from klogreplay.rules.types import Finding


class RecreatedPodLeaks(Rule):
    """The in-flight entry of a deleted pod is never removed, and the list of in-flight events grows without end.

    ## What it is

    A pod was deleted and created anew under the same name (as a StatefulSet does) while an attempt of the old one was
    under way. The attempt failed. From then on the queue believes that a pod is in flight, and keeps every event for
    it: memory grows until the scheduler is restarted (metric scheduler_inflight_events). No pod is parked wrongly for
    it.

    ## Why it happens

    The failure handler reads the pod by its name, gets the new one, and ends the new UID's attempt; the old UID's entry
    is left behind. The fix compares the two, and in 1.36 the scheduler says so.

    ## Which versions

    1.32 to 1.35 with SchedulerQueueingHints on (never fixed in 1.33). Fixed in 1.37.0, in 1.36.2 as measured, in 1.34
    by kubernetes#138435.

    ## What the log shows

    Between "Attempting to schedule pod" and the failure line: "Delete event for unscheduled pod" and "Add event for
    unscheduled pod" of the same name (-v=3). Often also "Error occurred" with "is already present in the active queue".
    At -v=5: "Event received while pods are in flight" though nothing is being tried, and an inFlightPodsSize of one
    too many.

    ## What to do

    Restart the scheduler when its memory matters; upgrade.

    ## References

    - kubernetes#138316 (report), kubernetes#138324 (fix), kubernetes#138435 (1.34), kubernetes#138437 (not merged)
    """

    code = "KR201"
    name = "recreated-pod-leaks"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each attempt whose pod was another one by the time it failed."""
        rows = [each for each in case.sensed.of(RecreatedPods) if each.noticed is None and not each.after_permit]
        bugs = matching(case, "KB17") if rows else []
        if not bugs:
            return
        ghosts: dict[tuple[int, int | None], list[Ghosts]] = {}
        for ghost in case.sensed.of(InFlightGhosts):
            ghosts.setdefault((ghost.last.source, ghost.last.pid), []).append(ghost)
        for each in rows:
            mine = ghosts.get((each.failed.source, each.failed.pid), [])
            after = bisect_right(mine, each.failed.line, key=lambda ghost: ghost.last.line)
            yield self._finding(each, mine[after] if after < len(mine) else None, bugs)

    def _finding(self, each: Recreated, seen: Ghosts | None, bugs: list[Match]) -> Finding:
        sure: Grade = "proven" if seen is not None else "likely"
        after = (
            " The queue's later lines count a pod in flight that is not there."
            if seen is not None
            else " At -v=5 the queue's lines would show whether its entry is still counted."
        )
        return self.finding(
            pod=each.pod,
            grade=weakest(sure, bugs[0].best),
            summary=(
                f"{each.pod} was deleted and created anew while it was being tried; when the attempt failed, the "
                f"in-flight entry of the old pod was left behind for good.{after}"
            ),
            proof=cite_all(
                (
                    (each.popped, "the pod was popped: it is in flight from here"),
                    (each.deleted, "it is deleted"),
                    (each.added, "another pod of the same name is there"),
                    (each.failed, "the old pod's attempt failed"),
                    (each.refused, "the queue was offered the new pod, which it has already"),
                    (None if seen is None else seen.idle or seen.last, "more pods in flight than there are attempts"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
