"""From a judged attempt to a parking: the evidence in words, with the lines that carry it."""

from __future__ import annotations

from klogreplay.replay.attempts import Attempt, Window
from klogreplay.replay.effects import Effects
from klogreplay.replay.judge import Judgement
from klogreplay.replay.needs import needs_of
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Cited, ConcurrentEvent, Evidence, Parking
from klogreplay.replay.visibility import Visibility

MAX_EVENTS = 100
"""Concurrent events told of one parking; those that matter to its rejectors come first when there are more."""


def parking_of(
    process: str, attempt: Attempt, judgement: Judgement, effects: Effects, visibility: Visibility, *, holds: bool
) -> Parking:
    """The parking as it is reported."""
    parked = judgement.parked is True
    evidence: Evidence = attempt.destination_evidence if attempt.destination == "Unschedulable" else "unknown"
    if parked and evidence == "unknown":
        evidence = "derived"
    events = concurrent_events(attempt, effects)
    stale = stale_plugins(attempt) if holds else ()
    t = attempt.back_t if attempt.back_t is not None else attempt.t
    line = attempt.back_line if attempt.back_line is not None else attempt.line
    wake = attempt.wake if parked else None
    parked_us = max(0, wake.t - t) if wake is not None and not attempt.timeless else None
    lost_us = None
    if parked_us is not None and judgement.verdict == "wrong":
        lost_us = max(0, parked_us - attempt.backoff_us)
    own = attempt.own
    return Parking(
        pod=attempt.pod, process=process, destination="Unschedulable" if parked else "unknown",
        destination_evidence=evidence, t=t, line=line, source=attempt.source, attempt=attempt.number,
        cycle=attempt.cycle, is_error=attempt.is_error, error=attempt.err,
        rejector_plugins=tuple(sorted(own.plugins.names)) if own.plugins.complete or own.plugins.names else None,
        rejector_evidence=own.evidence, stale_plugins=stale, concurrent_events=events,
        verdict=judgement.verdict, grade=judgement.grade, causes=judgement.causes,
        expected_queue=judgement.expected if judgement.verdict != "undecided" else None,
        timed=not attempt.timeless, wake_up=wake, parked_us=parked_us, lost_us=lost_us,
        needs=needs_of(attempt, judgement, events, visibility), proof=proof_of(attempt, judgement, events),
    )  # fmt: skip


def stale_plugins(attempt: Attempt) -> tuple[str, ...]:
    """The plugins of an earlier attempt that the queue entry still held at this error's hand-back."""
    if not attempt.is_error or attempt.held is None:
        return ()
    return tuple(sorted(attempt.held.names - attempt.own.plugins.names))


def concurrent_events(attempt: Attempt, effects: Effects) -> list[ConcurrentEvent]:
    """The events that fell, or may have fallen, between this attempt's Pop and its hand-back."""
    window = attempt.window
    if window is None or window.pop_lo is None:
        return []
    found = [
        _concurrent(event, window, attempt, effects)
        for event in window.events
        if event.hi >= window.pop_lo and event.lo <= window.back_hi and effects.counts(event)
    ]
    if len(found) > MAX_EVENTS:
        ranked = sorted(range(len(found)), key=lambda i: (found[i].effect == "skip", i))[:MAX_EVENTS]
        found = [found[i] for i in sorted(ranked)]
    return found


def _concurrent(event: Observed, window: Window, attempt: Attempt, effects: Effects) -> ConcurrentEvent:
    pop_hi = window.pop_hi if window.pop_hi is not None else window.back_lo
    sure = event.lo >= pop_hi and event.hi <= window.back_lo
    evidence: Evidence = "unknown"
    if sure and event.how != "maybe":
        evidence = "derived" if event.how == "derived" else "observed"
    effect = effects.on_held(event, attempt, attempt.held) if attempt.is_error and attempt.held else None
    if effect is None:
        effect = effects.on_attempt(event, attempt)
    return ConcurrentEvent(
        event.label, event.obj, event.line or None, event.lo if event.line else None, evidence, effect,
        event.text or None,
    )  # fmt: skip


def proof_of(attempt: Attempt, judgement: Judgement, events: list[ConcurrentEvent]) -> list[Cited]:
    """The lines that carry the verdict, in their order."""
    proof: dict[int, Cited] = {}

    def cite(line: int, text: str | None, says: str) -> None:
        if line and text and line not in proof:
            proof[line] = Cited(line, text, says, attempt.source)

    codes = {cause.code for cause in judgement.causes}
    if attempt.is_error and "stale-plugins" in codes:
        for line, text in attempt.held_lines:
            cite(line, text, "an earlier attempt was rejected, and its plugins stayed with the pod's queue entry")
    if attempt.flight is not None:
        cite(attempt.flight.line, attempt.flight.text, "the pod was popped: it is in flight from here")
    for event in events:
        if event.effect == "queue" and event.line and event.text and len(proof) < 12:
            says = f"{event.event} came while the pod was in flight and concerns its rejectors"
            cite(event.line, event.text, says)
    failed = "the attempt failed with an error: nothing rejected the pod" if attempt.is_error else "the attempt failed"
    cite(attempt.line, attempt.text, failed)
    if attempt.back_line is not None:
        cite(attempt.back_line, attempt.destination_text, "the queue parked the pod")
    if attempt.wake is not None and judgement.parked is True:
        says = "the flush, not an event, took the pod out" if attempt.wake.event == "UnschedulableTimeout" else (
            "this took the pod out again" if attempt.wake.event != "unknown" else "here the pod is out again"
        )  # fmt: skip
        cite(attempt.wake.line, attempt.wake.text, says)
    if attempt.back_line is None and attempt.destination_line is not None and attempt.destination_says:
        cite(attempt.destination_line, attempt.destination_text, attempt.destination_says)
    return [proof[line] for line in sorted(proof)]
