"""What the framework says of plugins that failed an attempt (framework.go), and the status texts of an attempt."""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, Reader
from klogreplay.events.values import optional_ref, optional_text, ref, text


def _plugin_failed(point: str | None = None) -> Reader:
    """`point` where the message itself tells the extension point; else the logger's name does."""

    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        return ev.PluginFailed(
            **line.base,
            pod=optional_ref(values.get("pod")),
            plugin=optional_text(values.get("plugin")),
            extension_point=point or line.extension_point,
            err=optional_text(values.get("err")) or "",
            node=optional_ref(values.get("node")),
        )

    return read


def _plugin_rejected(point: str | None = None) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        return ev.PluginRejected(
            **line.base,
            pod=ref(values.get("pod")),
            plugin=optional_text(values.get("plugin")),
            extension_point=point or line.extension_point,
            status=optional_text(values.get("status")),
            node=optional_ref(values.get("node")),
        )

    return read


def _status(point: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent | None:
        values = line.values
        if "status" not in values and "pod" not in values:
            return None  # 1.21.4 passes the pod as a key: the line names neither
        status = values.get("status")
        if status is None:
            status = values.get("err")
        return ev.PluginStatus(
            **line.base, pod=ref(values.get("pod")), extension_point=point, status=optional_text(status) or ""
        )

    return read


def _pre_enqueue(key: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        return ev.PreEnqueueStatus(
            **line.base,
            pod=ref(values.get("pod")),
            plugin=optional_text(values.get("plugin")),
            status=text(values.get(key)),
        )

    return read


STRUCTURED: dict[str, Reader] = {
    "Plugin failed": _plugin_failed(),
    "Plugin Failed": _plugin_failed("Bind"),  # the capital is RunBindPlugins' own, in all releases from 1.28
    "Failed running PreFilter plugin": _plugin_failed("PreFilter"),
    "Failed running AddPod on PreFilter plugin": _plugin_failed("PreFilter"),
    "Failed running RemovePod on PreFilter plugin": _plugin_failed("PreFilter"),
    "Failed running PreScore plugin": _plugin_failed("PreScore"),
    "Failed running Score plugins": _plugin_failed("Score"),
    "Failed running Normalize on Score plugins": _plugin_failed("Score"),
    "Failed applying score defaultWeights on Score plugins": _plugin_failed("Score"),
    "Failed running Reserve plugin": _plugin_failed("Reserve"),
    "Failed running Permit plugin": _plugin_failed("Permit"),
    "Failed running PreBind plugin": _plugin_failed("PreBind"),
    "Failed running Bind plugin": _plugin_failed("Bind"),
    "Failed waiting on permit for pod": _plugin_failed("Permit"),
    "Pod rejected by plugin": _plugin_rejected(),
    "Pod rejected by permit plugin": _plugin_rejected("Permit"),
    "Pod rejected by PreBind plugin": _plugin_rejected("PreBind"),
    "Pod rejected by Bind plugin": _plugin_rejected("Bind"),
    "Pod rejected while waiting on permit": _plugin_rejected("Permit"),
    "Status after running PreFilter plugins for pod": _status("PreFilter"),
    "Status after running PostFilter plugins for pod": _status("PostFilter"),
    "Status after running PreEnqueue plugin": _pre_enqueue("status"),
    "Unexpected error running PreEnqueue plugin": _pre_enqueue("err"),
}
