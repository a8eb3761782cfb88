"""KR306: an update of a claim or a PodSchedulingContext collided, and the pod was parked for it."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.reasons import read_reason
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import fixed_in
from klogreplay.rules.phrases import attempt, stay
from klogreplay.rules.types import Finding, UpstreamRef

_CAUSES = ("stale-plugins", "error-without-plugins")


class ReservationConflictParked(Rule):
    """An update for a pod's claims collided with another one, and the pod was parked instead of retried.

    ## What it is

    In Reserve the DynamicResources plugin writes to the pod's claim (status.reservedFor) or, up to 1.31, to its
    PodSchedulingContext. Another writer was faster, and the API server answered that the object has been modified.
    Such an attempt should simply be repeated after backoff. The queue put the pod into unschedulablePods instead.

    ## Why it happens

    The plugin had rejected an earlier attempt of the pod, and its name had stuck to the pod. The queue took the error
    for a rejection that an event of the plugin would resolve; the event had already come. This is the case that led
    to kubernetes#120334, see KR101.

    ## Which versions

    Releases without kubernetes#120334: up to 1.25.14, 1.26.9, 1.27.6 and 1.28.1 (1.28.2 probably). DynamicResources
    exists from 1.26 on.

    ## What the log shows

    "Plugin failed" by DynamicResources and "Error scheduling pod; retrying" with "Operation cannot be fulfilled on
    resourceclaims.resource.k8s.io" or "podschedulingcontexts.resource.k8s.io"; then no backoff.

    ## What to do

    Upgrade. Until then: shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#120334 (fix; the same case is in its description)
    """

    code = "KR306"
    name = "reservation-conflict-parked"
    upstream = (
        UpstreamRef(
            ref="kubernetes#120334",
            title='scheduler: avoid false "unschedulable" pod state',
            fixed_in=fixed_in("KB12"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking after a collision on an object of dynamic resource allocation."""
        for index, parking in case.judged.select(lambda each: each.verdict == "wrong" and each.is_error):
            cause = next((each for each in parking.causes if each.code in _CAUSES), None)
            reason = read_reason(parking.error)
            if cause is None or reason is None or reason.code != "conflict" or reason.kind is None:
                continue
            what = "claim" if reason.kind == "resourceclaims" else "PodSchedulingContext"
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=cause.grade,
                summary=(
                    f"{attempt(parking)} lost an update of {what} {reason.claim} to another writer and was parked; it "
                    f"should have been retried after backoff. {stay(parking)}"
                ),
                proof=parking.proof,
            )
