"""True schedules: the reference queue driven by goroutines that interleave as they please, and the log they print.

The queue is the model of a release. Around it run the scheduling goroutine, a goroutine for each binding cycle, the
informers' handlers and the queue's own flush, one step at a time, in an order and at a pace that the caller draws. Each
prints its lines where the release does. What really happened is kept beside the log.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from klogreplay.queue import (
    AlreadyQueuedError,
    Move,
    Occurrence,
    Pod,
    QueueConfig,
    QueuedPod,
    SchedulingQueue,
    profile_for,
)
from tests.replay.build import BIND, RESERVE
from tests.replay.goroutines import FOREVER, SECOND, Draw, Goroutine, Goroutines
from tests.replay.plugins import DYNAMIC, GATES, REASONS, WITHOUT_HANDLER_LINE, occurrence, registrations


@dataclass
class Attempt:
    """What really became of a failed attempt.

    `queue` is where it went ("refused" and "gone": to none), `should` where the newest queue would have put it.
    `failed` and `back` are the times of its failure line and of the hand-back; `left_by` what took it out of
    unschedulablePods.
    """

    pod: str
    failed: int
    back: int
    is_error: bool
    queue: str
    should: str
    relevant: list[str]
    left_by: str | None = None


@dataclass
class Flying:
    """A pod in flight: its rejectors are not known before it fails."""

    queued: QueuedPod
    binding: bool = False
    events: list[tuple[str, dict[str, bool]]] = field(default_factory=list)


@dataclass
class Handler:
    """What one informer still has to hand to the scheduler: (handler line, subject, label)."""

    items: list[tuple[str, str, str]] = field(default_factory=list)


class Schedule(Goroutines):
    """One run of a scheduler of `release`."""

    def __init__(self, release: str, draw: Draw, pods: int = 4) -> None:
        super().__init__(draw, now=100_000)
        self.release = release
        self.rows: list[tuple[int, str]] = []
        self.attempts: list[Attempt] = []
        self._flying: dict[str, Flying] = {}
        self._cycle = 0
        self._new = [f"pod-{n}" for n in range(pods)]
        self._pods: dict[str, Pod] = {}
        self._updating: set[str] = set()
        self._serial = 0
        self._assigned: list[str] = []
        self._handlers = {name: Handler() for name in ("unscheduled", "scheduled", "node")}
        config = QueueConfig(registrations=registrations(release))
        self.queue = SchedulingQueue(profile_for(release, GATES), config, lambda: self.now * 1000)
        handlers = (self._handling(name) for name in self._handlers)
        for goroutine in (self._scheduling(), self._flushing(), self._cluster(), *handlers):
            self.spawn(goroutine)

    # --- the log ---------------------------------------------------------------------------------------------------

    def finish(self, seconds: int = 13) -> None:
        """Let go on without anything new, long enough for every backoff to end."""
        self._new = []
        self.run(400, self.now + seconds * SECOND)

    def _print(self, form: str, subject: str = "", *rest: str) -> None:
        self.rows.append((self.now, shlex.join([form, *([subject] if subject else []), *rest])))

    def story(self) -> str:
        """The log, as a story."""
        return "\n".join(f"{t // SECOND}.{t % SECOND:06} {row}" for t, row in self.rows)

    # --- the scheduling goroutine -----------------------------------------------------------------------------------

    def _scheduling(self) -> Goroutine:
        while True:
            if not len(self.queue.active.entries):
                yield FOREVER, FOREVER
                continue
            yield 1, 3_000
            queued = self.queue.pop()
            if queued is None:
                continue  # It was deleted meanwhile.
            name = queued.pod.key.removeprefix("default/")
            flying = self._flying[name] = Flying(queued)
            self._cycle += 1
            cycle = self._cycle
            yield 1, 900
            self._print("popped", name)
            yield 1, 400
            self._print("attempting", name)
            yield 1, FOREVER >> 1
            yield from self._cycle_of(name, flying, cycle)

    def _cycle_of(self, name: str, flying: Flying, cycle: int) -> Goroutine:
        how = self.draw.below(8)
        pod, known = flying.queued.pod, self._pods.get(name)
        if how > 5 and (known is None or known.uid != pod.uid or name in self._updating or self.queue.places(pod.key)):
            how = 0  # Pods that are being bound are neither changed nor deleted here.
        if how < 4:
            reason = list(REASONS)[how]
            self._print("unfit", name, reason)
            yield from self._hand_back(name, flying, (REASONS[reason],), cycle)
        elif how == 4:
            self._print("rejected", name, f"plugin={DYNAMIC}")
            yield 1, 2_000
            self._print("unfit", name, "0/4 nodes are available: 1 waiting for resource driver to allocate resource.")
            yield from self._hand_back(name, flying, (DYNAMIC,), cycle)
        elif how == 5:
            self._print("plugin-failed", name, "plugin=Coscheduling")
            yield 1, 2_000
            self._print("failed", name, RESERVE)
            yield from self._hand_back(name, flying, None, cycle)
        else:
            flying.binding = True
            self.spawn(self._binding(name, flying, cycle, fails=how == 6))

    def _binding(self, name: str, flying: Flying, cycle: int, *, fails: bool) -> Goroutine:
        yield 1, FOREVER >> 1
        self._print("binding", name)
        yield 1, 50_000
        if fails:
            self._print("bind-failed", name)
            yield 1, 2_000
            self._event(self._drawn("AssignedPodDelete"), _all_pods)
            yield 1, 2_000
            self._print("failed", name, BIND)
            yield from self._hand_back(name, flying, None, cycle)
            return
        self._handlers["unscheduled"].items.append(("deleted", name, ""))
        self._handlers["scheduled"].items.append(("assigned-added", name, "AssignedPodAdd"))
        self._assigned.append(name)
        del self._pods[name]
        yield 1, 1_000
        self._print("bound", name)
        yield 1, 1_900
        self.queue.done(flying.queued.pod.uid)
        del self._flying[name]

    def _hand_back(self, name: str, flying: Flying, plugins: tuple[str, ...] | None, cycle: int) -> Goroutine:
        failed = self.now
        yield 1, 1_500
        del self._flying[name]
        own = plugins or ()
        is_error = plugins is None
        relevant = [label for label, answers in flying.events if is_error or any(answers[plugin] for plugin in own)]
        current = self._pods.get(name)
        if self.release != "1.28.0" and current is not None and not self.queue.places(current.key):
            sizes = (
                f"inFlightEventsSize={self.queue.in_flight.entries_kept()}",
                f"inFlightPodsSize={self.queue.in_flight.pods()}",
            )
            self._print("checking", name, f"plugins={','.join(own)}", *sizes)
            for label, _ in flying.events if own else ():
                self._print("checked", name, f"event={label}")
        where = "gone"
        try:
            move = self.queue.handle_failure(flying.queued, current, unschedulable=own, error=is_error, cycle=cycle)
        except AlreadyQueuedError:
            where = "refused"
            self._print("refused", name)
        else:
            if move is None:
                self._print("gone", name)
            else:
                where = move.where.capitalize()
                self._print("handed-back", name, f"queue={where}", f"schedulingCycle={cycle}")
        should = "Backoff" if is_error or relevant else "Unschedulable"
        self.attempts.append(Attempt(name, failed, self.now, is_error, where, should, relevant))
        yield 1, 900
        self._print("condition", name)

    def _left(self, name: str, how: str) -> None:
        """The pod leaves unschedulablePods."""
        for attempt in reversed(self.attempts):
            if attempt.pod == name:
                attempt.left_by = attempt.left_by or how
                return

    # --- the queue's own goroutines ---------------------------------------------------------------------------------

    def _flushing(self) -> Goroutine:
        n = 1
        while True:
            due = 100_000 + n * SECOND
            yield due - self.now, due - self.now + 40_000
            n += 1
            for move in self.queue.flush_backoff_completed():
                self._print("backoff-complete", move.pod.pod.key)
            if n % 30 == 0:
                for move in self.queue.flush_unschedulable_leftover():
                    self._print("flushed", move.pod.pod.key, f"queue={move.where.capitalize()}")
                    self._left(move.pod.pod.key.removeprefix("default/"), "UnschedulableTimeout")

    # --- the cluster, and the informers' handlers -------------------------------------------------------------------

    def _cluster(self) -> Goroutine:
        while True:
            yield 1, FOREVER >> 1
            if self.draw.spent:
                continue
            what = self.draw.below(12)
            unscheduled = self._handlers["unscheduled"].items
            waiting = [name for name in self._pods if name not in self._flying or not self._flying[name].binding]
            if what < 3 and self._new:
                unscheduled.append(("added", self._new.pop(), ""))
            elif what == 9 and waiting:
                unscheduled.append(("updated", waiting[self.draw.below(len(waiting))], ""))
            elif what == 10 and waiting and self.draw.below(3) == 0:
                unscheduled.append(("deleted", waiting[self.draw.below(len(waiting))], "for good"))
            elif what == 3:
                self._handlers["node"].items.append(("node-added", "node-9", "NodeAdd"))
            elif what == 4 and self._assigned:
                self._handlers["scheduled"].items.append(("assigned-updated", self._assigned[-1], "AssignedPodUpdate"))
            elif what == 5 and self._assigned:
                self._handlers["scheduled"].items.append(
                    ("assigned-deleted", self._assigned.pop(), "AssignedPodDelete")
                )
            else:
                label = WITHOUT_HANDLER_LINE[self.draw.below(len(WITHOUT_HANDLER_LINE))]
                passes = self.draw.below(3)
                self._event(self._drawn(label), _all_pods if passes else _some_pods)

    def _handling(self, name: str) -> Goroutine:
        items = self._handlers[name].items
        while True:
            if not items:
                yield FOREVER, FOREVER
                continue
            yield 1, 5_000
            line, subject, label = items.pop(0)
            if name == "unscheduled":
                yield from self._pending_pod(line, subject, for_good=label != "")
                continue
            self._print(line, subject)
            yield 1, 1_900
            asked = label in ("NodeAdd", "AssignedPodDelete")
            self._event(self._drawn(label), _all_pods if asked else _no_pods)

    def _pending_pod(self, line: str, name: str, *, for_good: bool) -> Goroutine:
        """A pod that has no node came, changed, or went: for good, or because it has a node now."""
        flying = self._flying.get(name)
        known = self._pods.get(name)
        if line == "added":
            self._serial += 1
            pod = self._pods[name] = Pod(f"default/{name}", f"uid-{self._serial}")
            self._print("added", name)
            yield 1, 1_900
            self.queue.add(pod)
            self._print("new", name)
        elif line == "deleted":
            if for_good and (known is None or (flying is not None and flying.binding)):
                return
            self._print("deleted", name)
            if for_good:
                del self._pods[name]
            if f"default/{name}" in self.queue.unschedulable:
                self._left(name, "PodDelete")
            yield 1, 1_900
            self.queue.delete(known or Pod(f"default/{name}"))
            if for_good:
                self._new.append(name)
        elif known is not None and not (flying is not None and flying.binding):
            yield from self._update(name, known)

    def _update(self, name: str, old: Pod) -> Goroutine:
        """The handler of an update prints nothing (up to 1.29)."""
        self._serial += 1
        new = self._pods[name] = Pod(old.key, old.uid, labels={"changed": str(self._serial)})
        self._updating.add(name)
        yield 1, 1_900
        self._updating.discard(name)
        parked = new.key in self.queue.unschedulable
        move = self.queue.update(old, new, ())
        if move is not None:
            self._print(_update_form(move, parked=parked), name)
            if parked and move.where != "unschedulable":
                self._left(name, "PodUpdate" if move.where == "backoff" else "BackoffComplete")

    def _drawn(self, label: str) -> Occurrence:
        return occurrence(self.release, label, lambda: self.draw.below(2) == 1)

    def _event(self, event: Occurrence, passes: Callable[[Pod], bool]) -> None:
        """An event reaches the queue, under its lock."""
        asked = [key for key, queued in self.queue.unschedulable.items() if passes(queued.pod)]
        answers = event.new
        assert isinstance(answers, dict)
        in_flight = list(self._flying.values())
        for flying in in_flight:
            flying.events.append((event.label, answers))
        moves = self.queue.move_all_to_active_or_backoff(event.event, None, answers, passes)
        moved = {move.pod.pod.key: move for move in moves}
        for key in asked:
            self.now += 1 + self.draw.below(2) * 30
            move = moved.get(key)
            if move is None:
                self._print("not-helping", key, f"event={event.label}")
            else:
                self._print("moved", key, f"event={event.label}", f"queue={move.where.capitalize()}")
                self._left(key.removeprefix("default/"), event.label)
        if in_flight and self.release != "1.28.0":
            self.now += 1
            self._print("received", "", f"event={event.label}", f"numPods={len(in_flight)}")


def _update_form(move: Move, *, parked: bool) -> str:
    """An update moves a parked pod to Active under the name BackoffComplete, one in no queue under PodUpdate."""
    if not parked:
        return "pod-update"
    return "pod-update-parked" if move.where == "backoff" else "updated-to-active"


def _all_pods(_pod: Pod) -> bool:
    return True


def _some_pods(pod: Pod) -> bool:
    return pod.key.endswith("1")


def _no_pods(_pod: Pod) -> bool:
    return False
