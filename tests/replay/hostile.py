"""Events as no scheduler prints them: any kind, in any order, with odd times, names and numbers."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from klogreplay.events.types import AnyEvent, SchedulerEvent

PODS = ["default/a", "default/b", "team/c"]
LABELS = [
    "NodeAdd", "AssignedPodDelete", "AssignedPodAdd", "PodAdd", "PodUpdate", "BackoffComplete", "ForceActivate",
    "ScheduleAttemptFailure", "UnschedulableTimeout", "UnschedulablePodUpdatePodLabel", "UnschedulablePodAdd", "",
    "\x00",
]  # fmt: skip
ERRORS = [
    "", "boom", "no nodes available to schedule pods",
    "0/4 nodes are available: 4 Insufficient cpu.",
    "0/4 nodes are available: 3 Insufficient cpu, 1 quota exceeded. preemption: nothing.",
    'running Reserve plugin "Coscheduling": boom', 'running Bind plugin "DefaultBinder": boom',
    'running PreBind plugin "VolumeBinding": boom', "waiting on permit for pod: boom",
]  # fmt: skip
WORDS: dict[str, list[str]] = {
    "pod": PODS,
    "event": LABELS,
    "err": ERRORS,
    "queue": ["Active", "Backoff", "Unschedulable", "elsewhere"],
    "hint": ["skip", "after-backoff", "immediately", "odd"],
    "variant": ["plain", "gated", "updated", "odd"],
    "plugin": ["NodeResourcesFit", "Coscheduling", ""],
    "extension_point": ["Permit", "PreBind", "Reserve", "odd"],
    "reason": ["Unschedulable", "recreated", "assigned", "odd"],
    "what": ["acquired", "lost", "attempting", "odd"],
    "version": ["v1.28.0", "v1.28.3", "v1.36.2", "v1.99.9", "devel", ""],
    "name": ["v", "feature-gates", "odd"],
    "value": ["5", "6", "99999999999999999999", "-1", "SchedulerQueueingHints=false", "=,=", "٣"],
    "config": ["podInitialBackoffSeconds: 0\npodMaxBackoffSeconds: 999999999", "odd"],
    "node": ["n-1"],
}
"""What the fields of the events may hold; any other text field holds these three."""
TEXTS = ["", "text", "\x1b[31m\u202e"]

NUMBERS = st.sampled_from([0, 1, -1, 7, 1 << 62, -(1 << 62)])


def _of(name: str, kind: Any) -> st.SearchStrategy[Any]:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return st.one_of(*(_of(name, part) for part in get_args(kind)))
    if origin is Literal:
        return st.sampled_from(get_args(kind))
    if kind is type(None):
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        return NUMBERS
    if kind is str:
        return st.sampled_from(WORDS.get(name, TEXTS))
    if origin is frozenset:
        return st.frozensets(st.sampled_from(WORDS["plugin"]), max_size=2)
    if origin is tuple:
        return st.lists(st.sampled_from(TEXTS), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(st.sampled_from(["SchedulerQueueingHints", "Odd"]), st.booleans(), max_size=2)
    raise TypeError(f"no strategy for {name}: {kind}")


def events_of(kind: type[SchedulerEvent]) -> st.SearchStrategy[SchedulerEvent]:
    """Any events of one kind."""
    hints = get_type_hints(kind)
    fields = {field.name: _of(field.name, hints[field.name]) for field in msgspec.structs.fields(kind)}
    fields |= {
        "line": st.integers(0, 500),
        "t": st.one_of(st.integers(0, 40_000_000), st.sampled_from([0, -5, 1 << 60])),
        "pid": st.sampled_from([None, 1, 1, 1, 2]),
        "source": st.sampled_from([0, 0, 0, 1]),
        "site": st.sampled_from(["scheduling_queue.go:765", "scheduling_queue.go:948", ""]),
    }
    return st.builds(kind, **fields)


KINDS: tuple[type[SchedulerEvent], ...] = get_args(AnyEvent)
EVENTS = st.one_of(*(events_of(kind) for kind in KINDS))
