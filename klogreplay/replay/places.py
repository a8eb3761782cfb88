"""Where each pod is in the queue, as far as the log's lines prove it.

The state of the queue is not in the log; what is there are lines that say that a pod was just moved. Between them the
queue does much without a line: Pop, Delete, up to 1.30 Activate, and whatever the verbosity leaves out. So a place is
claimed as the set of places that the lines leave possible, in two forms:

* `at_line`: right after the pod's last line. It holds for that moment.
* `now`: the same, widened by every way the pod may have taken since without a line (`klogreplay.replay.places_ways`).

The level shows an operation if it prints a line that names each pod whose membership it changes; it is followed if each
of them is then claimed to be in one place. What is never shown, and how much is, by release: docs/following.md.

A claim of one place is a proof, one of all places means not known. Nothing is guessed: where a line can be printed by
two operations that end in different places, both are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from klogreplay import knowledge
from klogreplay.events import types as ev
from klogreplay.queue import Profile
from klogreplay.replay.moves import FAILURE, NEW_POD, is_own_update
from klogreplay.replay.places_ways import ANYWHERE, GATED, NOWHERE, SINGLE_PLACES, A, B, Possible, Queues, U, Ways

BACKOFF_COMPLETE: Final = "BackoffComplete"
FORCE_ACTIVATE: Final = "ForceActivate"
MAX_KEPT: Final = 1_000
"""Of the contradictions no more than this many are kept; all are counted."""

GATE: Final = ""
"""Stands for a label where a PreEnqueue plugin spoke last."""

_POP: Final = ("pop",)
_ONLY_PARKED: Final = frozenset({U})
_QUEUES: Final = {"Active": A, "Backoff": B, "Unschedulable": U}
_BY_QUEUE: Final = {"Active": "active", "Backoff": "backoff", "Unschedulable": "gated"}
_HANDED_BACK: Final = {
    "Active": ("return-active",),
    "Backoff": ("return-backoff",),
    "Unschedulable": ("return-unschedulable", "return-gated"),
}
_ANY_HAND_BACK: Final = tuple(name for names in _HANDED_BACK.values() for name in names)


class Claim(msgspec.Struct, frozen=True, gc=False):
    """What is proven of one pod's place.

    `gated` says of a pod that is in unschedulablePods whether a PreEnqueue plugin holds it there, None where that is
    not known. `line` is the line that proves it, None for a pod without one.
    """

    possible: Possible
    gated: bool | None = None
    line: int | None = None
    text: str = ""

    @property
    def proven(self) -> Queues | None:
        """The queues the pod is in, where only one answer is left."""
        return next(iter(self.possible)) if len(self.possible) == 1 else None

    @property
    def known(self) -> bool:
        """Whether the lines rule out at least one queue, or that the pod is in none."""
        return not self.possible >= SINGLE_PLACES

    @property
    def in_queue(self) -> Queues | None:
        """Where the pod is unless it was popped or deleted without a line; None where more than one place is left."""
        left = self.possible - NOWHERE
        return next(iter(left)) if len(left) == 1 else None


class Contradiction(msgspec.Struct, frozen=True, gc=False):
    """A line that what was claimed before rules out: lines are missing, or the release or its gates are others."""

    pod: str
    before: Possible
    line: int
    text: str


class InFlightSizes(msgspec.Struct, frozen=True, gc=False):
    """The in-flight bookkeeping at one line, before a hand-back takes its pod out; None where it is not printed.

    `pods` are the pods in flight, `events` the entries of the list of pods and events.
    """

    line: int
    pods: int | None
    events: int | None


class _Known(msgspec.Struct, gc=False):
    """What was last said of a pod: `earlier` the places before its last line, `label` that of its last move line."""

    possible: Possible
    earlier: Possible
    gated: bool | None
    label: str | None
    line: int
    text: str


class Places:
    """Follows the places of all pods of one scheduler process through its typed events.

    `verbosity` is the process' -v. `complete` says that the log begins with the process, so a pod without a line is in
    no queue if every way into one is printed. `whole_log` says that the log holds the informer handlers' lines too and
    not the queue's alone; then a pod is deleted only after its "Delete event for unscheduled pod".

    The claims hold for the release and gates of `profile`; a `Contradiction` shows that they do not fit the log.
    """

    def __init__(
        self, profile: Profile, *, verbosity: int = 10, complete: bool = False, whole_log: bool = False
    ) -> None:
        self.ways = Ways(profile, verbosity, whole_log=whole_log)
        self.contradictions: list[Contradiction] = []
        self.contradiction_count = 0
        self.in_flight: InFlightSizes | None = None
        self._unseen = self.ways.drift(NOWHERE if complete else ANYWHERE)
        chosen = profile.behaviours
        self._keeps_parked = chosen["gated_placement"] == "unless-queued-or-parked"
        by_events = chosen["return_path"] == "by-concurrent-events"
        self._gate_on_return = by_events or chosen["pre_enqueue"].startswith("entering-backoff")
        self._gate_shown = not {*GATED, "return-unschedulable"} & set(self.ways.silent)
        self._pods: dict[str, _Known] = {}
        self._handlers: dict[type, Callable[[Any], None]] = {
            ev.Moved: self._moved,
            ev.PreEnqueueStatus: self._gate_spoke,
            ev.EventNotHelping: self._not_helping,
            ev.EventReceived: self._received,
            ev.InFlightEventsChecked: self._handing_back,
            ev.RequeueRefused: self._refused,
            ev.DuplicateDiscarded: self._discarded,
            ev.PodDeleted: self._deleted,
        }
        level = knowledge.line_level(profile.release, "About to try and schedule pod")
        early = level is not None and level != "E" and level <= verbosity
        self._handlers[ev.Popped if early else ev.Attempting] = self._popped

    def feed(self, event: ev.SchedulerEvent) -> bool:
        """Take one event, in the order of the lines; whether it says something of a place."""
        handler = self._handlers.get(type(event))
        if handler is None:
            return False
        handler(event)
        return True

    def at_line(self, pod: str) -> Claim:
        """Where the pod was right after its last line."""
        known = self._pods.get(pod)
        if known is None:
            return Claim(self._unseen)
        return Claim(known.possible, known.gated, known.line, known.text)

    def now(self, pod: str) -> Claim:
        """Where the pod may be by now, whatever it did without a line."""
        known = self._pods.get(pod)
        if known is None:
            return Claim(self._unseen)
        gated = known.gated if self._gate_shown else None
        return Claim(self.ways.drift(known.possible), gated, known.line, known.text)

    def __iter__(self) -> Iterator[str]:
        """The pods that a line has named."""
        return iter(self._pods)

    # --- the queue's lines ------------------------------------------------------------------------------------------

    def _moved(self, e: ev.Moved) -> None:
        queue = _QUEUES[e.queue]
        known = self._pods.get(e.pod)
        gated: bool | None = True
        if e.event == FAILURE:
            ways = _HANDED_BACK[e.queue]
            gated = self._gated_on_return(e, known)
        else:
            ways = _ways_of(e)
        before = self._before(e.pod)
        after = self.ways.take(ways, before)
        again = False
        if known is not None and known.label in (e.event, GATE):
            # One move may print up to three lines: of PreEnqueue, of the queue entered, of what caused it.
            same = known.possible & self.ways.take(ways, known.earlier)
            again = bool(same)
            after |= same
        if e.variant == "gated":
            # Printed only where the pod is really put there.
            after &= _ONLY_PARKED
        earlier = known.earlier if known is not None and again else before
        self._set(e, before, after, gated if queue is U else None, e.event, ways, earlier=earlier)

    def _gated_on_return(self, e: ev.Moved, known: _Known | None) -> bool | None:
        if e.variant == "gated" or e.hint in ("after-backoff", "immediately"):
            return True
        if e.hint is None and self._gate_on_return and known is not None and known.label == GATE:
            # The line does not tell. Where Activate is silent, PreEnqueue may have spoken on an earlier way.
            return None if "activate" in self.ways.silent else True
        return False

    def _gate_spoke(self, e: ev.PreEnqueueStatus) -> None:
        before = self._before(e.pod)
        known = self._pods.get(e.pod)
        gated: bool | None = True
        if self._keeps_parked and (known is None or not known.gated) and any(at & U for at in before):
            # The new object of a pod that is parked already is dropped, and the old one keeps its mark.
            gated = None
        self._set(e, before, self.ways.take(GATED, before), gated, GATE, GATED)

    def _not_helping(self, e: ev.EventNotHelping) -> None:
        """Only pods in unschedulablePods are asked."""
        self._found(e, U)

    def _received(self, e: ev.EventReceived) -> None:
        if e.pods is not None:
            self.in_flight = InFlightSizes(e.line, e.pods, None)

    def _handing_back(self, e: ev.InFlightEventsChecked) -> None:
        """The queue found the pod nowhere, else it had refused it; where it goes is for the next line to say."""
        self.in_flight = InFlightSizes(e.line, e.pods_size, e.events_size)
        before = self._before(e.pod)
        self._set(e, before, self.ways.take(_ANY_HAND_BACK, before), None, FAILURE, _ANY_HAND_BACK)

    def _discarded(self, e: ev.DuplicateDiscarded) -> None:
        if e.pod is not None:
            before = self._before(e.pod)
            self._set(e, before, self.ways.take(_POP, before), None, None, _POP)

    # --- lines of the rest of the scheduler -------------------------------------------------------------------------

    def _refused(self, e: ev.RequeueRefused) -> None:
        """Printed some time after the queue looked."""
        if e.pod is not None and e.where is not None:
            self._found(e, _QUEUES[e.where.capitalize()])

    def _popped(self, e: ev.Popped | ev.Attempting) -> None:
        """Printed shortly after the Pop, so the line before it may be younger than the Pop."""
        before = self._before(e.pod)
        after = self.ways.take(_POP, before)
        known = self._pods.get(e.pod)
        if known is not None and any(at & A for at in known.earlier):
            after |= known.possible
        self._set(e, before, after, None, None, _POP)

    def _deleted(self, e: ev.PodDeleted) -> None:
        """Printed before the queue is told."""
        before = self._before(e.pod)
        after = before | self.ways.take(("delete",), before)
        if self._unseen == NOWHERE == self.ways.drift(after):
            self._pods.pop(e.pod, None)
            return
        known = self._pods.get(e.pod)
        self._set(e, before, after, None if known is None else known.gated, None, ("delete",))

    # --- the claims -------------------------------------------------------------------------------------------------

    def _before(self, pod: str) -> Possible:
        known = self._pods.get(pod)
        return self._unseen if known is None else self.ways.drift(known.possible)

    def _found(self, e: ev.EventNotHelping | ev.RequeueRefused, queue: Queues) -> None:
        """The pod was seen in this queue."""
        before = self._before(e.pod or "")
        after = frozenset(at for at in before if at & queue)
        known = self._pods.get(e.pod or "")
        gated = known.gated if known is not None and self._gate_shown else None
        self._set(e, before, after, gated, None, (), frozenset(at for at in ANYWHERE if at & queue))

    def _set(
        self,
        e: Any,
        before: Possible,
        after: Possible,
        gated: bool | None,
        label: str | None,
        ways: tuple[str, ...],
        otherwise: Possible | None = None,
        earlier: Possible | None = None,
    ) -> None:
        if not after:
            self.contradiction_count += 1
            if len(self.contradictions) < MAX_KEPT:
                self.contradictions.append(Contradiction(e.pod, before, e.line, e.text))
            after = self.ways.take(ways, ANYWHERE) if otherwise is None else otherwise
        self._pods[e.pod] = _Known(after, before if earlier is None else earlier, gated, label, e.line, e.text)


def _ways_of(e: ev.Moved) -> tuple[str, ...]:
    """The ways that print this line, by its label."""
    kind = _BY_QUEUE[e.queue]
    if e.event == BACKOFF_COMPLETE:
        # Up to 1.30 (1.32 with hints off) an update that moves a parked pod out says so, too.
        return (f"flush-{kind}", f"update-{kind}") if kind != "backoff" else ("update-backoff",)
    if e.event == FORCE_ACTIVATE:
        return ("activate-gated",) if kind == "gated" else ("activate", "pop-specific")
    if e.variant == "updated" or is_own_update(e.event):
        again = ("update-in-flight",) if kind == "active" else ()
        return (f"update-{kind}", f"next-event-{kind}", f"event-{kind}", *again)
    if e.event in NEW_POD and kind != "backoff":
        # The addition of a pod is an event for all others where gang scheduling is on.
        return ("add", "event-active") if kind == "active" else ("add-gated", "event-gated")
    return (f"event-{kind}",)
