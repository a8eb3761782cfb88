"""What of an attempt's window can matter to where it was handed back, with everything that does not left out.

Flights that were surely over before the Pop matter to nobody's marker; of the events before it only the last ones can
be the marker. What is left is small, and alike for most attempts.
"""

from __future__ import annotations

from copy import copy

import msgspec

from klogreplay.replay.attempts import Attempt, Window
from klogreplay.replay.effects import Effects
from klogreplay.replay.rejectors import NOTHING, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Effect

MAX_EVENTS = 300
MAX_OTHERS = 150

LAST_BEFORE = 2
"""So many of the last events before the Pop are kept; one would do, were all moments exact."""

Span = tuple[int, int]


class SceneEvent(msgspec.Struct, gc=False):
    """An event: when, and what it means to the attempt's own rejectors and to the plugins held before."""

    span: Span
    own: Effect
    held: Effect


class SceneFlight(msgspec.Struct, gc=False):
    """Another pod in flight. `done` None: its end is not known."""

    pop: int
    done: Span | None


class Scene(msgspec.Struct):
    """The spans of the attempt's Pop and hand-back, and what lies around them."""

    pop: Span
    back: Span
    flights: list[SceneFlight]
    events: list[SceneEvent]
    exhaustive: bool

    def open_at_pop(self) -> bool:
        """Whether another pod may have been in flight at the Pop, so that there may have been a marker."""
        return any(f.pop <= self.pop[1] and (f.done is None or f.done[1] >= self.pop[0]) for f in self.flights)


def scene_of(attempt: Attempt, effects: Effects, *, likely: bool = False) -> Scene:
    """The scene of an attempt whose window is closed; without a line of its Pop it begins at the failure line.

    `likely`: an event also means what other pods' answers make likely.
    """
    window = _window(attempt)
    pop_lo = window.pop_lo if window.pop_lo is not None else window.back_lo
    pop_hi = window.pop_hi if window.pop_hi is not None else window.back_lo
    flights: list[SceneFlight] = []
    for other in window.others[-MAX_OTHERS:]:
        if other.pop_hi > window.back_hi or (other.pop_hi <= pop_hi and not window.open_at_pop(other)):
            continue
        done = None
        if other.done_lo is not None:
            done = (other.done_lo, other.done_hi if other.done_hi is not None else other.done_lo)
        flights.append(SceneFlight(other.pop_hi, done))
    flights.sort(key=lambda f: f.pop)
    first = flights[0].pop if flights else pop_lo
    held = held_set(attempt, True)
    events: list[SceneEvent] = []
    before = 0
    for event in reversed(window.events[-MAX_EVENTS:]):
        span = _span(event, attempt, window.back_hi)
        if span[0] > window.back_hi or span[1] < first or not effects.counts(event):
            continue
        if span[1] < pop_lo:
            before += 1
            if before <= LAST_BEFORE:
                events.append(SceneEvent(span, "skip", "skip"))
            continue
        own = effects.on_attempt(event, attempt, likely=likely)
        events.append(SceneEvent(span, own, effects.on_held(event, attempt, held)))
    events.reverse()
    return Scene((pop_lo, pop_hi), (window.back_lo, window.back_hi), flights, events, window.exhaustive)


def _span(event: Observed, attempt: Attempt, back_hi: int) -> Span:
    if event.how == "derived" and event.waker == attempt.pod:
        # The pod's own failure raised it, before it was handed back.
        return event.lo, min(event.hi, attempt.t, back_hi)
    return event.lo, event.hi


def without_window(attempt: Attempt) -> Attempt:
    """The same attempt as if nothing were known of what went on around it; its window is closed."""
    bare = copy(attempt)
    bare.window = window = copy(_window(attempt))
    window.pop_lo = window.pop_hi = None
    window.others, window.events = [], []
    return bare


def _window(attempt: Attempt) -> Window:
    if attempt.window is None:
        raise ValueError("the attempt's window is not closed yet")
    return attempt.window


def held_set(attempt: Attempt, held: bool) -> PluginSet:
    """The plugin set that the queue entry held, in a world where it held one."""
    if not held:
        return NOTHING
    return attempt.held if attempt.held is not None else PluginSet(complete=False)
