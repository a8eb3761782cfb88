"""KR103: an error attempt without rejector plugins parked."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule, caused_by
from klogreplay.rules.known_bugs import fixed_in
from klogreplay.rules.phrases import attempt, stay
from klogreplay.rules.types import Finding, UpstreamRef


class ErrorWithoutPlugins(Rule):
    """An attempt that failed with an error, rejected by no plugin, was parked instead of being backed off.

    ## What it is

    A failed binding, a refused API call or an error inside a plugin says nothing about the cluster: a later try may
    well succeed. The queue nevertheless put the pod into unschedulablePods, where it waits for an event that need
    never come.

    ## Why it happens

    The queue decided by events alone: with no event since the pod was popped (without queueing hints: no move request
    since the attempt's scheduling cycle began) a failed pod was parked, whatever it had failed on. Since 1.29 a pod
    without rejector plugins always goes to backoffQ or activeQ.

    ## Which versions

    All releases up to 1.28.14. Fixed in 1.29.0.

    ## What the log shows

    "Error scheduling pod; retrying", then the queue "Unschedulable" for the pod, where "Backoff" was due. Between
    1.28.3 and 1.28.14 with SchedulerQueueingHints on, such a pod is at least woken by any event.

    ## What to do

    Upgrade to 1.29 or later. Until then: remove the source of the error, and shorten
    `--pod-max-in-unschedulable-pods-duration` (1.24 and later).

    ## References

    - kubernetes#119105 (fix), kubernetes#104013 (discussion)
    """

    code = "KR103"
    name = "error-without-plugins"
    upstream = (
        UpstreamRef(
            ref="kubernetes#119105",
            title="fix(scheduling_queue): always put Pods with no unschedulable plugins into activeQ/backoffQ",
            fixed_in=fixed_in("KB15"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking that needs no rejector to be told wrong."""
        for index, parking, grade in caused_by(case, self.name):
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=grade,
                summary=(
                    f"{attempt(parking)} failed with an error, which no event can mend, and was parked instead of "
                    f"being retried after backoff. {stay(parking)}"
                ),
                proof=parking.proof,
            )
