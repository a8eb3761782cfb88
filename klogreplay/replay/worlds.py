"""The readings of one attempt that the log allows.

Lines bound moments, they seldom fix them. A world is one reading: where in its span the Pop, the hand-back and the
ends of the other flights fell, what the unknown hints answered, and whether something happened that has no line. A
verdict holds only if it holds in every world in which the queue, as built, put the pod where the log says it went.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

import msgspec

from klogreplay.replay.attempts import Attempt, Window
from klogreplay.replay.effects import Effects
from klogreplay.replay.flights import Flight
from klogreplay.replay.rejectors import NOTHING, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Effect

MAX_EVENTS = 400
MAX_OTHERS = 200

_UNSEEN = ("", "queue,queue")
_UNSEEN_IN_ERROR = ("", "skip,skip", "queue,queue")
"""Events that may have come without any line: to a pod that nothing rejected, every event is worth a retry."""

Side = Literal["lo", "hi"]
Op = tuple[str, str]
"""("pop", pod) | ("done", pod) | ("event", "own,held") | ("target-pop", "") | ("target-back", "")."""


class World(msgspec.Struct, frozen=True):
    """One reading: the operations in order, the plugin set held before the hand-back, and how much it assumes.

    `unseen` counts what the world supposes without any line: 0 nothing, 1 one invisible event, 2 two.
    """

    ops: tuple[Op, ...]
    held: bool
    unseen: int


class Choice(msgspec.Struct, frozen=True):
    """The free choices of one world."""

    pop: Side
    back: Side
    done: Side
    event: Side
    unknown: Effect
    maybe: bool
    marker: int
    unseen: str
    held: bool


def worlds(attempt: Attempt, effects: Effects, *, holds: bool) -> list[World]:
    """All readings of the attempt. `holds`: the release keeps the plugin set over Pop, so what was held matters."""
    window = attempt.window
    if window is None:
        raise ValueError("the attempt's window is not closed yet")
    found: dict[tuple[tuple[Op, ...], bool], World] = {}
    for choice in _choices(attempt, window, effects, holds=holds):
        ops = tuple(_ops(attempt, window, effects, choice))
        unseen = (choice.marker > 0) + (choice.unseen != "")
        key = (ops, choice.held)
        known = found.get(key)
        if known is None or known.unseen > unseen:
            found[key] = World(ops, choice.held, unseen)
    return list(found.values())


def _choices(attempt: Attempt, window: Window, effects: Effects, *, holds: bool) -> Iterator[Choice]:
    held: tuple[bool, ...] = (False,)
    if holds:
        held = (False, True) if attempt.held is None else (not attempt.held.surely_empty,)
    free = _free(attempt, window, effects)
    sides: tuple[Side, ...] = ("lo", "hi")
    one: tuple[Side, ...] = ("hi",)
    effect: tuple[Effect, ...] = ("skip", "queue") if "unknown" in free else ("skip",)
    maybe = (False, True) if "maybe" in free else (False,)
    markers = (0, 1, 2) if "marker" in free else (0,)
    unseen = ("",) if window.exhaustive else _UNSEEN_IN_ERROR if attempt.is_error else _UNSEEN
    spans = (sides if name in free else one for name in ("pop", "back", "done", "event"))
    yield from itertools.starmap(Choice, itertools.product(*spans, effect, maybe, markers, unseen, held))


def _free(attempt: Attempt, window: Window, effects: Effects) -> set[str]:
    """The choices that can make a difference for this window: most spans hold nothing that their ends could pass."""
    free: set[str] = set()
    moments: list[int] = []
    spans: list[tuple[int, int]] = []
    for event in window.events[-MAX_EVENTS:]:
        moments += (event.lo, event.hi)
        if event.lo != event.hi:
            spans.append((event.lo, event.hi))
        if event.how == "maybe":
            free.add("maybe")
        if "unknown" in (effects.on_own(event, attempt.own), effects.on_set(event, held_set(attempt, True))):
            free.add("unknown")
    ends: list[tuple[int, int]] = []
    pop_hi = window.pop_hi if window.pop_hi is not None else window.back_lo
    for other in window.others[-MAX_OTHERS:]:
        moments.append(other.pop_hi)
        if other.done_lo is None:
            free.add("done")
        else:
            done_hi = other.done_hi if other.done_hi is not None else other.done_lo
            moments += (other.done_lo, done_hi)
            if other.done_lo != done_hi:
                ends.append((other.done_lo, done_hi))
        if not window.exhaustive and other.possibly_open_at(pop_hi):
            free.add("marker")
    pop = (window.pop_lo if window.pop_lo is not None else window.back_lo, pop_hi)
    back = (window.back_lo, window.back_hi)
    if pop[0] != pop[1] and _crossed(pop, moments):
        free.add("pop")
    if back[0] != back[1] and _crossed(back, moments):
        free.add("back")
    edges = [*pop, *back]
    if any(_crossed(span, [*moments, *edges], own=span) for span in ends):
        free.add("done")
    if any(_crossed(span, [*moments, *edges], own=span) for span in spans):
        free.add("event")
    return free


def _crossed(span: tuple[int, int], moments: list[int], own: tuple[int, int] | None = None) -> bool:
    """Whether some moment, other than the span's own ends, lies within the span."""
    spare = list(own) if own is not None else []
    for moment in moments:
        if span[0] <= moment <= span[1]:
            if moment in spare:
                spare.remove(moment)
            else:
                return True
    return False


def _at(span: tuple[int, int], side: Side) -> int:
    return span[0] if side == "lo" else span[1]


def _ops(attempt: Attempt, window: Window, effects: Effects, choice: Choice) -> Iterator[Op]:
    pop_span = (
        window.pop_lo if window.pop_lo is not None else window.back_lo,
        window.pop_hi if window.pop_hi is not None else window.back_lo,
    )
    pop_t = _at(pop_span, choice.pop)
    back_t = max(_at((window.back_lo, window.back_hi), choice.back), pop_t)
    timed: list[tuple[int, int, int, Op]] = [(pop_t, 3, 0, ("target-pop", "")), (back_t, 5, 0, ("target-back", ""))]
    others = window.others[-MAX_OTHERS:]
    for n, other in enumerate(others):
        timed.extend(_flight_ops(n, other, pop_t, choice))
    last_before = None
    for event in window.events[-MAX_EVENTS:]:
        if (event.how == "maybe" and not choice.maybe) or not effects.counts(event):
            continue
        t = _at((event.lo, event.hi), choice.event)
        if event.how == "derived" and event.waker == attempt.pod:
            t = min(t, back_t)
        timed.append((t, 2, event.line, ("event", _answers(event, attempt, effects, choice))))
        if t <= pop_t:
            last_before = t if last_before is None else max(last_before, t)
    if choice.marker and others:
        first = min((o.pop_hi for o in others if o.possibly_open_at(pop_t)), default=None)
        if first is not None:
            at = max(first, last_before or first) if choice.marker == 1 else pop_t
            timed.append((min(at, pop_t), 2, 1 << 60, ("event", "skip,skip")))
    if choice.unseen:
        timed.append((back_t, 4, 0, ("event", choice.unseen)))
    timed.sort(key=lambda x: x[:3])
    for _t, _kind, _n, op in timed:
        yield op


def _flight_ops(n: int, other: Flight, pop_t: int, choice: Choice) -> Iterator[tuple[int, int, int, Op]]:
    start = other.pop_hi
    yield start, 1, n, ("pop", str(n))
    if other.done_lo is None:
        # Its end has no line: it may be over at once, or not at all.
        if choice.done == "lo":
            yield max(start, pop_t), 6, n, ("done", str(n))
        return
    done = _at((other.done_lo, other.done_hi if other.done_hi is not None else other.done_lo), choice.done)
    yield max(done, start), 6 if choice.done == "hi" else 0, n, ("done", str(n))


def _answers(event: Observed, attempt: Attempt, effects: Effects, choice: Choice) -> str:
    own = effects.on_own(event, attempt.own)
    held = effects.on_set(event, held_set(attempt, choice.held))
    return f"{own if own != 'unknown' else choice.unknown},{held if held != 'unknown' else choice.unknown}"


def held_set(attempt: Attempt, held: bool) -> PluginSet:
    """The plugin set that the entry held, in a world where it held one."""
    if not held:
        return NOTHING
    return attempt.held if attempt.held is not None else PluginSet(complete=False)
