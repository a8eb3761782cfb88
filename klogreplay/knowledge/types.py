"""What the knowledge functions return.

`assumed` is True throughout where the asked release has no catalogue of its own and a near one answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Stage = Literal["Alpha", "Beta", "GA", "Deprecated"]
LineLevel = int | Literal["E"]
"""The smallest -v that prints a line; "E" is an error line, printed at every level."""
EventEffect = Literal["queue", "skip", "unknown"]


class Behaviours(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What the scheduling queue of one release does, as its source says.

    A field that is None does not apply to the release (it came later). Durations are seconds. `gates` maps the feature
    gates that steer the queue to "on/Beta", "off/Alpha" and the like; `line_levels` maps short line names to levels.
    `error_attempt_without_rejectors` says where an attempt that failed with a plain error goes: under "all", or under
    "hintsOn" and "hintsOff" for the two values of SchedulerQueueingHints, with a "note" beside.
    """

    release: str = ""
    assumed: bool = False
    unschedulable_plugins_cleared: str
    pending_plugins_cleared: str
    in_flight: str
    in_flight_pods_only_with_hints: bool | None = None
    in_flight_events_only_with_hints: bool | None = None
    error_attempt_without_rejectors: Mapping[str, str]
    event_of_no_interest_dropped: bool
    gated_pods_on_cluster_event: str
    leftover_limit_seconds: int
    leftover_limit_configurable: bool
    leftover_every_seconds: int
    leftover_test: str
    uid_check_on_requeue: bool
    update_in_flight_recorded_as_event: bool
    update_in_flight_events: str | None = None
    update_under_active_q_lock: bool | None = msgspec.field(default=None, name="updateUnderActiveQLock")
    duplicate_in_flight_pod_discarded: bool | None = None
    backoff_flush_runs_pre_enqueue: bool | str | None = None
    pop_woken_after_failed_attempt_to_active: bool | None = None
    gates: Mapping[str, str]
    line_levels: Mapping[str, LineLevel | None]


class GateInfo(msgspec.Struct, frozen=True):
    """A feature gate in one release. `locked` is None where only the default and the stage are known."""

    default: bool
    stage: Stage
    locked: bool | None
    assumed: bool = False


class EventFact(msgspec.Struct, frozen=True):
    """A cluster event as the queue receives it.

    `resource` is named as registrations name it ("Node", "AssignedPod", "storage.k8s.io/StorageClass"; "*" matches
    everything); `action_mask` is the ActionType of the release and `actions` its names. A custom resource keeps the
    name that the label shows: plural.version.group from 1.32 on, the bare plural before.
    """

    label: str
    resource: str
    action_mask: int
    actions: tuple[str, ...]
    custom: bool = False
    assumed: bool = False

    @property
    def wildcard(self) -> bool:
        """Whether it stands for every resource and action (the timeout flush, ForceActivate)."""
        return self.resource == "*"


class Registration(msgspec.Struct, frozen=True):
    """One event a plugin registered for.

    `has_hint_fn` is True where a QueueingHint function judges each event; without one a match always queues. `hint_fn`
    is its name, where known. `automatic` marks the registration that the scheduler adds by itself.
    """

    resource: str
    action_mask: int
    actions: tuple[str, ...]
    has_hint_fn: bool
    hint_fn: str | None = None
    automatic: bool = False
    assumed: bool = False


class HintMessage(msgspec.Struct, frozen=True):
    """A line of a plugin's hint function.

    `level` is the smallest -v that prints it. `worth` is what the text says: True (the event may help), False (it does
    not), None where it says neither.
    """

    plugin: str
    function: str
    message: str
    file: str
    line: int
    level: int
    worth: bool | None
