"""KR110: a wrong parking that no known upstream fix explains."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.parkings.kr101_stale_plugins import StalePlugins
from klogreplay.rules.parkings.kr102_missed_events import MissedEvents
from klogreplay.rules.parkings.kr103_error_without_plugins import ErrorWithoutPlugins
from klogreplay.rules.phrases import attempt, stay
from klogreplay.rules.types import Finding

_EXPLAINED = frozenset({StalePlugins.name, MissedEvents.name, ErrorWithoutPlugins.name})


class UnexplainedParking(Rule):
    """A pod was parked, a queue with every known fix would not have parked it, and no known bug explains why.

    ## What it is

    The reference queue, given the same inputs, retries the pod; the queue in the log parked it. Adding any known
    upstream fix to the queue of the log's release does not make the difference go away.

    ## Why it happens

    An input is missing from the log, the log is from a scheduler with other code than the release (a fork, a build
    with patches), or the bug is not known yet.

    ## Which versions

    Any.

    ## What the log shows

    The lines cited: what the attempt failed on, what happened while it was in flight, and where the pod went.

    ## What to do

    Check that the version is told right (`klogreplay identify`, `--kubernetes-version`). If it is, this may be an
    upstream bug that nobody has reported: record at -v=6 and open an issue with the Markdown report.

    ## References

    - https://github.com/kubernetes/kubernetes/issues?q=is:issue+label:sig/scheduling+label:kind/bug
    """

    code = "KR110"
    name = "unexplained-parking"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking whose causes no other rule of this family tells."""
        for index, parking in enumerate(case.parkings):
            if parking.verdict != "wrong" or any(cause.code in _EXPLAINED for cause in parking.causes):
                continue
            due = parking.expected_queue or "activeQ or backoffQ"
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=parking.grade,
                summary=f"{attempt(parking)} was parked; {due} was due, and no known bug explains it. {stay(parking)}",
                proof=parking.proof,
            )
