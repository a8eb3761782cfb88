"""KR203: the scheduler had one pod in two places at once."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references
from klogreplay.rules.phrases import counted
from klogreplay.rules.queue.shared import Place
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.tracked_twice import TrackedTwice, Twice
from klogreplay.rules.sensors.updates_in_flight import UpdatesInFlight
from klogreplay.rules.types import Finding

_HOW = {
    "popped": "was popped again while it was being bound",
    "assigned": "was tried once more although it was bound already",
    "refused": "was still queued when its failed attempt came back",
    "discarded": "was popped a second time, and the scheduler discarded it",
}


POP_FROM_BACKOFF = "SchedulerPopFromBackoffQ"


class PodTrackedTwice(Rule):
    """A pod was in the queue and in flight at once, or in flight twice.

    ## What it is

    Two attempts of one pod run side by side, or the queue refuses a failed pod because it has it already. Work is
    doubled, backoff is lost, and with in-flight bookkeeping an entry can be left behind.

    ## Why it happens

    An update that comes while the pod is in flight was taken for a new pod (up to 1.30; KR105 where the log shows the
    update). From 1.32 on the scheduler notices a pod that is popped twice, and lets the second one go.

    ## Which versions

    Up to 1.30; guarded against in 1.32.0.

    ## What the log shows

    "About to try and schedule pod" for a pod that is being bound (-v=4); "Pod has been assigned to node. Abort adding
    it back to queue."; "Error occurred" with "is already present in the … queue"; or "The same pod is tracked in
    multiple places in the scheduler".

    ## What to do

    Upgrade. A restart of the scheduler clears what was left behind.

    ## References

    - kubernetes#118226 (report), kubernetes#127016 (guard), kubernetes#125578 (updates in flight)
    """

    code = "KR203"
    name = "pod-tracked-twice"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod, on the first time, unless KR105 tells of it."""
        rows = case.sensed.of(TrackedTwice)
        if not rows:
            return
        bugs = matching(case, "KB22", "KB11")
        told: set[Place] = set()
        if bugs:
            told = {
                (each.pod, each.refused.source, each.refused.line)
                for each in case.sensed.of(UpdatesInFlight)
                if each.refused is not None
            }
        by_pod: dict[str, list[Twice]] = {}
        for each in rows:
            if (each.pod, each.second.source, each.second.line) not in told:
                by_pod.setdefault(each.pod, []).append(each)
        for pod, again in by_pod.items():
            first = again[0]
            yield self.finding(
                pod=pod,
                grade=_grade(first, case),
                summary=f"{pod} {_HOW[first.how]} ({counted(len(again), 'time')}).",
                proof=cite_all(
                    (
                        (first.first, "the pod was popped: it is in flight from here"),
                        (first.second, "the same pod again"),
                    )
                ),
                upstream=references(match.bug for match in bugs),
            )


def _grade(twice: Twice, case: Case) -> Grade:
    if twice.how != "popped":
        # The scheduler itself says so.
        return "proven"
    # Where a pod can be popped straight from backoffQ, two Pops close together may be two attempts with lost lines.
    return "likely" if case.gates.get(POP_FROM_BACKOFF, False) is False else "suspected"
