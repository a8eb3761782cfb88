"""The moves between the queues (scheduling_queue.go; from 1.31 also active_queue.go and backoff_queue.go)."""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, PrintfForm, Reader, printf
from klogreplay.events.values import (
    OddValueError,
    hint,
    label,
    optional_number,
    optional_text,
    plugin_set,
    ref,
)

QUEUES = frozenset({"Active", "Backoff", "Unschedulable"})
_CLOSED = "scheduling queue is closed"


def _moved(variant: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        queue = values.get("queue")
        if not isinstance(queue, str) or queue not in QUEUES:
            raise OddValueError(f"no queue: {queue!r:.80}")
        plugins = None
        for key in ("unschedulable plugins", "unschedulablePlugins"):
            if key in values:
                plugins = plugin_set(values[key])
        return ev.Moved(
            **line.base,
            pod=ref(values.get("pod")),
            event=label(values.get("event")),
            queue=queue,
            hint=hint(values.get("hint")),
            cycle=optional_number(values.get("schedulingCycle")),
            plugins=plugins,
            variant=variant,
        )

    return read


def _flushed_bound(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.FlushedPodBound(
        **line.base,
        pod=ref(values.get("pod")),
        plugins=plugin_set(values.get("unschedulablePlugins")) | plugin_set(values.get("pendingPlugins")),
    )


def _closed(line: Line) -> ev.SchedulerEvent:
    return ev.QueueClosed(**line.base)


def _pop_failed(line: Line) -> ev.SchedulerEvent | None:
    """Up to 1.27 the closed queue is told as an error of Pop."""
    err = optional_text(line.values.get("err")) or line.group("err")
    return ev.QueueClosed(**line.base) if _CLOSED in err else None


STRUCTURED: dict[str, Reader] = {
    "Pod moved to an internal scheduling queue": _moved("plain"),
    "Pod moved to an internal scheduling queue, because the pod is gated": _moved("gated"),
    "Pod moved to an internal scheduling queue because the Pod is updated": _moved("updated"),
    "Pod scheduled after flush from unschedulablePods": _flushed_bound,
    "Scheduling queue is closed": _closed,
    "Error while retrieving next pod from scheduling queue": _pop_failed,
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("Error while retrieving next pod from scheduling queue: ", r"(?P<err>.*)", _pop_failed),
)
