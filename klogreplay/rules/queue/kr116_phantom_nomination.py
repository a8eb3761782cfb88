"""KR116: a deleted preemptor goes on holding room on its nominated node."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, references, weakest
from klogreplay.rules.phrases import counted
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.phantoms import Phantom, Phantoms
from klogreplay.rules.types import Finding


class PhantomNomination(Rule):
    """A preemptor was deleted while it was being tried, and the scheduler went on keeping room for it.

    ## What it is

    A preemptor has a node nominated for it. It is deleted in the middle of an attempt. The attempt fails, and the
    failure nominates the pod once more, after the deletion had taken the nomination away. Nobody takes it away a second
    time: until the scheduler restarts, other pods are rejected for want of room that nothing uses.

    ## Why it happens

    The handling of a failed attempt wrote the nomination before it looked whether the pod still exists. The fix looks
    first.

    ## Which versions

    1.19.0 to 1.19.11, 1.20.0 to 1.20.7, 1.21.0 and 1.21.1. Fixed in 1.19.12, 1.20.8, 1.21.2 and 1.22.0. A similar case
    with pods that have been scheduled meanwhile was fixed in 1.24.0.

    ## What the log shows

    Between "Attempting to schedule pod" and the failure: "delete event for unscheduled pod" (-v=3), then "Error getting
    the updated preemptor pod object". Whether the nomination stayed behind shows in a dump of the cache only (SIGUSR2:
    "Nominated Pods"); without one the finding is a suspicion.

    ## What to do

    Send the scheduler SIGUSR2 and look for the deleted pod under "Nominated Pods". Restart it to free the room, and
    upgrade.

    ## References

    - kubernetes#102339 (report), kubernetes#102498 (fix), kubernetes#109245 (the similar case)
    """

    code = "KR116"
    name = "phantom-nomination"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each preemptor that was deleted in its attempt and may hold room since."""
        rows = case.sensed.of(Phantoms)
        bugs = matching(case, "KB06") if rows else []
        for each in rows if bugs else ():
            if each.dump is not None or each.rejected is not None:
                yield self._finding(each, bugs)

    def _finding(self, found: Phantom, bugs: list[Match]) -> Finding:
        sure: Grade = "proven" if found.dump is not None else "suspected"
        held = "still holds a nomination in a later dump of the cache" if found.dump else "may hold a nomination since"
        short = (
            f"; {counted(found.rejections, 'attempt')} of other pods failed for want of room" if found.rejected else ""
        )
        return self.finding(
            pod=found.pod,
            grade=weakest(sure, bugs[0].best),
            summary=f"{found.pod} was deleted while it was being tried as a preemptor, and {held}{short}.",
            proof=cite_all(
                (
                    (found.popped, "the pod was popped: it is in flight from here"),
                    (found.deleted, "it is deleted, and with it its nomination"),
                    (found.missing, "its preemption does not find it any more"),
                    (found.failed, "the attempt failed, which nominates the pod again"),
                    (found.rejected, "another pod does not find room"),
                    (found.dump, "the deleted pod is still nominated"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
