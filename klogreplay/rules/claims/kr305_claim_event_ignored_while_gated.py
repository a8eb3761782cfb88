"""KR305: the claim came, and the queue did not ask the gated pod about it."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.attribution import ClaimEvent, kind_of_label
from klogreplay.claims.evidence import ClaimEvidence
from klogreplay.claims.log_relation import Seen
from klogreplay.claims.reasons import Reason
from klogreplay.knowledge import behaviours
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import cited, evidence_of
from klogreplay.rules.known_bugs import fixed_in
from klogreplay.rules.phrases import seconds
from klogreplay.rules.types import Finding, UpstreamRef

_SKIPS_GATED = "all skipped"


class ClaimEventIgnoredWhileGated(Rule):
    """A pod that waited for its claim was not told when the claim came.

    ## What it is

    The DynamicResources plugin turns a pod away before it enters activeQ while its claim is missing (PreEnqueue). The
    pod is gated. When the claim appears, the queue should ask the plugin again. It passed over the pod because it is
    gated. The pod sleeps on until something updates it; the periodic flush passes over it in the same way.

    ## Why it happens

    An optimisation for pods with scheduling gates (kubernetes#124618) skips every gated pod when a cluster event comes,
    whichever plugin gated it. Normally the update of the pod's status, which names the claim, comes after the claim and
    wakes the pod. Where the scheduler sees the update first, the claim is not found, and nothing else wakes it.

    ## Which versions

    Regression in 1.28.11, 1.29.6 and 1.30.2 (in 1.27.16 as well, but there the plugin does not gate). Fixed in 1.29.7
    and 1.31.0, in 1.28.14 and 1.30.4 at the latest.

    ## What the log shows

    "Status after running PreEnqueue plugin" by DynamicResources, with 'could not find ResourceClaim "ns/name"' in it
    or, up to 1.29, 'resourceclaim.resource.k8s.io "name" not found' in the "pod unschedulable" before it. Then the
    claim appears: other parked pods show "ResourceClaimAdd" with that claim, and no line asks this pod.

    ## What to do

    Upgrade. Until then any update of the pod, a label for instance, wakes it.

    ## References

    - kubernetes#124618 (regression), kubernetes#125223 (report), kubernetes#125527 (fix)
    """

    code = "KR305"
    name = "claim-event-ignored-while-gated"
    upstream = (
        UpstreamRef(
            ref="kubernetes#125527",
            title="fix: skip isPodWorthRequeuing only when SchedulingGates gates the pod",
            fixed_in=fixed_in("KB21"),
        ),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each time a gated pod slept through the arrival of the claim it waited for."""
        claims = evidence_of(case)
        if claims is None or not _skips_gated(case):
            return
        arrivals = _arrivals(claims)
        for life in claims.relation.pods.values():
            for over in life.over:
                if over.gated and over.after == "claims" and kind_of_label(over.event) != "ResourceClaim":
                    yield from self._slept(life.pod, over.reason, over.waited, over.moved, arrivals)
            if life.gated and life.left is None and life.waits is not None and life.since is not None:
                yield from self._slept(life.pod, life.waits, life.since, None, arrivals)

    def _slept(
        self, pod: str, reason: Reason, waited: Seen, woken: Seen | None, arrivals: dict[str, list[ClaimEvent]]
    ) -> Iterator[Finding]:
        # A pod that waits for its status to be written ("not created yet") is rightly not helped by the claim alone.
        if reason.code != "not-found" or reason.claim is None:
            return
        namespace = pod.rpartition("/")[0]
        claim = reason.claim if "/" in reason.claim else f"{namespace}/{reason.claim}"
        for event in arrivals.get(claim, ()):
            if event.t < waited.t or (woken is not None and event.t > woken.t) or pod in event.asked:
                continue
            until = "It was still asleep when the log ends."
            proof = [cited(waited, f"the pod is gated: {reason.text}"), cited(event.seen, "its claim appears")]
            if woken is not None:
                until = f"It slept {seconds(woken.t - event.t)} more until something else moved it."
                proof.append(cited(woken, "the pod is moved, not for the claim"))
            yield self.finding(
                pod=pod,
                grade="proven",
                summary=(
                    f"{pod} was gated because claim {claim} was missing. The claim came {seconds(event.t - waited.t)} "
                    f"later, and this release does not ask gated pods about cluster events. {until}"
                ),
                proof=proof,
            )
            return


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
