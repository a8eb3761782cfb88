"""KR105: an update of a pod that was being tried was not kept for the end of the attempt."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, references, weakest
from klogreplay.rules.phrases import counted
from klogreplay.rules.queue.shared import Parkings
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.flush_rescues import FlushRescues
from klogreplay.rules.sensors.updates_in_flight import UpdatedInFlight, UpdatesInFlight
from klogreplay.rules.types import Finding


class UpdateInFlight(Rule):
    """A pod was updated while it was being tried, and the queue did not keep the update with the attempt.

    ## What it is

    A change of the pod (a toleration, a label, a gate) or the scheduler's own status update reached the queue while an
    attempt of the pod was under way. It should be kept as one of the attempt's concurrent events and weighed when the
    attempt fails. Instead the queue put the pod into activeQ a second time: the failed attempt could not be handed back
    any more, its rejector plugins and its backoff were dropped, and the pod was tried again at once. Or nothing kept
    the update at all, and the pod was parked.

    ## Why it happens

    The queue looks for an updated pod in its three parts. A pod in flight is in none of them, and was taken for a new
    one. Since 1.31 such an update is recorded among the in-flight events.

    ## Which versions

    1.28 to 1.30 with SchedulerQueueingHints on; 1.26 and 1.27 do the same without in-flight events. Fixed in 1.31.0.

    ## What the log shows

    Between Pop and failure of one pod: "Update event for unscheduled pod" (-v=4, 1.30) or "Pod moved to an internal
    scheduling queue" with event="PodUpdate" queue="Active" (-v=5). Then "Error occurred" with "is already present in
    the active queue", or the pod is parked.

    ## What to do

    Upgrade to 1.31 or later. Until then an update after the attempt has the effect that this one should have had.

    ## References

    - kubernetes#125578 (fix), kubernetes#118226 (report), kubernetes#127016 (guard against the second Pop, 1.32)
    """

    code = "KR105"
    name = "update-in-flight"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod, on its first such attempt, with the number of them."""
        by_pod: dict[str, list[UpdatedInFlight]] = {}
        for each in case.sensed.of(UpdatesInFlight):
            by_pod.setdefault(each.pod, []).append(each)
        if not by_pod:
            return
        lost = matching(case, "KB22")
        doubled = matching(case, "KB22", "KB11")[:1]
        slept = {(each.failed.source, each.failed.line) for each in case.sensed.of(FlushRescues)}
        parkings = Parkings(case)
        for pod, rows in by_pod.items():
            first = next((each for each in rows if each.refused is not None), rows[0])
            if first.refused is not None and doubled:
                yield self._doubled(pod, first, sum(each.refused is not None for each in rows), doubled)
            elif first.refused is None and lost:
                at = parkings.of(first.failed, first.parked)
                sure: Grade = "likely" if (first.failed.source, first.failed.line) in slept else "suspected"
                yield self._lost(pod, first, None if at is None else at[0], weakest(sure, lost[0].best), lost)

    def _doubled(self, pod: str, first: UpdatedInFlight, count: int, bugs: list[Match]) -> Finding:
        grade: Grade = "proven" if first.queued_again is not None else "likely"
        return self.finding(
            pod=pod,
            grade=weakest(grade, bugs[0].best),
            summary=(
                f"{pod} was updated while it was being tried, and queued a second time for it; the failed attempt was "
                f"then refused, without its plugins and its backoff being kept ({counted(count, 'time')})."
            ),
            proof=cite_all(
                (
                    (first.popped, "the pod was popped: it is in flight from here"),
                    (first.updated, "an update of the pod arrives"),
                    (first.queued_again, "the queue takes the updated pod for a new one"),
                    (first.failed, "the attempt failed"),
                    (first.refused, "the queue does not take the pod back"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )

    def _lost(self, pod: str, first: UpdatedInFlight, index: int | None, grade: Grade, bugs: list[Match]) -> Finding:
        return self.finding(
            pod=pod,
            parking=index,
            grade=grade,
            summary=(
                f"{pod} was updated while it was being tried, and was parked without the update being weighed: no line "
                "shows that the queue kept it."
            ),
            proof=cite_all(
                (
                    (first.popped, "the pod was popped: it is in flight from here"),
                    (first.updated, "an update of the pod arrives"),
                    (first.failed, "the attempt failed"),
                    (first.parked, "the queue parked the pod"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
