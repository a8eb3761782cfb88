"""KR903: a scheduler's log in which no scheduling attempt is to be seen."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.types import Finding


class NoAttempts(Rule):
    """The log is a scheduler's, and shows no scheduling attempt.

    ## What it is

    Nothing can be said about any pod, neither good nor bad.

    ## Why it happens

    At -v=0 and -v=1 the scheduler prints errors only; rejections and bindings are printed from -v=2 on. Or the
    process was never the leader: another replica did the scheduling, and its log is the one to read.

    ## Which versions

    Any.

    ## What the log shows

    Start-up and library lines only.

    ## What to do

    Record at -v=5, and take the log of the replica that held the lease.

    ## References

    - docs/rules/README.md for the other rules
    """

    code = "KR903"
    name = "no-attempts"
    observation = True

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding where no attempt was seen at all."""
        if case.attempts or case.failures or case.parkings:
            return
        level = "" if case.verbosity is None else f" (its lines prove -v={case.verbosity})"
        yield self.finding(
            pod=None,
            grade=None,
            summary=(
                f"No scheduling attempt is in this log{level}, so nothing can be said about any pod. Record at -v=5, "
                "on the replica that holds the lease."
            ),
        )
