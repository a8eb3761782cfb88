"""What an event meant to a pod where hint functions decide, by their lines and by what they answered for other pods.

A hint function judges one event for one pod. Its own lines name pod and object, which can settle the matter. What it
answered for another pod that the same plugins had rejected makes the same answer likely, never sure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from klogreplay import knowledge
from klogreplay.replay.types import Effect

if TYPE_CHECKING:
    from klogreplay.events import types as ev
    from klogreplay.replay.attempts import Attempt
    from klogreplay.replay.effects import Effects
    from klogreplay.replay.rejectors import Own
    from klogreplay.replay.timeline import Observed

CLAIM = "ResourceClaim"
CONTEXT = "PodSchedulingContext"
"""A pod's negotiation with resource drivers (1.26–1.31). It has the name of its pod."""

OF_ANY_POD = frozenset({"Node", "Pod", "AssignedPod", "UnscheduledPod"})
"""Resources whose events concern every pod alike: other objects belong to some pods and mean nothing to the rest."""

Key = frozenset[str] | str


def by_lines(effects: Effects, plugin: str, event: Observed, attempt: Attempt) -> Effect:
    """What the lines of this plugin's hint functions say of the event for the attempt's own pod; "unknown": nothing."""
    fact = knowledge.cluster_event(effects.release, event.label)
    if fact is None:
        return "unknown"
    said = [line for line in event.said or () if line.plugin == plugin and line.pod != attempt.pod]
    if fact.resource == CONTEXT and said:
        objects = {name for line in said for name in (line.claims if "unrelated pod" in line.message else (line.pod,))}
        if objects and attempt.pod not in objects:
            return "skip"
    if fact.resource == CLAIM and attempt.claims is not None:
        objects = {name for line in said for name in line.claims}
        if objects and not objects & attempt.claims:
            return "skip"
    return "skip" if _all_asked(effects, plugin, fact.resource, attempt) else "unknown"


def _all_asked(effects: Effects, plugin: str, resource: str, attempt: Attempt) -> bool:
    """Whether the hand-back asked this plugin about every such event of the window, and each answer was skip."""
    window = attempt.window
    if window is None or window.pop_lo is None:
        return False
    answers = [line for line in attempt.asked if line.plugin == plugin and resource in effects.asks_about(line)]
    if not answers or any(line.worth is not False for line in answers):
        return False
    asked_for = 0
    for event in window.events:
        if event.hi >= window.pop_lo and event.lo <= window.back_hi:
            fact = knowledge.cluster_event(effects.release, event.label)
            asked_for += fact is not None and fact.resource == resource
    return len(answers) >= asked_for


def by_others(effects: Effects, event: Observed, own: Own, attempt: Attempt) -> Effect:
    """What the event did to other pods that the same plugins had rejected: likely the same here; "unknown": nothing."""
    mine = _keys(own)
    fact = knowledge.cluster_event(effects.release, event.label)
    if not mine or fact is None:
        return "unknown"
    if fact.resource not in OF_ANY_POD and not fact.custom:
        return "unknown"
    found: set[Effect] = set()
    for answer in event.answers or ():
        theirs = _keys(answer.own)
        if answer.pod == attempt.pod or not theirs:
            continue
        if answer.effect == "queue" and theirs <= mine:
            found.add("queue")
        elif answer.effect == "skip" and mine <= theirs:
            found.add("skip")
    return found.pop() if len(found) == 1 else "unknown"


def _keys(own: Own) -> frozenset[Key]:
    """What rejected a pod: plugins, and the texts of reasons whose plugin nobody knows."""
    if not own.plugins.complete and not own.unknown_reasons:
        return frozenset()
    return frozenset[Key]([*own.groups, *own.unknown_reasons])


def function_of(release: str, line: ev.HintLine) -> str | None:
    """The hint function that prints such a line in `release`; None where it is not known, or one of several."""
    functions = {
        hint.function
        for hint in knowledge.hint_lines(release)
        if hint.plugin == line.plugin and hint.message == line.message
    }
    return functions.pop() if len(functions) == 1 else None
