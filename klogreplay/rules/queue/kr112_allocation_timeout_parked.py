"""KR112: the search for devices ran out of time, and the pod was parked as if it had been rejected."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.events.fiterror import parse_fit_error
from klogreplay.replay.parkings import Traits
from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references, weakest
from klogreplay.rules.phrases import attempt, stay
from klogreplay.rules.types import Finding

TIMED_OUT = "timed out trying to allocate devices"
"""What DynamicResources says of a node for which its search took too long (1.34 and later)."""


class AllocationTimeoutParked(Rule):
    """DynamicResources ran out of time on a node; that says nothing about the node, and yet the pod was parked.

    ## What it is

    The plugin gives up its search for devices after some time (10 seconds by default). A later search may well find
    some. The attempt was counted as a rejection, so the pod waits for an event of the plugin. Where the event came
    during the slow attempt, or none comes, it waits for the flush.

    ## Why it happens

    The time-out was returned as "unschedulable" instead of as an error.

    ## Which versions

    1.34 and 1.35. Fixed in 1.36.0.

    ## What the log shows

    "Unable to schedule pod; no fit; waiting" with "timed out trying to allocate devices", and the pod goes to
    queue="Unschedulable" (-v=3).

    ## What to do

    Upgrade. Until then: raise `filterTimeout` in DynamicResourcesArgs, or give the scheduler more CPU.

    ## References

    - kubernetes#132033 (the time-out), kubernetes#137607 (fix)
    """

    code = "KR112"
    name = "allocation-timeout-parked"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each parking that such a time-out took part in."""
        bugs = matching(case, "KB27")
        if not bugs:
            return
        for index, parking in case.judged.select(_rejected, mentioning=TIMED_OUT):
            fit = parse_fit_error(parking.error)
            nodes = 0 if fit is None else sum(count or 0 for count, reason in fit.reasons if reason == TIMED_OUT)
            if not nodes:
                continue
            sure: Grade = "proven" if parking.destination_evidence == "observed" else "likely"
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=weakest(sure, bugs[0].best),
                summary=(
                    f"{attempt(parking)} ran out of time on {nodes} of {fit.total if fit else nodes} nodes while it "
                    f"searched for devices, and was parked; it should be retried after backoff. {stay(parking)}"
                ),
                proof=parking.proof,
                upstream=references(match.bug for match in bugs),
            )


def _rejected(each: Traits) -> bool:
    return not each.is_error and each.parked and each.verdict != "wrong"
