"""KR111: an attempt that was turned away after the scheduling cycle was parked instead of backed off."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Grade, Parking
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, references, weakest
from klogreplay.rules.phrases import attempt, stay
from klogreplay.rules.queue.shared import Parkings
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.late_rejections import LateRejection, LateRejections
from klogreplay.rules.types import Finding


class LateRejectionParked(Rule):
    """A pod that had its node was turned away at Permit or in PreBind, and parked to wait for an event.

    ## What it is

    Two cases. A pod that waits at Permit is thrown out because another pod preempts it: the queue takes the plugin
    DefaultPreemption for its rejector and parks it, though it has lost nothing but its turn. Or a PreBind plugin says
    that the pod cannot be bound now (a volume that is not ready, a device): the queue waits for an event of that
    plugin. Later releases try both again after backoff.

    ## Why it happens

    A rejection beyond the scheduling cycle was treated like one by a filter.

    ## Which versions

    Preempted at Permit: up to 1.35, fixed in 1.36.0. PreBind: up to 1.32, fixed in 1.33.0 (up to 1.30 an answer of
    PreBind is an error in any case, so this shows in 1.31 and 1.32).

    ## What the log shows

    "Preemptor pod rejected a waiting pod" with waitingPod (-v=2), or "Pod rejected by PreBind plugin" (-v=4); then
    "Unable to schedule pod; no fit; waiting" for that pod and queue="Unschedulable" (-v=3 from 1.29 on).

    ## What to do

    Upgrade. Until then shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#135719 (Permit), kubernetes#130189 (PreBind and Bind), kubernetes#125360
    """

    code = "KR111"
    name = "late-rejection-parked"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each parking after such a rejection."""
        rows = case.sensed.of(LateRejections)
        if not rows:
            return
        parkings = Parkings(case)
        permit, binding = matching(case, "KB42"), matching(case, "KB43")
        for each in rows:
            bugs = permit if each.preempted is not None else binding
            at = parkings.of(each.failed, each.parked)
            if bugs and at is not None and at[1].destination == "Unschedulable" and at[1].verdict != "wrong":
                yield self._finding(each, *at, bugs)

    def _finding(self, each: LateRejection, index: int, parking: Parking, bugs: list[Match]) -> Finding:
        sure: Grade = "proven" if parking.destination_evidence == "observed" else "likely"
        if each.preempted is not None:
            what = f"was thrown out at Permit for {each.preempted.preemptor or 'another pod'}"
        else:
            plugin = "" if each.rejected is None or each.rejected.plugin is None else f' by "{each.rejected.plugin}"'
            what = f"was turned away in PreBind{plugin}"
        return self.finding(
            pod=each.pod,
            parking=index,
            grade=weakest(sure, bugs[0].best),
            summary=f"{attempt(parking)} {what} and parked; it should be retried after backoff. {stay(parking)}",
            proof=cite_all(
                (
                    (each.preempted, "another pod preempts it while it waits"),
                    (each.rejected, "the plugin turns it away"),
                    (each.failed, "the attempt failed"),
                    (each.parked, "the queue parked the pod"),
                )
            ),
            upstream=references(match.bug for match in bugs),
        )
