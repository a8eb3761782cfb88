"""The plugins of the true schedules: what they reject pods with, what they registered for, what their hints answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from klogreplay import knowledge
from klogreplay.queue import ClusterEvent, Hint, Occurrence, Pod, Registration
from klogreplay.queue.actions import ADD, ALL
from tests.replay.build import AFFINITY, CPU, TAINT

GATES: Final = {"SchedulerQueueingHints": True}
INTER_POD = "4 node(s) didn't match pod anti-affinity rules"
REASONS: Final = {
    CPU: "NodeResourcesFit",
    TAINT: "TaintToleration",
    AFFINITY: "NodeAffinity",
    INTER_POD: "InterPodAffinity",
}
DYNAMIC = "DynamicResources"
WITHOUT_HANDLER_LINE: Final = ("NodeLabelChange", "NodeTaintChange", "PvcAdd", "ResourceClaimUpdate")
"""Events that show only where a parked pod is asked about them."""

_PLUGINS: Final = (*REASONS.values(), DYNAMIC)
_LABELS: Final = (*WITHOUT_HANDLER_LINE, "NodeAdd", "AssignedPodAdd", "AssignedPodUpdate", "AssignedPodDelete")


def registrations(release: str) -> Mapping[str, tuple[Registration, ...]]:
    """What each plugin registered for in that release."""
    return {
        plugin: tuple(
            Registration(label, ALL, _answer)
            for label in _LABELS
            if knowledge.event_effect(release, GATES, plugin, label) != "skip"
        )
        for plugin in _PLUGINS
    }


def occurrence(release: str, label: str, helps: Callable[[], bool]) -> Occurrence:
    """An event of the cluster; `helps` answers for a hint function whose answer the tables do not give."""
    answers = {}
    for plugin in _PLUGINS:
        effect = knowledge.event_effect(release, GATES, plugin, label)
        answers[plugin] = effect == "queue" or (effect == "unknown" and helps())
    return Occurrence(ClusterEvent(label, ADD, label), None, answers)


def _answer(plugin: str, _pod: Pod, occurrence: Occurrence) -> Hint:
    answers = occurrence.new
    assert isinstance(answers, dict)
    return Hint.QUEUE if answers[plugin] else Hint.SKIP
