"""KR901: parkings that the log does not let us judge."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.phrases import counted
from klogreplay.rules.types import Finding


class UndecidedParkings(Rule):
    """Some failed attempts cannot be judged from this log.

    ## What it is

    For these attempts, something that the verdict rests on is not in the log: where the pod went, which plugins
    rejected it, or which events came while it was in flight. A line that is missing proves nothing, so no verdict is
    given.

    ## Why it happens

    Most often the verbosity was too low: queue decisions are printed from -v=3 to -v=6, by release. Also: the log
    begins or ends in the middle, a plugin is not in the tables, or a plugin's hint function decides by objects that
    the scheduler does not log.

    ## Which versions

    Any; up to 1.28 more often, since the rejector plugins are not printed there.

    ## What the log shows

    Each undecided parking lists under `needs` what would decide it.

    ## What to do

    Record again as the needs say. The verbosity of a running scheduler can be raised without a restart: PUT the
    level to /debug/flags/v on its secure port (with RBAC for that URL).

    ## References

    - docs/rules/README.md for the other rules
    """

    code = "KR901"
    name = "undecided-parkings"
    observation = True

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for all undecided parkings, with what they need most often."""
        undecided = case.judged.number_of(lambda each: each.verdict == "undecided")
        if not undecided:
            return
        needs = {need: count for (of_undecided, need), count in case.judged.needs.items() if of_undecided}
        commonest = min(needs, key=lambda need: (-needs[need], need), default=None)
        yield self.finding(
            pod=None,
            grade=None,
            summary=f"{counted(undecided, 'failed attempt')} cannot be judged from this log"
            + (f"; most often missing: {commonest}." if commonest else "."),
        )
