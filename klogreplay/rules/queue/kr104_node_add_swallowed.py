"""KR104: a node came that the pod needed, and the pod was not told since the node was not ready yet."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import named, references
from klogreplay.rules.phrases import seconds
from klogreplay.rules.queue.rescues import Explained, bugs_of, explained, flushed
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.types import Finding


class NodeAddSwallowed(Rule):
    """A pod slept through the arrival of the node it was bound to later, and nothing but the flush woke it.

    ## What it is

    A new node joins with a taint (not ready, or a start-up taint) that goes away seconds later. The queue did not ask
    the parked pod about the new node, and the later change of the node was no event for it either.

    ## Why it happens

    Before it hands a node's event to the queue, the scheduler checks for each parked pod whether the node could take it
    (preCheck). A tainted node fails the check, so the pod is passed over. When the taint goes, the event is an update
    of the node's taints, and the plugin that had rejected the pod may not be registered for that. In 1.22 and 1.23
    some plugins were registered for too few updates of nodes, which has the same effect.

    ## Which versions

    1.22 to 1.31; from 1.32 on only with SchedulerQueueingHints off. From 1.30 on the scheduler registers node taint
    updates by itself for plugins that wait for new nodes (whether 1.29 has it is unverified). The narrow registrations
    were widened in 1.24.0 (and, unverified, in 1.22.10 and 1.23.7).

    ## What the log shows

    "Add event for node" (-v=3) while the pod waits; neither a move of the pod nor "Event is not making pod schedulable"
    for NodeAdd (-v=5); then event="UnschedulableTimeout", and the pod is bound to that node at once.

    ## What to do

    Upgrade to 1.32. Until then: shorten `--pod-max-in-unschedulable-pods-duration`; any later change of the node's
    labels or allocatable resources wakes the pod as well.

    ## References

    - kubernetes#109437, kubernetes#110175 (reports), kubernetes#122285 (taint updates), kubernetes#109442 (events)
    """

    code = "KR104"
    name = "node-add-swallowed"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod that the flush bound to a node which had come while the pod waited."""
        for found in explained(case, "node-add"):
            yield self._finding(found)

    def _finding(self, found: Explained) -> Finding:
        rescue = found.rescue
        bugs = bugs_of(found)
        told = (
            f" Both {named(bugs).replace(' or ', ' and ')} fit; the update of the node that followed tells which: was "
            "it of its taints, or of its labels and resources?"
            if len(bugs) > 1
            else ""
        )
        return self.finding(
            pod=rescue.pod,
            parking=found.index,
            grade=found.grade,
            summary=(
                f"{rescue.pod} waited {seconds(rescue.waited_us)} {flushed(rescue)}. That node had joined while the "
                "pod waited, and the queue did not ask the pod about it, as with a node that is tainted at first."
                f"{told}"
            ),
            proof=cite_all(
                (
                    (rescue.failed, "the attempt failed"),
                    (rescue.parked, "the queue parked the pod"),
                    (found.change, "the node joined; no line asks the pod about it"),
                    (rescue.flush, "the flush, not an event, took the pod out"),
                    (rescue.bound, "it was bound to that node at the next attempt"),
                )
            ),
            upstream=references(bugs),
        )
