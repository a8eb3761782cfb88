"""Collects what the log tells of a few pods, while the events stream by."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.moves import FAILURE

MOST_TRIES = 1_000
"""Failed attempts of one pod that are kept; further ones are counted."""
MOST_LABELS = 16


class Gate(msgspec.Struct):
    """A PreEnqueue plugin kept the pod out of activeQ from `since` on.

    `told` is the latest line that says so, `opened` the line that shows the pod on its way again.
    """

    plugin: str
    since: ev.PreEnqueueStatus
    told: ev.PreEnqueueStatus
    opened: ev.SchedulerEvent | None = None


class Victim(msgspec.Struct):
    """A pod that this one preempted, and when that was gone (None: not in this log)."""

    name: str
    preempted: ev.VictimPreempted
    gone: ev.AssignedPodDeleted | None = None


class Try(msgspec.Struct):
    """A failed attempt and what followed: the hand-back, the first move after it, the next Pop.

    `asked` counts the events that the pod was asked about meanwhile, each time with the answer that they do not help.
    """

    failed: ev.AttemptFailed
    popped: ev.SchedulerEvent | None = None
    handed_back: ev.Moved | None = None
    moved: ev.Moved | None = None
    again: ev.SchedulerEvent | None = None
    asked: dict[str, int] = msgspec.field(default_factory=dict)


class Life(msgspec.Struct):
    """One pod from its first line to its end. `more` counts the failed attempts beyond those kept."""

    pod: str
    added: ev.PodAdded | None = None
    gates: list[Gate] = msgspec.field(default_factory=list)
    tries: list[Try] = msgspec.field(default_factory=list)
    victims: list[Victim] = msgspec.field(default_factory=list)
    attempts: int = 0
    more: int = 0
    gated: bool = False
    bound: ev.Bound | None = None
    deleted: ev.PodDeleted | None = None


class PodWatch:
    """Follows the pods of these names. A pod that is created anew under a name takes the place of the one before."""

    def __init__(self, pods: Iterable[str]) -> None:
        self.lives: dict[str, Life] = {}
        self.end: ev.SchedulerEvent | None = None
        self._pods = frozenset(pods)
        self._popped: dict[str, ev.SchedulerEvent] = {}
        self._victims: dict[str, list[Victim]] = {}
        self._handlers = {
            ev.PodAdded: self._added,
            ev.PreEnqueueStatus: self._gate,
            ev.Popped: self._pop,
            ev.Attempting: self._pop,
            ev.AttemptFailed: self._failed,
            ev.Moved: self._moved,
            ev.EventNotHelping: self._asked,
            ev.Bound: self._bound,
            ev.PodDeleted: self._deleted,
        }

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event, in the order of the lines."""
        if not self._pods:
            return
        self.end = event
        if isinstance(event, ev.VictimPreempted):
            self._preempted(event)
        elif isinstance(event, ev.AssignedPodDeleted):
            for victim in self._victims.pop(event.pod, ()):
                victim.gone = event
        elif getattr(event, "pod", None) in self._pods:
            handler = self._handlers.get(type(event))
            if handler is not None:
                handler(event)  # type: ignore[operator]  # it stands under the event's type

    def _life(self, pod: str) -> Life:
        life = self.lives.get(pod)
        if life is None:
            life = self.lives[pod] = Life(pod)
        return life

    def _added(self, event: ev.PodAdded) -> None:
        life = self.lives.get(event.pod)
        # After a restart the same pod is added once more; its earlier attempts still belong to the answer.
        if life is None or life.bound is not None or life.deleted is not None:
            self.lives[event.pod] = Life(event.pod, event)

    def _gate(self, event: ev.PreEnqueueStatus) -> None:
        life = self._life(event.pod)
        life.gated = True
        if life.gates and life.gates[-1].plugin == event.plugin and life.gates[-1].opened is None:
            life.gates[-1].told = event
        elif len(life.gates) < MOST_TRIES:
            life.gates.append(Gate(event.plugin or "a PreEnqueue plugin", event, event))

    @staticmethod
    def _open(life: Life, event: ev.SchedulerEvent) -> None:
        if life.gated:
            life.gated = False
            if life.gates:
                life.gates[-1].opened = event

    def _pop(self, event: ev.Popped | ev.Attempting) -> None:
        life = self._life(event.pod)
        self._open(life, event)
        if isinstance(event, ev.Attempting) and event.pod in self._popped:
            return
        life.attempts += 1
        self._popped[event.pod] = event
        if life.tries and life.tries[-1].again is None:
            life.tries[-1].again = event

    def _failed(self, event: ev.AttemptFailed) -> None:
        life = self._life(event.pod)
        popped = self._popped.pop(event.pod, None)
        if popped is None:
            life.attempts += 1
        if len(life.tries) >= MOST_TRIES:
            life.more += 1
            return
        life.tries.append(Try(event, popped))

    def _moved(self, event: ev.Moved) -> None:
        life = self._life(event.pod)
        last = life.tries[-1] if life.tries else None
        if event.queue == "Active":
            self._open(life, event)
        if last is None or last.again is not None:
            return
        if event.event == FAILURE:
            last.handed_back = event
        elif last.moved is None and event.queue != "Unschedulable":
            last.moved = event

    def _asked(self, event: ev.EventNotHelping) -> None:
        life = self._life(event.pod)
        if life.tries and (event.event in life.tries[-1].asked or len(life.tries[-1].asked) < MOST_LABELS):
            asked = life.tries[-1].asked
            asked[event.event] = asked.get(event.event, 0) + 1

    def _preempted(self, event: ev.VictimPreempted) -> None:
        if event.preemptor in self._pods and event.preemptor is not None and event.victim is not None:
            life = self._life(event.preemptor)
            if len(life.victims) < MOST_TRIES and all(victim.name != event.victim for victim in life.victims):
                victim = Victim(event.victim, event)
                life.victims.append(victim)
                self._victims.setdefault(event.victim, []).append(victim)

    def _bound(self, event: ev.Bound) -> None:
        life = self._life(event.pod)
        self._popped.pop(event.pod, None)
        life.bound, life.deleted, life.gated = event, None, False

    def _deleted(self, event: ev.PodDeleted) -> None:
        # A bound pod leaves the informer of unscheduled pods, too; the binding that is printed later undoes this.
        life = self._life(event.pod)
        if life.bound is None:
            life.deleted = event
