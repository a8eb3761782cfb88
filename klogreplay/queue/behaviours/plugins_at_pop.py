"""What becomes of the last attempt's rejector plugins when the pod is popped?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import NO_PLUGINS, QueuedPod

PluginsAtPop = Callable[[QueuedPod], None]


def _kept(queued: QueuedPod) -> None:
    pass


def _unschedulable_cleared(queued: QueuedPod) -> None:
    queued.unschedulable_plugins = NO_PLUGINS


def _rejectors_cleared(queued: QueuedPod) -> None:
    queued.unschedulable_plugins = NO_PLUGINS
    queued.pending_plugins = NO_PLUGINS


def _rejectors_and_gate_cleared(queued: QueuedPod) -> None:
    queued.unschedulable_plugins = NO_PLUGINS
    queued.pending_plugins = NO_PLUGINS
    queued.gating_plugin = ""


AXIS: Final = Axis[PluginsAtPop](
    name="plugins_at_pop",
    asks="What becomes of the last attempt's rejector plugins at Pop?",
    behaviours=(
        Behaviour(
            name="kept",
            does="They stay on the pod until a rejection overwrites them. If nothing clears them before an attempt "
            "that ends in an error, they count as that attempt's own.",
            rule=_kept,
        ),
        Behaviour(
            name="unschedulable-cleared",
            does="Pop clears the unschedulable plugins, the only set there is.",
            rule=_unschedulable_cleared,
            upstream=(
                "kubernetes#120334",
                "kubernetes#120535",
                "kubernetes#120556",
                "kubernetes#120557",
                "kubernetes#120558",
            ),
        ),
        Behaviour(
            name="rejectors-cleared",
            does="Pop clears the unschedulable and the pending plugins.",
            rule=_rejectors_cleared,
            upstream=("kubernetes#119517",),
        ),
        Behaviour(
            name="rejectors-and-gate-cleared",
            does="Pop clears both sets and the gating plugin.",
            rule=_rejectors_and_gate_cleared,
            upstream=("kubernetes#127180",),
        ),
    ),
)
