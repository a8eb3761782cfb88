"""KR202: the queue counts pods in flight that are not being tried."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references
from klogreplay.rules.phrases import counted
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.in_flight_ghosts import Ghosts, InFlightGhosts
from klogreplay.rules.sensors.recreated_pods import RecreatedPods
from klogreplay.rules.types import Finding

SURE = 3
"""So many sightings, and no sign of lost lines: a pod whose beginning the log has lost would have ended by then."""


class InFlightLeak(Rule):
    """The queue's in-flight bookkeeping holds entries of attempts that are over, for no reason that the log shows.

    ## What it is

    While a pod is in flight, the queue keeps all events for it. An entry that nobody removes lets the list grow until
    the scheduler is restarted. The finding compares the queue's own numbers with the attempts in the log.

    ## Why it happens

    A way out of an attempt that does not end it in the queue: pods that are skipped or deleted while they are being
    bound, and pods that were queued twice, in 1.28 to 1.31; a plugin or a fork that handles failures itself. Pods that
    were recreated under their name have a rule of their own, KR201.

    ## Which versions

    1.28 to 1.31 with SchedulerQueueingHints on (its default only up to 1.28.5). The known ways out are fixed in 1.32.0.

    ## What the log shows

    At -v=5: "Event received while pods are in flight" though no attempt is under way, or an inFlightPodsSize above the
    number of attempts under way. Needs a log from the scheduler's start on.

    ## What to do

    Watch scheduler_inflight_events. Upgrade to 1.32 or later, or switch SchedulerQueueingHints off before.

    ## References

    - kubernetes#120622, kubernetes#122725, kubernetes#122661 (reports), kubernetes#122289, kubernetes#120586,
      kubernetes#126962, kubernetes#127016 (fixes)
    """

    code = "KR202"
    name = "in-flight-leak"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each process whose numbers do not add up and of which KR201 tells no reason."""
        ghosts = case.sensed.of(InFlightGhosts)
        if not ghosts:
            return
        recreated: dict[tuple[int, int | None], int] = {}
        for other in case.sensed.of(RecreatedPods):
            recreated.setdefault((other.failed.source, other.failed.pid), other.failed.line)
        for each in ghosts:
            known = recreated.get((each.first.source, each.first.pid))
            if known is None or known > each.first.line:
                yield self._finding(case, each)

    def _finding(self, case: Case, each: Ghosts) -> Finding:
        bugs = matching(case, "KB16")
        sizes = f" The list of events had {each.events} entries then." if each.events else ""
        return self.finding(
            pod=None,
            grade="likely" if each.sightings >= SURE else "suspected",
            summary=(
                f"The queue counts {counted(each.excess, 'pod')} in flight more than are being tried, shown by "
                f"{counted(each.sightings, 'line')}.{sizes}"
            ),
            proof=cite_all(
                (
                    (each.ended, "the attempt before is over"),
                    (each.first, "more pods in flight than there are attempts under way"),
                    (each.idle, "no attempt is under way at all"),
                    (each.last, "and still at the last such line"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
