"""Attempts and their windows, made by hand for the tests of scenes, worlds and verdicts."""

from __future__ import annotations

from typing import Any

from klogreplay.queue import profile_for
from klogreplay.replay.attempts import Attempt, Window
from klogreplay.replay.effects import Effects
from klogreplay.replay.flights import Flight
from klogreplay.replay.judge import AsBuilt
from klogreplay.replay.rejectors import NOTHING, Own, PluginSet
from klogreplay.replay.timeline import Observed

HINTS = {"SchedulerQueueingHints": True}
POP, BACK = (1_000, 1_010), (2_000, 2_020)
"""When the attempt of these tests was popped and handed back, in microseconds."""

UNSCHEDULABLE = "Unschedulable"


def flight(pod: str, pop: int, done: tuple[int, int] | None = None, *, serial: bool = False) -> Flight:
    """Another pod, popped at a moment; `done` None: its end has no line."""
    low, high = done if done is not None else (None, None)
    return Flight(pod, pop - 5, pop, 1, "popped", pop - 5, serial=serial, done_lo=low, done_hi=high)


def event(label: str, low: int, high: int | None = None, how: str = "queue", waker: str | None = None) -> Observed:
    """An event between two moments, or at one."""
    return Observed(label, low, low if high is None else high, 7, "event", None, how, waker=waker)


def own(*plugins: str, unknown: bool = False) -> Own:
    """Rejectors with a reason each; with `unknown`, one more of which nobody knows the plugin."""
    groups = tuple(frozenset({plugin}) for plugin in plugins)
    reasons = ("the quota is spent",) if unknown else ()
    return Own(PluginSet(frozenset(plugins), complete=not unknown), "derived", False, groups, reasons)


def attempt(
    rejectors: Own | None = None,
    others: tuple[Flight, ...] = (),
    events: tuple[Observed, ...] = (),
    *,
    held: PluginSet | None = NOTHING,
    pop: tuple[int, int] | None = POP,
    back: tuple[int, int] = BACK,
    exhaustive: bool = False,
    well_lit: bool = True,
    cut: bool = False,
    **more: Any,
) -> Attempt:
    """A failed attempt with its window closed: an error where `rejectors` is None."""
    low, high = pop if pop is not None else (None, None)
    window = Window(low, high, *back, list(others), list(events), exhaustive, well_lit, cut)
    told = {"destination": UNSCHEDULABLE, "destination_evidence": "observed", **more}
    return Attempt(
        pod="default/web", number=1, queue_attempts=1, t=back[0], line=9, source=0, text="failed",
        flight=None if pop is None else flight("default/web", pop[1]), is_error=rejectors is None, err="boom",
        own=rejectors or Own(NOTHING, "observed", True), held=held, window=window, back_hi=back[1], **told,
    )  # fmt: skip


def built(release: str = "1.28.0", *, hints: bool = True) -> AsBuilt:
    """A release with queueing hints, or without."""
    gates = {"SchedulerQueueingHints": hints}
    return AsBuilt(release, profile_for(release, gates), Effects(release, gates), hints)
