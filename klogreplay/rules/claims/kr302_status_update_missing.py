"""KR302: the claim exists, but the pod's status does not name it."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.rows import ClaimRow
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import evidence_of, grade_of_wait, proof_of_wait, rows_waiting
from klogreplay.rules.phrases import quoted
from klogreplay.rules.types import Finding


class StatusUpdateMissing(Rule):
    """A pod waits for a claim that exists: its status does not name it.

    ## What it is

    From 1.28 on a claim made from a template has a generated name, and only pod.status.resourceClaimStatuses says
    which claim belongs to which entry. Here a claim made for the entry exists, by its annotation
    `resource.kubernetes.io/pod-claim-name` and its owner, or by the name that 1.27 gave it; the pod's status has no
    entry for it. The scheduler keeps the pod back as if there were no claim.

    ## Why it happens

    The claim controller creates the claim first and updates the pod's status afterwards. The update failed (conflict,
    RBAC, a webhook), the controller stopped in between, or the claim dates from before an upgrade from 1.27 and the
    new controller has not come to it. While one entry of a pod cannot be served, its other entries are not recorded
    either.

    ## Which versions

    1.28 and later. Claims of 1.27 are recorded by 1.28 to 1.31 only (kubernetes#127397).

    ## What the log shows

    "ResourceClaim not created yet" for the pod although lines of other pods name a claim called after it. Without
    objects this is a suspicion, since a claim may be called so by chance.

    ## What to do

    Look at kube-controller-manager's log for "update pod ... ResourceClaimStatuses". A restart of the controller makes
    it try again; deleting the pod lets its owner make a new one.

    ## References

    - kubernetes#117351 (generated names), kubernetes#127397 (claims of 1.27 no longer looked for), kubernetes#138407
      (status entries that come and go)
    """

    code = "KR302"
    name = "status-update-missing"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each entry whose claim exists unrecorded."""
        claims = evidence_of(case)
        if claims is None:
            return
        for row in rows_waiting(claims, "status-update"):
            grade = grade_of_wait(claims, row)
            if grade is None:
                continue
            yield self.finding(
                pod=row.pod,
                grade=grade,
                summary=_summary(row),
                proof=proof_of_wait(claims, row.pod),
            )


def _summary(row: ClaimRow) -> str:
    text = row.wait.text if row.wait is not None else ""
    if row.orphan is None:
        return f"{row.pod} waits for {text}."
    how = (
        "its annotation names the entry"
        if row.orphan.sign == "annotation"
        else "it has the name that releases up to 1.27 gave"
    )
    return f"{row.pod} waits for {text}: the claim was made for entry {quoted([row.entry or ''])} ({how})."
