"""KR301: a claim that a template calls for was not created."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.rows import ClaimRow
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import evidence_of, grade_of_wait, proof_of_wait, rows_waiting
from klogreplay.rules.phrases import quoted
from klogreplay.rules.types import Finding


class ClaimNeverCreated(Rule):
    """A pod waits for a claim from a template, and nobody made that claim.

    ## What it is

    The pod has an entry in spec.resourceClaims that names a ResourceClaimTemplate. The claim controller in
    kube-controller-manager has to make a claim from it and record the claim's name in the pod's status. It has not,
    so the scheduler does not even try the pod.

    ## Why it happens

    The claim controller does not run or may not create claims (gate or API group switched off, RBAC); the template
    does not exist or was created late (the controller retries at growing intervals, up to 1000 s, and nothing tells it
    of the new template: kubernetes#135835); a ResourceQuota or an admission webhook refuses the claim; on 1.32 and
    later, a claim that 1.27 or older made is not taken over.

    ## Which versions

    All with dynamic resource allocation (1.26 and later). Up to 1.27 the scheduler tries the pod and says "waiting for
    dynamic resource controller to create the resourceclaim".

    ## What the log shows

    "pod unschedulable" with the reason "ResourceClaim not created yet", or the same text in "Status after running
    PreEnqueue plugin" (1.30 and later), and no attempt for the pod. From the log alone the finding is likely when the
    pod waited for half a minute or longer, suspected from one second on, and none below.

    ## What to do

    `kubectl describe pod` shows an event FailedResourceClaimCreation with the controller's error. Look whether the
    template exists in the pod's namespace, at its quotas (count/resourceclaims.resource.k8s.io), and at
    kube-controller-manager's log.

    ## References

    - kubernetes#117351 (the controller records generated names), kubernetes#119078 (such pods are held back),
      kubernetes#135835 (a template that comes late)
    """

    code = "KR301"
    name = "claim-never-created"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each entry whose claim does not exist."""
        claims = evidence_of(case)
        if claims is None:
            return
        for row in rows_waiting(claims, "creation"):
            grade = grade_of_wait(claims, row)
            if grade is None:
                continue
            # Without the claims at hand it may be only the pod's status that lags behind.
            unsure = not claims.objects.complete_claims
            if unsure and row.resolved_by != "log":
                grade = "suspected"
            yield self.finding(
                pod=row.pod,
                grade=grade,
                summary=_summary(row) + (_OR_UNRECORDED if unsure else ""),
                proof=proof_of_wait(claims, row.pod),
            )


_OR_UNRECORDED = (
    " Or the claim is there, and only the pod's status does not name it (KR302): the cluster's claims (--objects) tell "
    "which."
)


def _summary(row: ClaimRow) -> str:
    entry = f" for its entry {quoted([row.entry])}" if row.entry is not None else ""
    return f"{row.pod} waits{entry} for {row.wait.text if row.wait is not None else 'a claim'}."
