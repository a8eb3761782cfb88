"""Rows of the claims table for pods of which only the log speaks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from klogreplay.claims.generated import read_claim_name
from klogreplay.claims.log_relation import LogRelation, PodLife
from klogreplay.claims.naming import State
from klogreplay.claims.reasons import WAIT_OF, Reason
from klogreplay.claims.rows import ClaimRow
from klogreplay.claims.semantics import Semantics
from klogreplay.claims.waits import Wait, listed

_EXTENDED = "extended-resources"
"""Where the entry stands in the name of a claim that the scheduler makes for extended resources (1.34+)."""


def rows_of_log(relation: LogRelation, semantics: Semantics) -> Iterator[ClaimRow]:
    """One row for each claim that the log ties to a pod, or for what a pod without one waits for; pods by name."""
    claims = sorted(relation.seen)
    for pod in sorted(relation.pods):
        life = relation.pods[pod]
        if life.claims:
            yield from _claim_rows(life, semantics)
        elif life.waits is not None:
            yield _waiting_row(life, life.waits, claims, semantics)
        elif life.needs_none is not None:
            yield _row(life, "not-needed", None, None, semantics)


def wait_of_log(life: PodLife) -> Wait | None:
    """What the latest word of the log about a pod says it waits for."""
    if life.waits is None or life.left is not None:
        return None
    return _wait(life.waits)


def claims_seen_for(pod: str, claims: list[str]) -> list[str]:
    """Those of `claims` (sorted names "namespace/name") whose name begins as that of a claim made for the pod."""
    first = bisect_left(claims, f"{pod}-")
    last = bisect_left(claims, f"{pod}.", first)
    return claims[first:last]


def _claim_rows(life: PodLife, semantics: Semantics) -> Iterator[ClaimRow]:
    wait = wait_of_log(life)
    for claim in life.claims:
        row = _row(life, "named", claim.rpartition("/")[2], None, semantics)
        if wait is not None and life.waits is not None:
            about = life.waits.claim
            if about is None or len(life.claims) == 1 or about.rpartition("/")[2] == row.name:
                row.wait = wait
            if life.waits.code == "not-owner" and about == claim:
                row.owner = "foreign"
        yield row


def _waiting_row(life: PodLife, reason: Reason, claims: list[str], semantics: Semantics) -> ClaimRow:
    wait = wait_of_log(life)
    name = (
        reason.claim.rpartition("/")[2] if reason.claim is not None and reason.kind != "podschedulingcontexts" else None
    )
    if reason.code == "no-supported-field":
        row = _row(life, "invalid", None, reason.text, semantics)
        row.entry = reason.entry
    elif reason.code != "not-created" or name is not None:
        # Below -v=4 the log tells that the pod has claims, and may not tell which.
        row = _row(life, "named", name, None, semantics)
    else:
        row = _row(life, "not-created", None, reason.text, semantics)
        made = claims_seen_for(life.pod, claims) if wait is not None else []
        if made:
            names = listed([claim.rpartition("/")[2] for claim in made])
            wait = Wait("status-update", f"its status to name a claim; the log speaks of {names}")
    row.wait = wait
    return row


def _row(life: PodLife, state: State, name: str | None, error: str | None, semantics: Semantics) -> ClaimRow:
    parts = None
    if name is not None:
        parts = read_claim_name(life.pod.rpartition("/")[2], name, recorded_names=semantics.recorded_names)
    entry = parts.entry if parts is not None and not parts.shortened and parts.entry != _EXTENDED else None
    check: bool | None = state == "not-needed"
    if state == "named":
        check = parts is not None if name is not None else None
    return ClaimRow(
        pod=life.pod,
        entry=entry,
        state=state,
        name=name,
        must_check_owner=check,
        error=error,
        owner="unknown",
        resolved_by="log",
    )


def _wait(reason: Reason) -> Wait:
    code = WAIT_OF[reason.code]
    name = reason.claim.rpartition("/")[2] if reason.claim is not None else None
    match reason.code:
        case "not-created":
            text = f"the claim controller to create {'a claim' if name is None else f'claim {name}'}"
        case "not-owner":
            text = f"a claim of its own: {name} belongs to another object"
        case "not-found":
            text = f"claim {name}, which does not exist"
        case "being-deleted":
            text = f"the deletion of claim {name}, and for a new one"
        case "no-supported-field":
            text = "an entry that names a claim or a template: no field known here is set"
        case "conflict":
            text = f"a retry: its update of {reason.kind or 'resourceclaims'} {name} collided with another"
        case _:
            text = f"{'its claims' if name is None else f'claim {name}'}: {reason.text}"
    return Wait(code, text)
