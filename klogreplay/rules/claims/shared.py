"""What the rules on claims share: how to get at the evidence, and how long a wait has to be to mean something."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.evidence import ClaimEvidence
from klogreplay.claims.log_relation import Seen
from klogreplay.claims.rows import ClaimRow
from klogreplay.claims.waits import WaitCode
from klogreplay.replay.types import Cited, Grade
from klogreplay.rules.base import Case

LONG_WAIT_US = 30_000_000
"""A claim controller that works needs milliseconds; a wait of half a minute is none of its usual delays."""

SHORT_WAIT_US = 1_000_000
"""Every pod with a template waits for a moment; a log that ends in that moment tells nothing."""


def evidence_of(case: Case) -> ClaimEvidence | None:
    """The case's evidence on claims, None where claims were not looked at."""
    return case.claims if isinstance(case.claims, ClaimEvidence) else None


def rows_waiting(claims: ClaimEvidence, code: WaitCode) -> Iterator[ClaimRow]:
    """The rows of pods that wait for this, from first to last."""
    return (row for row in claims.rows if row.wait is not None and row.wait.code == code)


def cited(seen: Seen, says: str) -> Cited:
    """A line of the log as a piece of proof."""
    return Cited(seen.line, seen.text, says, seen.source)


def proof_of_wait(claims: ClaimEvidence, pod: str) -> list[Cited]:
    """The lines that show since when the pod waits and that it was still waiting at last; empty without a log."""
    life = claims.life(pod)
    if life is None or life.since is None or life.told is None or life.waits is None:
        return []
    proof = [cited(life.since, f"the pod waits: {life.waits.text}")]
    if life.told != life.since:
        proof.append(cited(life.told, "it still waits"))
    return proof


def grade_of_wait(claims: ClaimEvidence, row: ClaimRow) -> Grade | None:
    """How sure a wait is no passing state; None where it is too short to be spoken of.

    A log that shows the pod waiting for long proves it; objects show one moment only, and a log without objects shows
    only one side.
    """
    waited = claims.waited_us(row.pod)
    long = waited is not None and waited >= LONG_WAIT_US
    if row.resolved_by == "log":
        if waited is None or waited < SHORT_WAIT_US:
            return None
        return "likely" if long else "suspected"
    return "proven" if long else "likely"
