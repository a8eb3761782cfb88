"""What the scheduler prints of itself on SIGUSR2 (backend/cache/debugger, internal/cache/debugger up to 1.30)."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class QueueDump(SchedulerEvent, tag="queue-dump"):
    """ "Dump of scheduling queue": all pods in the queue; those in flight are in none.

    `pods` is the value's text; `listed` are the pods in the order printed, which is that of activeQ, backoffQ and
    unschedulablePods. `summary` ("activeQ:1; backoffQ:0; …", 1.26+) tells how many of them are in which.
    """

    pods: str
    summary: str | None = None
    listed: tuple[str, ...] = ()


class NodeDump(SchedulerEvent, tag="node-dump"):
    """ "Dump of cached NodeInfo": the scheduler's cache; up to 1.23 one record a node follows, with the node's name.

    `placed` are the pods on the nodes, assumed ones among them; `nominated` those that hold room on one by nomination.
    """

    nodes: int
    placed: tuple[str, ...] = ()
    nominated: tuple[str, ...] = ()


class CacheMismatch(SchedulerEvent, tag="cache-mismatch"):
    """ "Cache mismatch": what the API server has and the scheduler's cache and queue have not, or the reverse.

    `of` is "nodes" (by their names) or "pods" (by their UIDs). A pod in flight may be missed without a defect.
    """

    of: str
    missed: tuple[str, ...]
    redundant: tuple[str, ...]
