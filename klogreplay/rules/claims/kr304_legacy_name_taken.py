"""KR304: two pods' entries come to one claim name (1.27 and older)."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.claims.rows import ClaimRow
from klogreplay.claims.waits import listed
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.shared import evidence_of, proof_of_wait, rows_waiting
from klogreplay.rules.types import Finding, UpstreamRef


class LegacyNameTaken(Rule):
    """The claim name of a pod is taken by a claim that is not its own.

    ## What it is

    Up to 1.27 a claim made from a template is called `<pod>-<entry>`. Both parts may hold hyphens, so two pods can
    come to one name: pod `a` with entry `b-c`, and pod `a-b` with entry `c`. The claim goes to the one that comes
    first; the other one finds a claim that is not its own and waits. A claim made by hand can take the name as well.

    ## Why it happens

    The name is put together without anything that makes it unique.

    ## Which versions

    1.26 and 1.27. From 1.28 on names are generated (kubernetes#117351), and the owner tells old claims apart.

    ## What the log shows

    "ResourceClaim ns/name was not created for pod ns/name (pod is not owner)" as the reason of "pod unschedulable".

    ## What to do

    Rename the pod or the entry, or remove the claim that is in the way. Upgrade to 1.28 or later.

    ## References

    - kubernetes#117351 (fix), kubernetes#113722 (the problem)
    """

    code = "KR304"
    name = "legacy-name-taken"
    upstream = (
        UpstreamRef(ref="kubernetes#117351", title="DRA: generated resource claim names", fixed_in=("1.28.0",)),
    )

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod that meets another's claim; a suspicion where two entries share a free name."""
        claims = evidence_of(case)
        if claims is None or claims.semantics.recorded_names:
            return
        for row in rows_waiting(claims, "foreign"):
            yield self.finding(
                pod=row.pod,
                grade="proven",
                summary=(
                    f"{row.pod} has to use claim {row.name} by its name, but that claim is not its own"
                    f"{_others(row)}; it waits for {row.wait.text if row.wait is not None else ''}."
                ),
                proof=proof_of_wait(claims, row.pod),
            )
        for row in rows_waiting(claims, "creation"):
            if row.claimants:
                yield self.finding(
                    pod=row.pod,
                    grade="suspected",
                    summary=f"{row.pod} shares the name of its claim {row.name}{_others(row)}; one of them will wait.",
                    proof=proof_of_wait(claims, row.pod),
                )


def _others(row: ClaimRow) -> str:
    others = [f"{pod} entry {entry}" for pod, entry in row.claimants if (pod, entry) != (row.pod, row.entry)]
    return f" (the same name comes from {listed(others)})" if others else ""
