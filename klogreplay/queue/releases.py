"""The table of releases: which behaviours each has. Adding a release is adding a row.

A row names the release it is `like` and what differs. Recorded rows are proven against recordings of that release's
own queue; of the others the axes in STATED_AXES are known from the release's source, and all else is assumed to be as
in the nearest recorded release of the same minor version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

HINTS: Final = "SchedulerQueueingHints"
POP: Final = "SchedulerPopFromBackoffQ"
DRA: Final = "DynamicResourceAllocation"


class ByGate(msgspec.Struct, frozen=True, gc=False):
    """A choice that a feature gate makes."""

    gate: str
    on: Choice
    off: Choice


Choice = str | ByGate
"""The name of a behaviour, or a feature gate that chooses one."""


class Gate(msgspec.Struct, frozen=True, gc=False):
    """A feature gate's default in a release, and whether it is locked to it."""

    default: bool
    locked: bool = False


class Release(msgspec.Struct, frozen=True, gc=False):
    """A release: whether its queue was recorded, its gates, and its choice on every axis."""

    name: str
    recorded: bool
    gates: Mapping[str, Gate]
    choices: Mapping[str, Choice]


STATED_AXES: Final = frozenset(
    {
        "duplicate_pop",
        "event_interest",
        "gated_pods_on_events",
        "in_flight",
        "leftover_limit",
        "plugins_at_failure",
        "plugins_at_pop",
        "recreated_pod",
        "rejector_sets",
        "return_path",
        "return_without_rejectors",
        "update_in_flight",
    }
)
"""The axes on which the source of every release in the table was read."""

RELEASES: Final[dict[str, Release]] = {}
"""Every release of the table by name, oldest first within its minor version."""

_OLDEST: Final[dict[str, Choice]] = {
    "activate_from_backoff": "left-until-active",
    "activate_missed": "ignored",
    "active_entry": "by-caller",
    "assigned_pods": "affinity",
    "assigned_scale_down": "as-any-update",
    "backoff_count": "attempts",
    "backoff_end": "over-at-expiry",
    "backoff_window": "exact",
    "claim_event": "unnoticed",
    "delete_search": "backoff-and-unschedulable",
    "duplicate_pop": "popped-again",
    "error_backoff": "in-backoffq",
    "event_interest": "every-event",
    "event_matching": "registered-wildcard",
    "first_attempt": "at-creation",
    "gated_backoff": "as-any-other",
    "gated_placement": "parked-always",
    "gated_pods_on_events": "examined",
    "in_flight": "not-tracked",
    "leftover_flag": "forgotten",
    "leftover_limit": "one-minute",
    "plugins_at_failure": "left-as-they-are",
    "plugins_at_pop": "kept",
    "pod_events": "one-update",
    "pop_source": "active-only",
    "pop_specific": "absent",
    "pre_enqueue": "nowhere",
    "pre_enqueue_order": "as-configured",
    "recreated_pod": "returned",
    "rejector_sets": "none",
    "requeue_decision": "by-registration",
    "return_not_in_flight": "error-by-held-events",
    "return_path": "by-move-cycle",
    "return_without_rejectors": "as-any-other",
    "untried_backoff": "initial-backoff",
    "update_difference": "status-ignored",
    "update_in_backoff": "moved-to-active",
    "update_in_flight": "queued-again",
    "update_parked": "any-difference-at-once",
    "wildcard_events": "for-every-pod",
    "zero_max_backoff": "zero-length",
}


def _hints(on: Choice, off: Choice) -> ByGate:
    return ByGate(HINTS, on, off)


def _pop(on: Choice, off: Choice) -> ByGate:
    return ByGate(POP, on, off)


def _row(
    names: str, *, like: str, recorded: bool = False, gates: Mapping[str, Gate] | None = None, **changes: Any
) -> None:
    """One row, or several releases that are the same."""
    parent = RELEASES[like]
    for name in names.split():
        RELEASES[name] = Release(name, recorded, {**parent.gates, **(gates or {})}, {**parent.choices, **changes})


_ON: Final = {HINTS: Gate(True)}
_OFF: Final = {HINTS: Gate(False)}

RELEASES["1.18.2"] = Release("1.18.2", False, {}, _OLDEST)
_row("1.19.0-rc.4 1.20.2 1.20.5 1.20.15", like="1.18.2")
_row(
    "1.21.4 1.21.9 1.22.3",
    like="1.20.15",
    rejector_sets="unschedulable",
    update_in_backoff="in-place",
    update_parked="any-difference",
)
_row("1.22.6", like="1.22.3", recorded=True)
_row("1.23.3", like="1.22.6", recorded=True)
_row("1.23.5 1.23.9 1.23.10", like="1.23.3")
_row("1.24.0-alpha.4 1.24.0-beta.0 1.24.0 1.24.3", like="1.23.3", leftover_limit="five-minutes")
_row("1.24.4", like="1.24.3", recorded=True)
_row("1.24.9 1.24.10 1.24.12 1.24.14 1.24.16 1.24.17", like="1.24.4")
_row("1.25.0-alpha.0 1.25.0-alpha.2 1.25.0", like="1.24.4")
_row("1.25.2", like="1.25.0", recorded=True)
_row("1.25.5 1.25.6 1.25.7 1.25.8 1.25.10 1.25.12 1.25.14", like="1.25.2")
_row("1.25.15 1.25.16", like="1.25.14", plugins_at_pop="unschedulable-cleared")
_row("1.26.0-alpha.0", like="1.25.2")
_row("1.26.0-rc.1 1.26.0", like="1.25.2", pre_enqueue="entering-active", gated_backoff="never")
_row("1.26.1", like="1.26.0", recorded=True)
_row("1.26.2 1.26.3 1.26.4 1.26.5 1.26.7 1.26.9", like="1.26.1")
_row("1.26.10 1.26.11 1.26.13 1.26.15", like="1.26.9", plugins_at_pop="unschedulable-cleared")
_row("1.27.0-alpha.1", like="1.26.1")
_row("1.27.0", like="1.26.1", pre_enqueue="entering-active-but-flush")
_row("1.27.1", like="1.26.1", recorded=True)
_row("1.27.2 1.27.4 1.27.6", like="1.27.1")
_row("1.27.7 1.27.8 1.27.9 1.27.10 1.27.12 1.27.14", like="1.27.6", plugins_at_pop="unschedulable-cleared")
_row("1.27.16", like="1.27.14", gated_pods_on_events="all-skipped")
_row("1.28.0-alpha.2", like="1.27.1", first_attempt="at-first-active")
_row(
    "1.28.0-beta.0",
    like="1.28.0-alpha.2",
    gates=_ON,
    event_matching="same-resource",
    in_flight=_hints("markers-with-counters", "not-tracked"),
    requeue_decision="strongest-hint",
    return_path=_hints("by-concurrent-events", "by-move-cycle"),
    return_without_rejectors=_hints("any-event-held", "as-any-other"),
    update_difference="claims-count",
)
_row("1.28.0", like="1.28.0-beta.0", recorded=True)
_row(
    "1.28.3",
    like="1.28.0",
    recorded=True,
    in_flight=_hints("own-entry", "not-tracked"),
    plugins_at_pop="unschedulable-cleared",
    return_without_rejectors="as-any-other",
)
_row("1.28.4", like="1.28.3")
_row("1.28.6 1.28.8 1.28.10", like="1.28.4", gates=_OFF)
_row("1.28.11", like="1.28.10", gated_pods_on_events="all-skipped")
_row("1.28.14", like="1.28.10", gated_pods_on_events="scheduling-gates-skipped")
_row(
    "1.29.0-alpha.1",
    like="1.28.3",
    requeue_decision="pending-first",
    return_without_rejectors="always-after-backoff",
)
_row(
    "1.29.0-alpha.3",
    like="1.29.0-alpha.1",
    plugins_at_pop="rejectors-cleared",
    rejector_sets="unschedulable-and-pending",
)
_row("1.29.0", like="1.29.0-alpha.3", gates=_OFF)
_row("1.29.1", like="1.29.0", recorded=True)
_row("1.29.3 1.29.4 1.29.5", like="1.29.1")
_row("1.29.6", like="1.29.5", gated_pods_on_events="all-skipped")
_row("1.29.7 1.29.8 1.29.9 1.29.14", like="1.29.5", gated_pods_on_events="scheduling-gates-skipped")
_row(
    "1.30.0-alpha.3 1.30.0",
    like="1.29.1",
    event_interest="registered-events",
    event_matching="wildcard-resource",
)
_row("1.30.1", like="1.30.0", recorded=True)
_row("1.30.2", like="1.30.1", gated_pods_on_events="all-skipped")
_row(
    "1.30.4 1.30.5 1.30.6 1.30.10 1.30.11 1.30.12 1.30.14",
    like="1.30.1",
    gated_pods_on_events="scheduling-gates-skipped",
)
_row(
    "1.31.0-alpha.2",
    like="1.30.1",
    active_entry="leaves-all-others",
    assigned_pods="affinity-or-spread",
    assigned_scale_down="all-pods-as-general-update",
    gated_placement="unless-queued",
    gated_pods_on_events="all-skipped",
    pod_events="label-and-scale-down",
    return_not_in_flight="after-backoff",
    update_parked=_hints("by-hints-until-active", "any-difference"),
)
_row(
    "1.31.0",
    like="1.31.0-alpha.2",
    gated_pods_on_events="scheduling-gates-skipped",
    update_in_flight=_hints("recorded-as-one", "queued-again"),
)
_row("1.31.1", like="1.31.0", recorded=True)
_row("1.31.2 1.31.8 1.31.13", like="1.31.1")
_row(
    "1.32.0",
    like="1.31.1",
    gates={HINTS: Gate(True), DRA: Gate(False)},
    activate_missed="remembered",
    assigned_scale_down="all-pods",
    claim_event=ByGate(DRA, "generated-claim", "unnoticed"),
    duplicate_pop="discarded",
    event_matching="pod-kinds",
    gated_backoff="as-any-other",
    pod_events="by-kind",
    untried_backoff="at-timestamp",
    update_in_flight=_hints("recorded-each", "queued-again"),
    wildcard_events="for-the-named-pod",
)
_row("1.32.2", like="1.32.0", recorded=True)
_row("1.32.3 1.32.5", like="1.32.2")
_row("1.33.0-alpha.0", like="1.32.2")
_row(
    "1.33.0",
    like="1.32.2",
    recorded=True,
    gates={POP: Gate(True)},
    activate_from_backoff="taken-out-first",
    backoff_end="over-after-expiry",
    backoff_window=_pop("whole-second", "exact"),
    delete_search="first-hit",
    error_backoff="own-queue",
    gated_placement="unless-queued-or-parked",
    pod_events="by-kind-toleration",
    pop_source=_pop("backoff-when-idle", "active-only"),
    pre_enqueue=_pop("entering-backoff-too", "entering-active"),
    untried_backoff="no-backoff",
    update_parked=_hints(_pop("by-hints-until-queued", "by-hints-until-active"), "any-difference"),
)
_row("1.33.1 1.33.3", like="1.33.0")
_row(
    "1.34.1",
    like="1.33.0",
    recorded=True,
    gates={HINTS: Gate(True, locked=True), DRA: Gate(True)},
    backoff_count="failures-by-kind",
    event_matching="action-within-registration",
    gated_pods_on_events="skipped-unless-registered",
    plugins_at_pop="rejectors-and-gate-cleared",
    pod_events="by-kind-or-general",
    pre_enqueue_order="gating-plugin-first",
    zero_max_backoff="switched-off",
)
_row("1.34.7", like="1.34.1")
_row(
    "1.35.0",
    like="1.34.1",
    gates={DRA: Gate(True, locked=True)},
    pre_enqueue=_pop("entering-backoff-trusted", "entering-active"),
)
_row("1.35.4", like="1.35.0", recorded=True)
_row("1.35.7", like="1.35.4", recreated_pod="dropped")
_row(
    "1.36.2",
    like="1.35.4",
    recorded=True,
    gated_placement="replaces-parked",
    leftover_flag="was-flushed",
    plugins_at_failure="cleared-first",
    plugins_at_pop="kept",
    pop_specific="activates-and-pops",
    recreated_pod="dropped",
)
