"""KR108: a preemptor goes round in a loop of attempts and preemptions."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references
from klogreplay.rules.phrases import seconds
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.preemptions import Preemptions, Run
from klogreplay.rules.types import Finding

LEAST = 10
"""So many preemptions, each within a second after the one before, are no run of bad luck."""


class PreemptionLoop(Rule):
    """One pod preempts again and again, many times a second, and is not bound.

    ## What it is

    The scheduler preempts for a pod, tries it again at once, finds no room yet, and preempts again. Each round makes
    API calls, and other pods hardly get their turn.

    ## Why it happens

    1.34.0 activates a preemptor as soon as its asynchronous preemption is over, though the victims' room is not free
    yet: a victim that is deleted in the API and still in its binding cycle, or a deletion that the API server delays.
    The next attempt starts the next preemption.

    ## Which versions

    1.34.0 and 1.34.1 with SchedulerAsyncPreemption (its default). Fixed in 1.35.0 and, unverified, 1.34.2.

    ## What the log shows

    "Start the preemption asynchronously" for the same pod many times a second (-v=2), between them "Pod moved to an
    internal scheduling queue" with event="ForceActivate" (-v=5).

    ## What to do

    Upgrade. Until then: `--feature-gates=SchedulerAsyncPreemption=false`.

    ## References

    - kubernetes#134217 (report), kubernetes#134245, kubernetes#134247 (fix), kubernetes#134249, kubernetes#134730
    """

    code = "KR108"
    name = "preemption-loop"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each run of many preemptions of one pod."""
        for each in case.sensed.of(Preemptions):
            if each.run is not None and each.run.starts >= LEAST:
                yield self._finding(case, each.run)

    def _finding(self, case: Case, run: Run) -> Finding:
        bugs = matching(case, "KB38")
        often = f", and was activated {run.activations} times in between" if run.activations else ""
        known = "" if bugs else " No known bug of this release explains it."
        return self.finding(
            pod=run.pod,
            grade="proven",
            summary=(
                f"{run.pod} started {run.starts} preemptions within {seconds(run.last.t - run.first.t)}{often}.{known}"
            ),
            proof=cite_all(
                (
                    (run.first, "the first preemption of the run"),
                    (run.activated, "its end activates the pod"),
                    (run.failed, "the pod is tried again, and there is no room yet"),
                    (run.last, "the last preemption of the run"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
