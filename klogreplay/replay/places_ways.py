"""The ways a pod can take between the queues, and which of them a release prints.

What is said here of one pod holds for each alone: the ways differ by profile, whether one is printed by release and
verbosity. Every step is derived from the behaviours of `klogreplay.queue`; which line shows it is from the catalogue's
level table.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from klogreplay import knowledge
from klogreplay.queue import Profile


class Queues(enum.IntFlag):
    """The queues that one pod is in at one moment.

    Nearly always none (popped, bound, deleted, never added) or one; the double places are real, see the ways.
    ACTIVE is activeQ, BACKOFF either backoff queue, UNSCHEDULABLE unschedulablePods.
    """

    NONE = 0
    ACTIVE = 1
    BACKOFF = 2
    UNSCHEDULABLE = 4


Possible = frozenset[Queues]
"""The places that are possible; one alone is a proof, `ANYWHERE` is not knowing."""

A, B, U, NONE = Queues.ACTIVE, Queues.BACKOFF, Queues.UNSCHEDULABLE, Queues.NONE
ANYWHERE: Final[Possible] = frozenset(Queues(value) for value in range(8))
NOWHERE: Final[Possible] = frozenset({NONE})
SINGLE_PLACES: Final[Possible] = frozenset({NONE, A, B, U})

Step = Callable[[Queues], Iterable[Queues]]

GATED: Final = (
    "add-gated",
    "update-gated",
    "next-event-gated",
    "event-gated",
    "flush-gated",
    "activate-gated",
    "return-gated",
)
"""The ways that end at a PreEnqueue plugin."""
FURTHER: Final = frozenset({"next-event-active", "next-event-backoff", "next-event-gated"})
"""The ways that only go on from an update just made; no pod takes them by itself."""

_MOVE: Final = "moved: new pod, update, backoff done"
_EVENT: Final = "moved: cluster event, line with hint or struct"
_TO_BACKOFF: Final = "moved: to Backoff, own line"
_GATE: Final = "PreEnqueue status"
_DELETE: Final = "Delete event for unscheduled pod"
_SINCE_1_31: Final = "Pod in flight, update not queued"


class Way(NamedTuple):
    """One way: `to` gives, by the place before, what the places after may be (empty: the way is not open from there).

    `lines` are the names, in the level table, of the lines that show it, each enough by itself.
    """

    to: tuple[Possible, ...]
    lines: tuple[str, ...]


class Ways:
    """All ways of one profile in one log.

    `verbosity` is the scheduler's -v. `whole_log` says that the log has the lines of the informer handlers too, not the
    queue's own alone: then no deletion is silent.
    """

    def __init__(self, profile: Profile, verbosity: int, *, whole_log: bool) -> None:
        self._table = _table(profile, whole_log=whole_log)
        self._silent = tuple(
            name
            for name, way in self._table.items()
            if name not in FURTHER and not _printed(profile.release, way.lines, verbosity)
        )
        self._taken: dict[tuple[tuple[str, ...], Possible], Possible] = {}
        self._drifted: dict[Possible, Possible] = {}

    @property
    def silent(self) -> tuple[str, ...]:
        """The ways a pod may take without a line."""
        return self._silent

    def take(self, names: tuple[str, ...], before: Possible) -> Possible:
        """Where a pod may be after one of these ways; empty if none of them is open from any place before."""
        key = (names, before)
        after = self._taken.get(key)
        if after is None:
            steps = (self._table[name].to[place] for name in names for place in before)
            after = self._taken[key] = frozenset().union(*steps)
        return after

    def drift(self, possible: Possible) -> Possible:
        """Where a pod may be after any number of silent ways."""
        drifted = self._drifted.get(possible)
        if drifted is None:
            drifted = possible
            while (wider := drifted | self.take(self._silent, drifted)) != drifted:
                drifted = wider
            self._drifted[possible] = drifted
        return drifted


def _printed(release: str, lines: Iterable[str], verbosity: int) -> bool:
    levels = (knowledge.line_level(release, line) for line in lines)
    return any(level is not None and (level == "E" or level <= verbosity) for level in levels)


def _table(profile: Profile, *, whole_log: bool) -> dict[str, Way]:
    steps = _Steps(profile)
    return {
        name: Way(tuple(frozenset(step(place)) for place in sorted(ANYWHERE)), lines)
        for name, (step, lines) in steps.ways(_Lines(profile, whole_log=whole_log)).items()
    }


class _Lines:
    """Which lines show which ways."""

    def __init__(self, profile: Profile, *, whole_log: bool) -> None:
        # From 1.31.0 on the function through which every pod enters activeQ prints the move itself; before, some of its
        # callers did. The catalogue has no name for that; the line taken for it came in the same releases (all 117).
        entering = knowledge.line_level(profile.release, _SINCE_1_31) is not None
        self.entering_active = (_MOVE,) if entering else ()
        hints = profile.behaviours["return_path"] == "by-concurrent-events"
        self.hand_back = "moved: failed attempt, hints on" if hints else "moved: failed attempt, hints off"
        self.delete = (_DELETE,) if whole_log else ()


class _Steps:
    """The steps of one pod, as the behaviours of the profile make them."""

    def __init__(self, profile: Profile) -> None:
        chosen = profile.behaviours
        self._sweeps = chosen["active_entry"] == "leaves-all-others"
        self._parks_queued = chosen["gated_placement"] == "parked-always"
        self._gates = chosen["pre_enqueue"] != "nowhere"
        self._pops_backoff = chosen["pop_source"] == "backoff-when-idle"
        self._pops_specific = chosen["pop_specific"] != "absent"
        self._delete_stops = chosen["delete_search"] == "first-hit"
        self._frees_backing_off = chosen["update_in_backoff"] == "moved-to-active"
        self._activate_takes_out = chosen["activate_from_backoff"] == "taken-out-first"
        self._tries_each_event = chosen["update_parked"] == "by-hints-until-active"
        self._by_events = chosen["return_path"] == "by-concurrent-events"

    def ways(self, lines: _Lines) -> dict[str, tuple[Step, tuple[str, ...]]]:
        """Every way by name."""
        entering = lines.entering_active
        hand_back = lines.hand_back
        return {
            "pop": (self._pop, ()),
            "pop-specific": (self._pop_specific, entering),
            "delete": (self._delete, lines.delete),
            "add": (lambda _: (A,), (_MOVE,)),
            "add-gated": (self._gated, (_GATE,)),
            "update-in-flight": (lambda at: () if at else (A,), (_MOVE,)),
            "update-active": (self._update_active, (_MOVE,)),
            "update-backoff": (self._update_backoff, (_MOVE,)),
            "update-gated": (lambda at: self._gated(NONE) if at in (NONE, U) else (), (_GATE,)),
            "next-event-active": (lambda at: self._next_event(at, A), (_MOVE,)),
            "next-event-backoff": (lambda at: self._next_event(at, B, B | U), (_MOVE,)),
            "next-event-gated": (lambda at: self._next_event(at, *self._gated(at)), (_GATE,)),
            "event-active": (self._event_active, (_EVENT, *entering)),
            "event-backoff": (lambda at: ((at & ~U) | B,) if at & U else (), (_EVENT, _TO_BACKOFF)),
            "event-gated": (lambda at: self._gated(at & ~U) if at & U else (), (_GATE,)),
            "flush-active": (lambda at: (self._enter(at & ~B),) if at & B else (), (_MOVE,)),
            "flush-gated": (lambda at: self._gated(at & ~B) if at & B else (), (_GATE,)),
            "activate": (lambda at: (A,) if at & (B | U) and not at & A else (), entering),
            "activate-gated": (self._activate_gated, (_GATE,)),
            "return-active": (lambda at: (A,) if not at and self._by_events else (), (hand_back, *entering)),
            "return-backoff": (lambda at: () if at else (B,), (hand_back, _TO_BACKOFF)),
            "return-unschedulable": (lambda at: () if at else (U,), (hand_back,)),
            "return-gated": (lambda at: () if at else self._gated(at), (_GATE,)),
        }

    def _enter(self, elsewhere: Queues) -> Queues:
        """Into activeQ by a caller that does not clear the other queues itself."""
        return A if self._sweeps else elsewhere | A

    def _gated(self, elsewhere: Queues) -> Iterable[Queues]:
        """A PreEnqueue plugin turns away a pod of which a copy may be in other queues."""
        if not self._gates:
            return ()
        if elsewhere & (A | B) and not self._parks_queued:
            return (elsewhere,)
        return (elsewhere | U,)

    def _pop(self, at: Queues) -> Iterable[Queues]:
        if at & A:
            yield at & ~A
        if at & B and self._pops_backoff:
            yield at & ~B

    def _pop_specific(self, at: Queues) -> Iterable[Queues]:
        """Activated and popped in one go; of activeQ itself it is as any Pop."""
        return (NONE,) if self._pops_specific and at & (B | U) and not at & A else ()

    def _delete(self, at: Queues) -> Iterable[Queues]:
        if at & A:
            return (at & ~A,)
        if at & B and self._delete_stops:
            return (at & ~B,)
        return (NONE,) if at else ()

    def _update_active(self, at: Queues) -> Iterable[Queues]:
        if at == U:
            return (A,)
        return (self._enter(at & ~B),) if self._frees_backing_off and at & B and not at & A else ()

    def _update_backoff(self, at: Queues) -> Iterable[Queues]:
        # The next event of the same update may say skip, which puts the pod into unschedulablePods as well.
        if at != U:
            return ()
        return (B, B | U) if self._tries_each_event else (B,)

    def _next_event(self, at: Queues, *to: Queues) -> Iterable[Queues]:
        """A further event of an update that has taken the pod to backoffQ already."""
        return to if self._tries_each_event and at & B and not at & A else ()

    def _event_active(self, at: Queues) -> Iterable[Queues]:
        return (self._enter(at & ~U),) if at & U else ()

    def _activate_gated(self, at: Queues) -> Iterable[Queues]:
        if at & A or not at & (B | U):
            return ()
        # A copy in unschedulablePods is found first.
        return self._gated(at & ~B if self._activate_takes_out and not at & U else at)
