"""What does the failure handler do to the plugin sets before it hands the pod back?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from klogreplay.queue.behaviours.axis import Axis, Behaviour
from klogreplay.queue.types import NO_PLUGINS, QueuedPod

PluginsAtFailure = Callable[[QueuedPod], None]


def _left(queued: QueuedPod) -> None:
    pass


def _cleared(queued: QueuedPod) -> None:
    queued.unschedulable_plugins = NO_PLUGINS
    queued.pending_plugins = NO_PLUGINS
    queued.gating_plugin = ""


AXIS: Final = Axis[PluginsAtFailure](
    name="plugins_at_failure",
    asks="Does the failure handler clear the plugin sets before it stores those of the attempt?",
    behaviours=(
        Behaviour(
            name="left-as-they-are",
            does="No: a rejection assigns the sets anew, an error leaves what is there.",
            rule=_left,
        ),
        Behaviour(
            name="cleared-first",
            does="Yes, both sets and the gating plugin, for a rejection and for an error alike; Pop need not.",
            rule=_cleared,
        ),
    ),
)
