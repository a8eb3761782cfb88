"""KR101: an error attempt parked for the plugins of an earlier attempt."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule, caused_by
from klogreplay.rules.known_bugs import fixed_in
from klogreplay.rules.phrases import attempt, quoted, stay
from klogreplay.rules.types import Finding, UpstreamRef


class StalePlugins(Rule):
    """A pod was parked because of plugins that rejected an earlier attempt, not this one.

    ## What it is

    An attempt ended in an error (a conflict, an API failure), which calls for a retry after backoff. The pod still
    carried the rejector plugins of an earlier attempt, so the queue took the error for a rejection by them and put
    the pod into unschedulablePods. The events these plugins wait for have nothing to do with the error: nothing wakes
    the pod until the periodic flush.

    ## Why it happens

    The set UnschedulablePlugins of a queued pod was only ever added to. No attempt started with an empty set. The
    fix clears the set when the pod is popped.

    ## Which versions

    1.21 to 1.25.14, 1.26.0 to 1.26.9, 1.27.0 to 1.27.6, 1.28.0 and 1.28.1 (1.28.2 probably). Fixed in 1.25.15
    (kubernetes#120558), 1.26.10 (kubernetes#120557), 1.27.7 (kubernetes#120556), 1.28.3 (kubernetes#120535) and
    1.29.0 (kubernetes#120334).

    ## What the log shows

    First "Unable to schedule pod; no fit; waiting" for the pod, with reasons of some plugin. Then, for a later
    attempt, "Error scheduling pod; retrying", and the pod goes to the queue "Unschedulable" instead of "Backoff". On
    1.28.0 and 1.28.1 the move itself is printed only from -v=6 on; below that the parking follows from how the pod
    comes back.

    ## What to do

    Upgrade to a release with the fix. Until then: shorten `--pod-max-in-unschedulable-pods-duration` (1.24 and
    later), or change a label of the pod or of a node to wake the pods.

    ## References

    - kubernetes#120334 (fix), kubernetes#120535, kubernetes#120556, kubernetes#120557, kubernetes#120558 (backports)
    """

    code = "KR101"
    name = "stale-plugins"
    upstream = (
        UpstreamRef(
            ref="kubernetes#120334",
            title='scheduler: avoid false "unschedulable" pod state',
            fixed_in=fixed_in("KB12"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking that clearing the set at Pop would have avoided."""
        for index, parking, grade in caused_by(case, self.name):
            held = quoted(parking.stale_plugins)
            blamed = (
                f"as if {held} had rejected it; that was an earlier attempt"
                if held
                else ("as if a plugin had rejected it, most likely for the plugins of an earlier attempt")
            )
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=grade,
                summary=(f"{attempt(parking)} failed with an error and was parked {blamed}. {stay(parking)}"),
                proof=parking.proof,
            )
