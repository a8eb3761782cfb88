"""KR117: a preemption chose a victim again and again and never got as far as deleting it."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import matching, references, weakest
from klogreplay.rules.phrases import counted, seconds
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.kept_victims import KeptVictims
from klogreplay.rules.types import Finding

LEAST = 2
"""One refusal may be chance: the next attempt preempts."""


class VictimNeverDeleted(Rule):
    """The victim of a preemption could not be marked as such, so it was never deleted, and the preemptor waits on.

    ## What it is

    Before the scheduler deletes a victim it writes a condition (DisruptionTarget) into the victim's status. The API
    server refused the write, so the scheduler let the victim live. The preemptor is tried again, chooses the same
    victim, and is refused again.

    ## Why it happens

    The patch of the victim's status was made from too much of the pod, and the API server does not take it where
    preemptor and victim are of different quality-of-service classes.

    ## Which versions

    1.31, and patch releases of the minors before that took the regression over (which ones is unverified). Fixed in
    1.32.0 (unverified).

    ## What the log shows

    "Could not add DisruptionTarget condition due to preemption" (an error line, at every level) for the same preemptor
    and victim more than once, and no "Preemptor Pod preempted victim Pod" (-v=2) for them. An error that ends in "not
    found" is another matter: the victim was gone.

    ## What to do

    Upgrade. Until then delete the victim by hand. If the error speaks of missing rights, give the scheduler the verb
    patch on pods/status instead.

    ## References

    - kubernetes#126644 (fix)
    """

    code = "KR117"
    name = "victim-never-deleted"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each preemptor and victim that was refused more than once."""
        rows = [each for each in case.sensed.of(KeptVictims) if each.times >= LEAST]
        bugs = matching(case, "KB45") if rows else []
        for each in rows if bugs else ():
            sure: Grade = "likely"
            yield self.finding(
                pod=each.preemptor,
                grade=weakest(sure, bugs[0].best),
                summary=(
                    f"{each.preemptor} chose {each.victim} as its victim {counted(each.times, 'time')} within "
                    f"{seconds(each.last.t - each.first.t)}, and each time the victim could not be marked and was left "
                    "alone."
                ),
                proof=cite_all(
                    (
                        (each.first, "the victim's status is not taken, so it is not deleted"),
                        (each.failed, "the preemptor fails, to be tried again"),
                        (each.last, "the same again"),
                    )
                ),
                upstream=references(match.bug for match in bugs),
            )
