"""KR102: events that came while the pod was in flight were lost."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule, caused_by
from klogreplay.rules.known_bugs import fixed_in
from klogreplay.rules.phrases import attempt, quoted, stay
from klogreplay.rules.types import Finding, UpstreamRef


class MissedEvents(Rule):
    """A pod was parked although an event that could help it came while it was being tried.

    ## What it is

    While a pod is in flight, the queue notes the cluster events that arrive, and when the attempt fails it asks the
    rejector plugins about them. Here a relevant event was noted, and lost before the pod came back: the pod went to
    unschedulablePods and has to wait for another event or for the flush.

    ## Why it happens

    In the first design of the in-flight bookkeeping, a pod remembered the last event before its Pop as a marker in
    the list of received events. When all pods that were in flight at that event were done, the list dropped it, and
    with it the way to every later event. The fix puts the pods themselves into the list. It needs a second pod whose
    attempt overlaps, typically one in its binding cycle.

    ## Which versions

    1.28.0 and 1.28.1, with the feature gate SchedulerQueueingHints on (its default there). Fixed in 1.28.2
    (kubernetes#120445, by its release notes) and 1.29.0 (kubernetes#120413).

    ## What the log shows

    Between "About to try and schedule pod" and the failure of the pod: another pod's attempt ends, and then a line
    shows an event for which one of the pod's rejector plugins is registered. The pod is parked nevertheless.

    ## What to do

    Upgrade. Until then: switch off SchedulerQueueingHints, or shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#118438 (the first design), kubernetes#120413 (fix), kubernetes#120445 (backport to 1.28)
    """

    code = "KR102"
    name = "missed-events"
    upstream = (
        UpstreamRef(
            ref="kubernetes#120413",
            title="scheduler: fix tracking of concurrent events",
            fixed_in=fixed_in("KB13"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking that an intact list of in-flight events would have avoided."""
        for index, parking, grade in caused_by(case, self.name):
            missed = dict.fromkeys(event.event for event in parking.concurrent_events if event.effect == "queue")
            events = quoted(missed) or "an event"
            rejectors = f" by {quoted(parking.rejector_plugins)}" if parking.rejector_plugins else ""
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=grade,
                summary=(
                    f"{attempt(parking)} was rejected{rejectors} and parked, although {events} came while it was in "
                    f"flight and called for a retry. {stay(parking)}"
                ),
                proof=parking.proof,
            )
