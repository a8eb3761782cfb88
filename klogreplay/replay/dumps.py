"""The scheduler's own dumps as checkpoints of what was followed.

On SIGUSR2 the scheduler prints every pod in its queue (`klogreplay.events.dumps`). That is observed: it tells where a
failed pod went that no line had told of, and where it differs from what was followed, the dump is right. Each
difference is counted and told.

A dump's line is printed after the queue was looked at, without a lock in between: what changed shortly before the line
may have changed after the look, and is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay import destination
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.moves import wake
from klogreplay.replay.types import Evidence, WakeUp

if TYPE_CHECKING:
    from klogreplay.replay.follow import Follower
    from klogreplay.replay.pods import PodState

LOOK_SLACK_US = 1_000_000
"""The line of a dump comes within this after the look at the queue: it has to be formatted first."""

MOST_TEXT = 1_000_000
"""A longer dump may have been cut (`klogreplay.klog.assembler.LONGEST_RECORD`)."""

MOST_DUMPS = 20
"""Dumps told of in the report; further ones are used all the same."""

MOST_NAMED = 3
"""Pods named for one dump."""

QUEUES = {
    "activeQ": "Active",
    "backoffQ": "Backoff",
    "unschedulablePods": "Unschedulable",
    "unschedulableEntities": "Unschedulable",
}
"""The names in a summary (pendingPodsSummary, 1.26 to 1.36 and master) and the queues' names on move lines."""

_COUNT = re.compile(r"(\w+):(\d{1,9})(?=;|\Z)")


class Contents(msgspec.Struct):
    """What a dump says: the queue of each pod (None where it only says that it is in one of them).

    `complete`: a pod that is not listed is in no queue.
    """

    queues: dict[str, str | None]
    complete: bool


def contents(dump: ev.QueueDump) -> Contents:
    """The pods of a dump by queue: from 1.26 on its summary counts them, and they are printed queue by queue."""
    whole = len(dump.pods) < MOST_TEXT
    if dump.summary is None:
        return Contents(dict.fromkeys(dump.listed), whole)
    counts = [(QUEUES.get(name), int(count)) for name, count in _COUNT.findall(dump.summary)]
    known = [(queue, count) for queue, count in counts if queue is not None]
    total = sum(count for _, count in known)
    if not known or len(dump.listed) > total:
        return Contents(dict.fromkeys(dump.listed), whole)
    queues: dict[str, str | None] = {}
    begin = 0
    for queue, count in known:
        queues.update(dict.fromkeys(dump.listed[begin : begin + count], queue))
        begin += count
    return Contents(queues, len(dump.listed) == total)


class Dumps:
    """Takes the dumps of one process and keeps what there is to tell of them."""

    def __init__(self, follower: Follower) -> None:
        self._f = follower
        self._told: list[tuple[int, str]] = []
        self._more = 0

    def handlers(self) -> dict[type, Callable[[Any], None]]:
        """The handlers for the lines of the dumps."""
        return {ev.QueueDump: self.queue, ev.NodeDump: self.nodes, ev.CacheMismatch: self.mismatch}

    def warnings(self) -> Iterator[tuple[int, str]]:
        """What to tell: the line (as the follower numbers it) and a sentence about it."""
        yield from self._told
        if self._more:
            yield 0, f"{self._more} more dumps differ"

    def queue(self, e: ev.QueueDump) -> None:
        """Compare all that was followed with a dump of the queue, and take the dump's word."""
        told = contents(e)
        differences: list[str] = []
        for state in list(self._f.pods):
            listed = state.pod in told.queues
            if listed or told.complete:
                differ = self._pod(state, e, told.queues.get(state.pod), listed=listed)
                if differ is not None:
                    differences.append(f"{state.pod} {differ}")
        self._tell(e.line, "the dump of the queue", differences)

    def _pod(self, state: PodState, e: ev.QueueDump, queue: str | None, *, listed: bool) -> str | None:
        """Take what the dump says of one pod; says how it differs from what was followed, if it does."""
        if state.pending is not None:
            if listed and queue is not None:
                self._open(state, state.pending, e, queue)
            return None
        if state.parked is not None:
            return self._parked(state, state.parked, e, queue, listed=listed)
        flight = self._f.flights.open.get(state.pod)
        if flight is None or flight.done_lo is not None or not listed or state.second_entry:
            return None
        if e.t - flight.pop_hi <= LOOK_SLACK_US:
            return None
        self._f.flights.end(state.pod, flight.pop_hi, e.t)
        return f"was followed as in flight, and is in {_named(queue)}"

    def _open(self, state: PodState, attempt: Attempt, e: ev.QueueDump, queue: str) -> None:
        """The destination of a failed attempt is not known, and the pod is listed."""
        if e.t - attempt.t <= LOOK_SLACK_US:
            return
        f = self._f
        back_hi = attempt.back_hi if attempt.back_hi is not None else attempt.t
        in_backoff_time = e.t <= back_hi + attempt.backoff_us
        says = f"the scheduler's own dump lists the pod in {_named(queue)}"
        if queue == "Unschedulable":
            # Out of backoffQ a pod gets there only if a PreEnqueue plugin holds it back at the end of its backoff.
            evidence: Evidence = "observed" if in_backoff_time and attempt.backoff_known else "derived"
            destination.resolve(f, state, queue, evidence, e.line, e.text, says)
        elif (queue == "Active" or in_backoff_time) and self._moves_show():
            destination.resolve(f, state, queue, "derived", e.line, e.text, says)
            self._settle(attempt)

    def _moves_show(self) -> bool:
        """Whether any move since the hand-back would have a line."""
        visibility = self._f.visibility
        return visibility.prints(destination.MOVE_LINE) and visibility.prints(destination.EVENT_LINE)

    def _parked(
        self, state: PodState, attempt: Attempt, e: ev.QueueDump, queue: str | None, *, listed: bool
    ) -> str | None:
        since = attempt.back_t if attempt.back_t is not None else attempt.t
        if e.t - since <= LOOK_SLACK_US:
            return None
        if listed and queue in (None, "Unschedulable"):
            if queue is not None and attempt.destination_evidence in ("derived", "assumed"):
                attempt.destination_evidence = "observed"
                attempt.destination_line, attempt.destination_text = e.line, e.text
                attempt.destination_says = "the scheduler's own dump lists the pod in unschedulablePods"
            return None
        back_hi = attempt.back_hi if attempt.back_hi is not None else attempt.t
        if queue == "Backoff" and attempt.destination_evidence != "observed" and e.t <= back_hi + attempt.backoff_us:
            # It was taken for parked, and is still in the backoff of that very attempt.
            state.parked = None
            attempt.destination, attempt.destination_evidence = queue, "observed"
            attempt.destination_line, attempt.destination_text = e.line, e.text
            self._settle(attempt)
        else:
            wake(self._f, state, WakeUp("unknown", e.line, e.t, e.text))
        return f"was followed as parked, and is in {_named(queue) if listed else 'no queue'}"

    def _settle(self, attempt: Attempt) -> None:
        """Nothing that comes later says more of where the attempt's pod went."""
        self._f.emit(attempt)

    def nodes(self, e: ev.NodeDump) -> None:
        """A pod that is on a node, or assumed to be, is in no queue."""
        differences: list[str] = []
        for pod in e.placed:
            state = self._f.pods.get(pod)
            if state is None or state.parked is None:
                continue
            since = state.parked.back_t if state.parked.back_t is not None else state.parked.t
            if e.t - since > LOOK_SLACK_US:
                wake(self._f, state, WakeUp("unknown", e.line, e.t, e.text))
                differences.append(f"{pod} was followed as parked, and is on a node")
        self._tell(e.line, "the dump of the cached nodes", differences)

    def mismatch(self, e: ev.CacheMismatch) -> None:
        """The scheduler itself found its cache to differ from what the API server has."""
        found = [f"{len(names)} {what}" for what, names in (("missed", e.missed), ("redundant", e.redundant)) if names]
        if found:
            self._say(e.line, f"the scheduler's cache comparer found a mismatch: {e.of}, {' and '.join(found)}")

    def _tell(self, line: int, what: str, differences: Sequence[str]) -> None:
        if not differences:
            return
        named = "; ".join(differences[:MOST_NAMED])
        more = f" and {len(differences) - MOST_NAMED} more" if len(differences) > MOST_NAMED else ""
        pods = "1 pod" if len(differences) == 1 else f"{len(differences)} pods"
        self._say(line, f"{what} differs from what was followed of {pods} ({named}{more}): its word was taken")

    def _say(self, line: int, text: str) -> None:
        if len(self._told) < MOST_DUMPS:
            self._told.append((line, text))
        else:
            self._more += 1


def _named(queue: str | None) -> str:
    """The queue's own name."""
    return {"Active": "activeQ", "Backoff": "backoffQ", "Unschedulable": "unschedulablePods"}.get(
        queue or "", "one of the queues"
    )
