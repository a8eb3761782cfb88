"""KR110: a wrong parking that no known upstream fix explains."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Parking
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
    upstream bug that nobody has reported, which makes it the most valuable finding of all. Open an issue upstream with

    - the report: `klogreplay analyze LOG --pod NAMESPACE/NAME --format markdown`,
    - the lines of the log that the finding names, uncut, and those between them (at -v=6 if it can be recorded again),
    - the release as `klogreplay identify` tells it, the feature gates, and the scheduler's configuration,
    - the pod as YAML, and which plugins and extenders run beside those of Kubernetes.

    ## References

    - https://github.com/kubernetes/kubernetes/issues?q=is:issue+label:sig/scheduling+label:kind/bug
    """

    code = "KR110"
    name = "unexplained-parking"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each wrong parking whose causes no other rule of this family tells."""
        for index, parking in case.judged.select(lambda each: each.verdict == "wrong"):
            if any(cause.code in _EXPLAINED for cause in parking.causes):
                continue
            due = parking.expected_queue or "activeQ or backoffQ"
            yield self.finding(
                pod=parking.pod,
                parking=index,
                grade=parking.grade,
                summary=(
                    f"{attempt(parking)} was parked; {due} was due, and no known bug explains it. {stay(parking)} "
                    f"{_to_attach(parking)}"
                ),
                proof=parking.proof,
            )


def _to_attach(parking: Parking) -> str:
    lines = [cited.line for cited in parking.proof if cited.source == parking.source] or [parking.line]
    log = f"lines {min(lines)} to {max(lines)} of the log" if len(lines) > 1 else f"line {lines[0]} of the log"
    return (
        f"If the release is told right, it is worth a report upstream, more than any known bug: attach {log}, this "
        "report in Markdown, the release, its feature gates and the scheduler's configuration."
    )
