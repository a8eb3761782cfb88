"""KR303: the pod's status names a claim that was made for something else."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import evidence_of, proof_of_wait, rows_waiting
from klogreplay.rules.types import Finding


class ClaimOfAnotherPod(Rule):
    """A pod's status names a claim whose owner is another object.

    ## What it is

    A claim made from a template belongs to one pod: its controlling owner has that pod's UID. The claim that this
    pod's status names has another owner, or none. The scheduler refuses it, and goes on refusing it.

    ## Why it happens

    The pod was deleted and created again under its name while its status was restored or copied with it (backup tools,
    controllers that copy statuses); the claim was deleted and another one took its name; the owner reference was
    edited away.

    ## Which versions

    1.28 and later, where the name is read from the status. For the deterministic names of 1.27 and older see KR304.

    ## What the log shows

    "ResourceClaim ns/name was not created for pod ns/name (pod is not owner)", as the reason of "pod unschedulable" or
    in the status of PreEnqueue.

    ## What to do

    Compare metadata.ownerReferences of the claim with metadata.uid of the pod. The claim controller makes a new claim
    when it comes to the pod again; if it does not, delete the pod.

    ## References

    - kubernetes#117351 (generated names and the owner check)
    """

    code = "KR303"
    name = "claim-of-another-pod"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each entry that points to another object's claim."""
        claims = evidence_of(case)
        if claims is None or not claims.semantics.recorded_names:
            return
        for row in rows_waiting(claims, "foreign"):
            yield self.finding(
                pod=row.pod,
                grade="proven",
                summary=f"{row.pod} waits for {row.wait.text if row.wait is not None else ''}.",
                proof=proof_of_wait(claims, row.pod),
            )
