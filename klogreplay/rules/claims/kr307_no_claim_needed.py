"""KR307: the pod waited for a claim that its status says it does not need."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.evidence import ClaimEvidence
from klogreplay.claims.log_relation import FLUSH
from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import LONG_WAIT_US, cited, evidence_of, proof_of_wait
from klogreplay.rules.phrases import quoted, seconds
from klogreplay.rules.types import Finding, UpstreamRef


class NoClaimNeeded(Rule):
    """A pod needs no claim for an entry, and was kept waiting for one.

    ## What it is

    An entry in pod.status.resourceClaimStatuses without a name says that no claim is needed: the scheduler skips the
    entry. Here the pod has such a status, or went through without a claim at last, and yet it sat waiting with
    "ResourceClaim not created yet".

    ## Why it happens

    The update of the pod's status did not wake the pod. With SchedulerQueueingHints on 1.31 no plugin was asked about
    such an update (kubernetes#127497). Or the scheduler has not seen the update: a stale informer.

    ## Which versions

    1.28 and later; waking by the update fails in 1.31 with SchedulerQueueingHints on, fixed in 1.32.0.

    ## What the log shows

    The pod is gated by DynamicResources ("ResourceClaim not created yet"), at last moved by "UnschedulableTimeout", and
    its attempt lists no claims. From 1.30 on "Update event for unscheduled pod" shows when the update came.

    ## What to do

    Upgrade. Until then: switch off SchedulerQueueingHints, or shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#117351 (statuses without a name), kubernetes#127497 (fix)
    """

    code = "KR307"
    name = "no-claim-needed"
    upstream = (
        UpstreamRef(ref="kubernetes#127497", title="DRA scheduler: fix queuing hint support", fixed_in=("1.32.0",)),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod that waits although it needs nothing, and for each that slept until the flush."""
        claims = evidence_of(case)
        if claims is None:
            return
        yield from self._waiting_now(claims)
        yield from self._slept(claims)

    def _waiting_now(self, claims: ClaimEvidence) -> Iterator[Finding]:
        missing = {row.pod for row in claims.rows if row.state == "not-created"}
        for row in claims.rows:
            life = claims.life(row.pod)
            waited = claims.waited_us(row.pod)
            if row.state != "not-needed" or row.resolved_by == "log" or life is None or waited is None:
                continue
            if life.waits is None or life.waits.code != "not-created" or row.pod in missing:
                continue
            yield self.finding(
                pod=row.pod,
                grade="likely" if waited >= LONG_WAIT_US else "suspected",
                summary=(
                    f"{row.pod} needs no claim for its entry {quoted([row.entry or ''])}, says its status; the "
                    f"scheduler has it wait for one, {seconds(waited)} by now."
                ),
                proof=proof_of_wait(claims, row.pod),
            )

    def _slept(self, claims: ClaimEvidence) -> Iterator[Finding]:
        for life in claims.relation.pods.values():
            for over in life.over:
                if over.event != FLUSH or over.after != "no-claims" or over.reason.code != "not-created":
                    continue
                proof = [cited(over.waited, f"the pod waits: {over.reason.text}")]
                grade: Grade = "suspected"
                if over.updated is not None and over.moved.t - over.updated.t >= LONG_WAIT_US:
                    grade = "likely"
                    proof.append(cited(over.updated, "the pod was updated"))
                proof.append(cited(over.moved, "only the flush moved it"))
                if over.next_attempt is not None:
                    proof.append(cited(over.next_attempt, "the next attempt lists no claim"))
                yield self.finding(
                    pod=life.pod,
                    grade=grade,
                    summary=(
                        f"{life.pod} waited {seconds(over.moved.t - over.waited.t)} for a claim until the flush, "
                        f"and then went through without one."
                    ),
                    proof=proof,
                )
