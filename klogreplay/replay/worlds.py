"""The readings of one attempt that the log allows.

Lines bound moments, they seldom fix them. A world is one reading: where in its span the Pop, the hand-back and the
ends of the other flights fell, what the unknown hints answered, and whether something happened that has no line. A
verdict holds only if it holds in every world in which the queue, as built, put the pod where the log says it went.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Literal

import msgspec

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.effects import Effects
from klogreplay.replay.scene import Scene, SceneFlight, Span, scene_of
from klogreplay.replay.types import Effect

MOST_WORK = 12_000
"""Readings times what happens in each. No verdict on a recorded log changes by this bound."""

Side = Literal["lo", "hi"]
EndSide = Literal["lo", "within", "hi"]
EventSide = Literal["lo", "hi", "within", "without"]
Op = tuple[str, str]
"""("pop", pod) | ("done", pod) | ("event", "own,held") | ("target-pop", "") | ("target-back", "")."""

_BACK: Op = ("target-back", "")
_UNSEEN = ("", "queue,queue")
_UNSEEN_IN_ERROR = ("", "skip,skip", "queue,queue")
"""Events that may have come without any line: to a pod that nothing rejected, every event is worth a retry."""

_DONE_BEFORE, _POP, _EVENT, _TARGET_POP, _EVENT_AFTER_POP, _UNSEEN_EVENT, _TARGET_BACK, _DONE_AFTER = range(8)
"""How things that fall on one moment follow each other."""


class World(msgspec.Struct, frozen=True):
    """One reading: the operations in order, whether the entry held plugins before, and how much it supposes.

    `unseen` counts what the world supposes without any line: 0 nothing, 1 one invisible event, 2 two.
    """

    ops: tuple[Op, ...]
    held: bool
    unseen: int


class Choice(msgspec.Struct, frozen=True):
    """The free choices of one world.

    `done` and `event` say where in their spans the ends of the other flights and the events fell: at one end, or within
    the attempt, wherever the span allows that; for events also outside of it ("without"), be it before or behind.
    `marker`: where an invisible event before the Pop may have become its marker.
    """

    pop: Side
    back: Side
    done: EndSide
    event: EventSide
    unknown: Effect
    marker: Literal["", "early", "late"]
    unseen: str
    held: bool


class CrowdedError(Exception):
    """Too many readings: more was going on around the attempt than can be tried."""


def worlds(attempt: Attempt, effects: Effects, *, holds: bool, likely: bool = False, patience: int = 1) -> list[World]:
    """All readings of the attempt. `holds`: the release keeps the plugin set over Pop, so what was held matters.

    `likely`: readings that other pods' answers make unlikely are left out. Raises CrowdedError where trying them all is
    more than `patience` times MOST_WORK.
    """
    scene = scene_of(attempt, effects, likely=likely)
    found: dict[tuple[tuple[Op, ...], bool], World] = {}
    choices = list(_choices(attempt, scene, holds=holds))
    if len(choices) * (len(scene.flights) + len(scene.events)) > MOST_WORK * patience:
        raise CrowdedError
    for choice in choices:
        ops = _ops(scene, choice)
        unseen = (choice.marker != "") + (choice.unseen != "")
        key = (ops, choice.held)
        known = found.get(key)
        if known is None or known.unseen > unseen:
            found[key] = World(ops, choice.held, unseen)
    return sorted(found.values(), key=lambda world: world.unseen)


def _choices(attempt: Attempt, scene: Scene, *, holds: bool) -> Iterator[Choice]:
    held: tuple[bool, ...] = (False,)
    if holds:
        held = (False, True) if attempt.held is None else (not attempt.held.surely_empty,)
    free = _free(scene)
    sides: tuple[Side, ...] = ("lo", "hi")
    pops = sides if "pop" in free else ("hi",)
    backs = sides if "back" in free else ("hi",)
    dones: tuple[EndSide, ...] = ("lo", "within", "hi") if "done" in free else ("hi",)
    events: tuple[EventSide, ...] = ("lo", "hi", "within", "without") if "event" in free else ("hi",)
    unknown: tuple[Effect, ...] = ("skip",)
    if any("unknown" in (event.own, event.held) for event in scene.events):
        unknown = ("skip", "queue")
    markers = ("",) if scene.exhaustive or not scene.open_at_pop() else ("", "early", "late")
    unseen = ("",) if scene.exhaustive else _UNSEEN_IN_ERROR if attempt.is_error else _UNSEEN
    choices = itertools.product(pops, backs, dones, events, unknown, markers, unseen, held)
    yield from itertools.starmap(Choice, choices)


def _free(scene: Scene) -> set[str]:
    """The spans that something could pass: most hold nothing, so that either end of them reads the same."""
    free: set[str] = set()
    moments = [moment for event in scene.events for moment in event.span]
    ends: list[Span] = []
    for flight in scene.flights:
        moments.append(flight.pop)
        if flight.done is None:
            free.add("done")
        else:
            moments += flight.done
            ends.append(flight.done)
    moments.sort()
    for name, span in (("pop", scene.pop), ("back", scene.back)):
        if _crossed(span, moments):
            free.add(name)
    moments = sorted((*moments, *scene.pop, *scene.back))
    if any(_crossed(span, moments, own=True) for span in ends):
        free.add("done")
    if any(_crossed(event.span, moments, own=True) for event in scene.events):
        free.add("event")
    return free


def _crossed(span: Span, moments: list[int], *, own: bool = False) -> bool:
    """Whether one of the sorted moments, other than the span's own two ends, lies within a span of more than one."""
    low, high = span
    return low != high and bisect_right(moments, high) - bisect_left(moments, low) > (2 if own else 0)


def _at(span: Span, side: Side) -> int:
    return span[0] if side == "lo" else span[1]


def _end(flight: SceneFlight, pop_t: int, side: EndSide) -> tuple[int, int] | None:
    """When the flight was over, and its place among what falls on that moment; None: not before the hand-back."""
    if flight.done is None:
        # Its end has no line: it may have been over before the Pop, after it, or not at all.
        return None if side == "hi" else (pop_t, _DONE_BEFORE if side == "lo" else _DONE_AFTER)
    low, high = flight.done
    if side == "within":
        return min(max(low, pop_t), high), _DONE_AFTER
    return (low, _DONE_BEFORE) if side == "lo" else (high, _DONE_AFTER)


def _moment(span: Span, pop_t: int, side: EventSide) -> tuple[int, int]:
    """When the event came, and its place among what falls on that moment."""
    low, high = span
    if side == "within" and low <= pop_t <= high:
        return pop_t, _EVENT_AFTER_POP
    if side == "hi" or (side == "without" and low > pop_t):
        return high, _EVENT
    return low, _EVENT


def _ops(scene: Scene, choice: Choice) -> tuple[Op, ...]:
    pop_t = _at(scene.pop, choice.pop)
    back_t = max(_at(scene.back, choice.back), pop_t)
    timed: list[tuple[int, int, int, Op]] = [
        (pop_t, _TARGET_POP, 0, ("target-pop", "")),
        (back_t, _TARGET_BACK, 0, _BACK),
    ]
    for n, flight in enumerate(scene.flights):
        timed.append((flight.pop, _POP, n, ("pop", str(n))))
        end = _end(flight, pop_t, choice.done)
        if end is not None:
            t, order = end if end[0] > flight.pop else (flight.pop, _DONE_AFTER)
            timed.append((t, order, n, ("done", str(n))))
    last = None
    for n, event in enumerate(scene.events):
        t, order = _moment(event.span, pop_t, choice.event)
        own = event.own if event.own != "unknown" else choice.unknown
        held = event.held if event.held != "unknown" else choice.unknown
        if t < pop_t:
            own = held = "skip"
            last = t if last is None else max(last, t)
        timed.append((t, order, n, ("event", f"{own},{held}")))
    if choice.marker:
        first = scene.flights[0].pop
        at = pop_t if choice.marker == "late" else max(first, first if last is None else last)
        timed.append((min(at, pop_t), _EVENT, len(scene.events), ("event", "skip,skip")))
    if choice.unseen:
        timed.append((back_t, _UNSEEN_EVENT, 0, ("event", choice.unseen)))
    timed.sort(key=lambda x: x[:3])
    ops = [op for _t, _kind, _n, op in timed]
    return tuple(ops[: ops.index(_BACK) + 1])
