"""KR114: an event came that the pod's rejectors wait for, and the pod was not asked about it."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.events import types as ev
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import references
from klogreplay.rules.phrases import seconds
from klogreplay.rules.queue.rescues import Explained, bugs_of, explained, flushed
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.types import Finding

_WHAT = {
    ev.AssignedPodAdded: "another pod was bound",
    ev.NodeDeleted: "a node was deleted",
    ev.PodUpdated: "the pod itself was updated",
}


class EventNotOffered(Rule):
    """The scheduler kept an event from a pod whose rejector plugin waits for just that.

    ## What it is

    The pod was parked rightly and slept through an event that its plugin registered for, because the scheduler sorts
    out which parked pods an event is put to before any plugin is asked, or hands the plugin an object that it cannot
    use. The flush retried the pod, and it was bound at once.

    ## Why it happens

    Up to 1.30, assigned pods that come or change are put only to pods with a matching pod affinity, so
    PodTopologySpread never hears of them. Up to 1.31 the deletion of a node raises no event, or one with the wrong
    object. In 1.31, with queueing hints, an update of the pod itself wakes it only for plugins that registered for it.

    ## Which versions

    As above: fixed in 1.31.0 (assigned pods) and 1.32.0 (node deletions, updates of the pod).

    ## What the log shows

    At -v=5: the handler's line of the event while the pod waits, no "Event is not making pod schedulable" for the pod
    with it, event="UnschedulableTimeout", and the pod is bound at the next attempt.

    ## What to do

    Upgrade. Until then shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#122627 (assigned pods), kubernetes#127464 (node deletions), kubernetes#122234, kubernetes#127447
      (updates of the pod)
    """

    code = "KR114"
    name = "event-not-offered"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each such rescue."""
        for found in explained(case, "not-offered"):
            yield self._finding(found)

    def _finding(self, found: Explained) -> Finding:
        rescue, change = found.rescue, found.change
        what = _WHAT.get(type(change), "an event came") if change is not None else "an event came"
        return self.finding(
            pod=rescue.pod,
            parking=found.index,
            grade=found.grade,
            summary=(
                f"{rescue.pod} waited {seconds(rescue.waited_us)} {flushed(rescue)}. Meanwhile {what}, which this "
                "release does not put to the plugin that had rejected the pod."
            ),
            proof=cite_all(
                (
                    (rescue.failed, "the attempt failed"),
                    (rescue.parked, "the queue parked the pod"),
                    (change, f"{what}; no line asks the pod about it"),
                    (rescue.flush, "the flush, not an event, took the pod out"),
                    (rescue.bound, "it was bound at the next attempt"),
                )
            ),
            upstream=references(bugs_of(found)),
        )
