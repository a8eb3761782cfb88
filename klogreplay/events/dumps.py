"""The scheduler's own dumps on SIGUSR2 (dumper.go and comparer.go, 1.18 to 1.36).

Up to 1.23 they are formatted text, the NodeInfo one record a node; from 1.24 structured, from 1.26 the queue's with a
summary. Each pod is one line in all of them. Later trees print the same text, and a list of objects in JSON logs.
"""

from __future__ import annotations

import re
from typing import Any

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, PrintfForm, Reader, printf
from klogreplay.events.values import optional_text, text

_POD = re.compile(r"^name: (?P<name>[^\s,]+), namespace: (?P<namespace>[^\s,]+), uid: ", re.MULTILINE)
_SECTION = re.compile(
    r"^(?:(?P<node>Node name: )|(?P<placed>(?:Scheduled )?Pods(?:\(number: \d+\))?:)|(?P<nominated>Nominated Pods))",
    re.MULTILINE,
)


def _pods(value: str | list[Any]) -> tuple[str, ...]:
    """The pods that a dump lists, as namespace/name, in its order."""
    if isinstance(value, list):
        return tuple(
            f"{each.get('namespace')}/{each.get('name')}"
            for each in value
            if isinstance(each, dict) and each.get("name")
        )
    return tuple(f"{match['namespace']}/{match['name']}" for match in _POD.finditer(value))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _queue(line: Line) -> ev.SchedulerEvent:
    value = line.values.get("pods")
    told = "" if isinstance(value, list) else text(value)
    return ev.QueueDump(
        **line.base,
        pods=told,
        summary=optional_text(line.values.get("summary")),
        listed=_pods(value if isinstance(value, list) else told),
    )


def _queue_printed(line: Line) -> ev.SchedulerEvent:
    return ev.QueueDump(**line.base, pods=line.group("pods"), listed=_pods(line.group("pods")))


def _nodes(line: Line) -> ev.SchedulerEvent | None:
    """Up to 1.23 the nodes come in records of their own."""
    value = line.values.get("nodes")
    if value is None:
        return None
    if isinstance(value, list):
        nodes = [node for node in value if isinstance(node, dict)]
        return ev.NodeDump(
            **line.base,
            nodes=len(nodes),
            placed=tuple(pod for node in nodes for pod in _pods(_list(node.get("pods")))),
            nominated=tuple(pod for node in nodes for pod in _pods(_list(node.get("nominatedPods")))),
        )
    return _node_infos(line, text(value))


def _node_infos(line: Line, told: str) -> ev.SchedulerEvent:
    """Nodes one behind the other, each with the pods on it and those nominated for it."""
    nodes = 0
    pods: dict[str | None, list[str]] = {"placed": [], "nominated": []}
    sections = list(_SECTION.finditer(told))
    for section, end in zip(sections, [*(each.start() for each in sections[1:]), len(told)], strict=True):
        if section.lastgroup == "node":
            nodes += 1
        else:
            pods[section.lastgroup] += _pods(told[section.end() : end])
    return ev.NodeDump(**line.base, nodes=nodes, placed=tuple(pods["placed"]), nominated=tuple(pods["nominated"]))


def _mismatch(line: Line) -> ev.SchedulerEvent | None:
    values = line.values
    for of, missed, redundant in (
        ("nodes", "missedNodes", "redundantNodes"),
        ("pods", "missedPods", "redundantPods"),
        ("nodes", "missed nodes", "redundant nodes"),
        ("pods", "missed pods", "redundant pods"),
    ):
        if missed in values:
            return ev.CacheMismatch(
                **line.base, of=of, missed=_names(values[missed]), redundant=_names(values.get(redundant))
            )
    return None


def _names(value: Any) -> tuple[str, ...]:
    """A slice of strings: JSON, or as Go prints it ("[a b]")."""
    if isinstance(value, list):
        return tuple(each for each in value if isinstance(each, str))
    return tuple(value.strip("[]").split()) if isinstance(value, str) else ()


STRUCTURED: dict[str, Reader] = {
    "Dump of scheduling queue": _queue,
    "Dump of cached NodeInfo": _nodes,
    "Cache mismatch": _mismatch,
    "cache mismatch": _mismatch,
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("Dump of scheduling queue:", r"\n?(?P<pods>.*)", _queue_printed),
    printf("\nNode name: ", r"(?P<info>.*)", lambda line: _node_infos(line, f"Node name: {line.group('info')}")),
)
