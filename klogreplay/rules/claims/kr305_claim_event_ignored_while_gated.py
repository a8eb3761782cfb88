"""KR305: the claim came, and the queue did not ask the gated pod about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from klogreplay.claims.attribution import ClaimEvent
from klogreplay.claims.evidence import ClaimEvidence
from klogreplay.claims.log_relation import Flushed, PodLife
from klogreplay.knowledge import behaviours
from klogreplay.replay.types import Cited
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import cited, evidence_of
from klogreplay.rules.phrases import seconds
from klogreplay.rules.types import Finding, UpstreamRef

_SKIPS_GATED = "all skipped"


class ClaimEventIgnoredWhileGated(Rule):
    """A pod that waited for its claim was not told when the claim came.

    ## What it is

    The DynamicResources plugin turns a pod away before it enters activeQ while its claim is missing (PreEnqueue). The
    pod is gated. When the claim appears, the queue should ask the plugin again. It passed over the pod because it is
    gated, and the pod slept until the periodic flush.

    ## Why it happens

    An optimisation for pods with scheduling gates (kubernetes#124618) skipped every gated pod when a cluster event
    came, whichever plugin had gated it. If the pod's update arrived before the claim, nothing was left to wake it.

    ## Which versions

    Regression in 1.28.11, 1.29.6 and 1.30.2 (in 1.27.16 as well, but there the plugin does not gate). Fixed in 1.29.7
    and 1.31.0, in 1.28.14 and 1.30.4 at the latest.

    ## What the log shows

    "Status after running PreEnqueue plugin" by DynamicResources; the claim appears without a line for this pod (other
    parked pods may show "ResourceClaimAdd"); "Pod moved to an internal scheduling queue" by "UnschedulableTimeout", and
    the attempt right after it finds the claim.

    ## What to do

    Upgrade. Until then any update of the pod, a label for instance, wakes it; so does a shorter
    `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#124618 (regression), kubernetes#125223 (report), kubernetes#125527 (fix)
    """

    code = "KR305"
    name = "claim-event-ignored-while-gated"
    upstream = (
        UpstreamRef(
            ref="kubernetes#125527",
            title="fix: skip isPodWorthRequeuing only when SchedulingGates gates the pod",
            fixed_in=("1.28.14", "1.29.7", "1.30.4", "1.31.0"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each time a gated pod slept through the arrival of its claim."""
        claims = evidence_of(case)
        if claims is None or not _skips_gated(case):
            return
        arrivals = _arrivals(claims)
        for life in claims.relation.pods.values():
            for flushed in life.flushed:
                if flushed.gated and flushed.after == "claims" and flushed.reason.code in ("not-created", "not-found"):
                    arrived = (event for claim in life.claims for event in arrivals.get(claim, ()))
                    yield self._slept(life, flushed, arrived)

    def _slept(self, life: PodLife, flushed: Flushed, arrived: Iterable[ClaimEvent]) -> Finding:
        waited = flushed.flush.t - flushed.waited.t
        arrival = next(
            (
                event
                for event in arrived
                if flushed.waited.t <= event.t <= flushed.flush.t and life.pod not in event.asked
            ),
            None,
        )
        proof: list[Cited] = [cited(flushed.waited, f"the pod is gated: {flushed.reason.text}")]
        shown = ""
        if arrival is not None:
            shown = f" Its claim {arrival.object} came {seconds(arrival.t - flushed.waited.t)} after it was gated."
        proof.append(cited(flushed.flush, "only the flush moved it"))
        if flushed.next_attempt is not None:
            proof.append(cited(flushed.next_attempt, "the next attempt finds its claims"))
        return self.finding(
            pod=life.pod,
            grade="proven" if arrival is not None else "likely",
            summary=(
                f"{life.pod} was gated for a missing claim and slept {seconds(waited)} until the flush, although the "
                f"claim existed by then: this release does not ask gated pods about cluster events.{shown}"
            ),
            proof=proof,
        )


def _skips_gated(case: Case) -> bool:
    releases = [case.release] if case.release is not None else list(case.candidates)
    facts = [behaviours(release) for release in releases]
    return bool(facts) and all(fact.gated_pods_on_cluster_event == _SKIPS_GATED and not fact.assumed for fact in facts)


def _arrivals(claims: ClaimEvidence) -> dict[str, list[ClaimEvent]]:
    arrivals: dict[str, list[ClaimEvent]] = {}
    for event in claims.attribution.events:
        if event.object is not None and event.label.endswith("ResourceClaimAdd"):
            arrivals.setdefault(event.object, []).append(event)
    return arrivals
