"""What would decide an undecided verdict, or raise a grade."""

from __future__ import annotations

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.judge import Judgement
from klogreplay.replay.types import ConcurrentEvent
from klogreplay.replay.visibility import Visibility


def needs_of(
    attempt: Attempt, judgement: Judgement, events: list[ConcurrentEvent], visibility: Visibility
) -> list[str]:
    """Each thing to collect, in the order of its use; empty for a proven verdict."""
    needs: list[str] = []
    if judgement.verdict != "undecided" and judgement.grade == "proven" and judgement.parked is True:
        if any(cause.grade == "suspected" for cause in judgement.causes):
            needs += _causes(attempt)
        return needs
    if "release" in judgement.reasons:
        needs.append("the Kubernetes release (--kubernetes-version): the possible ones behave differently here")
    if "divergence" in judgement.reasons and judgement.verdict == "undecided":
        needs.append("the whole log: what it shows of this attempt fits no queue of its release, so lines are missing")
    if "busy" in judgement.reasons:
        needs.append("a quieter moment: too many pods and events at once around this attempt to try all their orders")
    if "failure" in judgement.reasons:
        needs.append("the failure line of this attempt (a log that begins earlier)")
    if "hole" in judgement.reasons:
        needs.append("the whole log: lines are missing between this attempt's Pop and its failure")
    if attempt.hole:
        needs.append("the whole log: lines are missing behind this attempt, so that silence says nothing of its pod")
    if judgement.parked is not True:
        needs.append(_destination(attempt, visibility))
    if judgement.verdict == "undecided" and not attempt.is_error and "destination" not in judgement.reasons:
        if attempt.own.unknown_reasons:
            shown = "; ".join(reason[:80] for reason in attempt.own.unknown_reasons[:3])
            needs.append(f"a table of the plugin behind the reason “{shown}” (--plugins)")
        window = attempt.window
        if attempt.timeless:
            needs.append("a log with its headers (klog without --skip_headers): they hold the times")
        elif window is None or window.pop_lo is None:
            needs.append("the line of this attempt's Pop (-v=4, and a log that begins before it)")
        elif not window.exhaustive:
            needs.append("all events received while pods are in flight (1.28.3 or later at -v=5 prints them)")
        if any(e.effect == "unknown" for e in events):
            names = ", ".join(sorted({e.event for e in events if e.effect == "unknown"})[:4])
            needs.append(f"what the rejectors' hint functions answer to {names} (-v=6, or the objects themselves)")
        if any(e.effect == "queue" and e.evidence == "unknown" for e in events):
            needs.append("the exact moment of an event at the edge of the attempt (a repetition; no flag shows it)")
    if judgement.verdict == "wrong" and any(cause.grade == "suspected" for cause in judgement.causes):
        needs += _causes(attempt)
    return list(dict.fromkeys(needs))


def _destination(attempt: Attempt, visibility: Visibility) -> str:
    level = None
    for name in ("moved: failed attempt, hints on", "moved: failed attempt, hints off"):
        found = visibility.level_of(name)
        if found is not None:
            level = found if level is None else max(level, found)
    if level is not None and (visibility.proven is None or visibility.proven < level):
        return f"where the queue put the pod: the line is printed at -v={level}"
    return "where the queue put the pod: a log that goes on until the pod shows up again"


def _causes(attempt: Attempt) -> list[str]:
    needs = []
    if attempt.held is None:
        needs.append("the pod's earlier attempts (a log from its creation on): they tell whether it held stale plugins")
    if attempt.window is None or attempt.window.pop_lo is None:
        needs.append("the lines between this attempt's Pop and its failure at -v=5: they tell which events came in it")
    return needs
