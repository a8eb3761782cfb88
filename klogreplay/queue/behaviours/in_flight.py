"""How are the events kept that arrive while a pod is in flight?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final, Protocol, TypeVar

import msgspec

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import Occurrence

_T = TypeVar("_T")


class InFlightEntry(msgspec.Struct, frozen=True, gc=False):
    """One element of the in-flight list as it stands: a pod's own entry (`uid`) or an event.

    `ref_count` is the number of pods in flight that may still need the event, where the release counts them.
    """

    uid: str | None = None
    occurrence: Occurrence | None = None
    ref_count: int | None = None


Marker = int | str | None
"""A pod's place in the list: an index, "removed" when the element has left it, None when the list was empty."""


class InFlightTracker(Protocol):
    """The bookkeeping of pods in flight and of the events that arrived meanwhile."""

    def pods(self) -> int:
        """How many pods are in flight."""

    def entries_kept(self) -> int:
        """The length of the list, pods' own entries included."""

    def holds_events(self) -> bool:
        """Whether the list holds anything beside one entry for each pod in flight."""

    def popped(self, uid: str, once: bool) -> bool:
        """The pod was popped: from here on its concurrent events count.

        False, and nothing is changed, if it is in flight already and `once` says that this must not be.
        """

    def done(self, uid: str) -> None:
        """The attempt ended; what nobody needs any more goes. Without effect for a pod not in flight."""

    def record(self, occurrence: Occurrence) -> bool:
        """Keep the event if any pod is in flight; whether it was kept."""

    def record_for(self, uid: str, occurrences: tuple[Occurrence, ...]) -> bool:
        """Keep the events if this pod is in flight; whether it is."""

    def since_pop(self, uid: str) -> Sequence[Occurrence] | None:
        """The events kept since this pod's Pop, as this generation tells them; None for a pod not in flight."""

    def entries(self) -> list[InFlightEntry]:
        """The list in order."""

    def markers(self) -> dict[str, Marker]:
        """The UID of each pod in flight and its place in the list."""


InFlight = Callable[[], InFlightTracker]


class NotTracked:
    """No bookkeeping: releases before 1.28, and SchedulerQueueingHints off."""

    __slots__ = ()

    def pods(self) -> int:
        """None ever."""
        return 0

    def entries_kept(self) -> int:
        """None ever."""
        return 0

    def holds_events(self) -> bool:
        """Never."""
        return False

    def popped(self, uid: str, once: bool) -> bool:
        """Nothing to do."""
        return True

    def done(self, uid: str) -> None:
        """Nothing to do."""

    def record(self, occurrence: Occurrence) -> bool:
        """Nothing is kept."""
        return False

    def record_for(self, uid: str, occurrences: tuple[Occurrence, ...]) -> bool:
        """Nothing is kept."""
        return False

    def since_pop(self, uid: str) -> Sequence[Occurrence] | None:
        """No pod is known to be in flight."""
        return None

    def entries(self) -> list[InFlightEntry]:
        """Empty."""
        return []

    def markers(self) -> dict[str, Marker]:
        """Empty."""
        return {}


class _Counted:
    """An event with the number of pods that may need it; compared by identity."""

    __slots__ = ("needed_by", "occurrence")

    def __init__(self, occurrence: Occurrence, needed_by: int) -> None:
        self.occurrence = occurrence
        self.needed_by = needed_by


class MarkerCounters:
    """The first generation: a list of events alone, each counting the pods in flight at its arrival.

    A pod remembers the element that was last when it was popped. Once that element has been counted down by the pods
    that came before, it leaves the list, and the pod no longer knows where its own events begin: it sees none.
    """

    __slots__ = ("_events", "_markers", "_sequence")

    def __init__(self) -> None:
        """Nothing in flight."""
        self._events: OrderedDict[int, _Counted] = OrderedDict()
        self._markers: dict[str, int | None] = {}
        self._sequence = 0

    def pods(self) -> int:
        """How many pods are in flight."""
        return len(self._markers)

    def entries_kept(self) -> int:
        """The number of events kept."""
        return len(self._events)

    def holds_events(self) -> bool:
        """Whether any event is kept."""
        return bool(self._events)

    def popped(self, uid: str, once: bool) -> bool:
        """Remember the element that is last now; where a second Pop is let through, it overwrites the first."""
        if once and uid in self._markers:
            return False
        self._markers[uid] = next(reversed(self._events)) if self._events else None
        return True

    def done(self, uid: str) -> None:
        """Count down the events after the pod's marker, or all events if it has none or it has left the list."""
        if uid not in self._markers:
            return
        events = self._events
        for number, counted in self._after(self._markers.pop(uid), lost=True):
            counted.needed_by -= 1
            if counted.needed_by == 0:
                del events[number]

    def record(self, occurrence: Occurrence) -> bool:
        """Keep the event, counted for all pods in flight now."""
        if not self._markers:
            return False
        self._sequence += 1
        self._events[self._sequence] = _Counted(occurrence, len(self._markers))
        return True

    def record_for(self, uid: str, occurrences: tuple[Occurrence, ...]) -> bool:
        """No event is ever kept for one pod's sake in this generation."""
        return False

    def since_pop(self, uid: str) -> Sequence[Occurrence] | None:
        """The events after the marker; all if the list was empty at Pop; none if the marker has left the list."""
        if uid not in self._markers:
            return None
        return [counted.occurrence for _, counted in self._after(self._markers[uid], lost=False)]

    def entries(self) -> list[InFlightEntry]:
        """The events with their counts."""
        return [
            InFlightEntry(occurrence=counted.occurrence, ref_count=counted.needed_by)
            for counted in self._events.values()
        ]

    def markers(self) -> dict[str, Marker]:
        """Where each pod's marker stands."""
        index = {number: place for place, number in enumerate(self._events)}
        return {uid: None if marker is None else index.get(marker, "removed") for uid, marker in self._markers.items()}

    def _after(self, marker: int | None, *, lost: bool) -> list[tuple[int, _Counted]]:
        if marker is None or (lost and marker not in self._events):
            return list(self._events.items())
        if marker not in self._events:
            return []
        return _tail(self._events, marker)


class OwnEntry:
    """The second generation: one list of pods and events, a pod's own entry marks its Pop.

    Done removes the pod's entry, then the events at the front that no pod in flight precedes.
    """

    __slots__ = ("_entries", "_newest_event", "_own", "_sequence")

    def __init__(self) -> None:
        """Nothing in flight."""
        self._entries: OrderedDict[int, Occurrence | str] = OrderedDict()
        self._own: dict[str, int] = {}
        self._sequence = 0
        self._newest_event = 0

    def pods(self) -> int:
        """How many pods are in flight."""
        return len(self._own)

    def entries_kept(self) -> int:
        """The number of pods' entries and events kept."""
        return len(self._entries)

    def holds_events(self) -> bool:
        """Whether the list is longer than there are pods in flight (an entry left behind counts, as upstream)."""
        return len(self._entries) > len(self._own)

    def popped(self, uid: str, once: bool) -> bool:
        """Append the pod's own entry; where a second Pop is let through, the first entry stays behind for ever."""
        own = self._own
        if once and uid in own:
            return False
        self._sequence = sequence = self._sequence + 1
        own[uid] = sequence
        self._entries[sequence] = uid
        return True

    def done(self, uid: str) -> None:
        """Remove the pod's entry, then the events up to the first pod."""
        own = self._own.pop(uid, None)
        if own is None:
            return
        entries = self._entries
        del entries[own]
        while entries:
            first = next(iter(entries))
            if type(entries[first]) is str:
                break
            del entries[first]

    def record(self, occurrence: Occurrence) -> bool:
        """Append the event if any pod is in flight."""
        if not self._own:
            return False
        self._append(occurrence)
        return True

    def record_for(self, uid: str, occurrences: tuple[Occurrence, ...]) -> bool:
        """Append the events if this pod is in flight; every other pod in flight sees them as well."""
        if uid not in self._own:
            return False
        for occurrence in occurrences:
            self._append(occurrence)
        return True

    def since_pop(self, uid: str) -> Sequence[Occurrence] | None:
        """The events after the pod's own entry."""
        own = self._own.get(uid)
        if own is None:
            return None
        if self._newest_event < own:
            return ()
        return [entry for _, entry in _tail(self._entries, own) if not isinstance(entry, str)]

    def entries(self) -> list[InFlightEntry]:
        """Pods and events in order."""
        return [
            InFlightEntry(uid=entry) if isinstance(entry, str) else InFlightEntry(occurrence=entry)
            for entry in self._entries.values()
        ]

    def markers(self) -> dict[str, Marker]:
        """Where each pod's own entry stands."""
        index = {number: place for place, number in enumerate(self._entries)}
        return {uid: index[own] for uid, own in self._own.items()}

    def _append(self, occurrence: Occurrence) -> None:
        self._sequence = self._newest_event = self._sequence + 1
        self._entries[self._sequence] = occurrence


def _tail(entries: OrderedDict[int, _T], after: int) -> list[tuple[int, _T]]:
    """The entries behind the one numbered `after`, in order; cost proportional to their number."""
    tail = [(number, entries[number]) for number in takewhile(after.__ne__, reversed(entries))]
    tail.reverse()
    return tail


AXIS: Final = Axis[InFlight](
    name="in_flight",
    asks="How are the events kept that arrive while a pod is in flight?",
    behaviours=(
        Behaviour(
            name="not-tracked",
            does="Not at all; only the move-request cycle tells that something happened. Releases before 1.28, and "
            "SchedulerQueueingHints off.",
            rule=NotTracked,
        ),
        Behaviour(
            name="markers-with-counters",
            does="A list of events with counters; each pod remembers the last element at its Pop. The marker can "
            "leave the list while the pod is in flight, and then its concurrent events are lost.",
            rule=MarkerCounters,
            upstream=("kubernetes#118438",),
        ),
        Behaviour(
            name="own-entry",
            does="One list of pods and events; each pod's own entry marks its Pop and leaves only with the pod.",
            rule=OwnEntry,
            upstream=("kubernetes#120413", "kubernetes#120445"),
        ),
    ),
)
