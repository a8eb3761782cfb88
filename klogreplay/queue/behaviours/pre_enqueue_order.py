"""In which order do the PreEnqueue plugins run?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import PreEnqueue, QueuedPod

PreEnqueueOrder = Callable[[QueuedPod, tuple[PreEnqueue, ...]], tuple[PreEnqueue, ...]]


def _configured(queued: QueuedPod, plugins: tuple[PreEnqueue, ...]) -> tuple[PreEnqueue, ...]:
    return plugins


def _gating_plugin_first(queued: QueuedPod, plugins: tuple[PreEnqueue, ...]) -> tuple[PreEnqueue, ...]:
    gating = queued.gating_plugin
    if not gating:
        return plugins
    return tuple(sorted(plugins, key=lambda plugin: plugin.name != gating))


AXIS: Final = Axis[PreEnqueueOrder](
    name="pre_enqueue_order",
    asks="In which order do the PreEnqueue plugins run?",
    behaviours=(
        Behaviour(
            name="as-configured",
            does="As configured; the first that does not pass gates the pod.",
            rule=_configured,
        ),
        Behaviour(
            name="gating-plugin-first",
            does="The plugin that gates the pod now runs first, then the others as configured.",
            rule=_gating_plugin_first,
            upstream=("kubernetes#127180",),
        ),
    ),
)
