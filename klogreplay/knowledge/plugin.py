"""In-tree plugins: which run by default, what each registers for, and what an event means to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

import msgspec

from klogreplay.knowledge.event import WILDCARD, action_mask, action_names, cluster_event, event_table
from klogreplay.knowledge.gate import HINTS, gate_value
from klogreplay.knowledge.matching import matches
from klogreplay.knowledge.release import catalogue_of, minor_of
from klogreplay.knowledge.store import load
from klogreplay.knowledge.types import EventEffect, EventFact, Registration

Gates = frozenset[tuple[str, bool]]

_ASKED_OF_A_RUNNING_PLUGIN = {"plugin enabled": True, "no AffinityLabels argument": False}
"""Conditions that hold for whoever rejected a pod: the plugin runs, and has the arguments it needs to reject."""
_CONDITION_GATES = {"PodSchedulingContext API in use": "DRAControlPlaneController"}


class Condition(msgspec.Struct, frozen=True, array_like=True):
    """A condition of a registration: a feature gate (or what `_ASKED_OF_A_RUNNING_PLUGIN` names) and its value."""

    name: str
    value: bool


class EventPart(msgspec.Struct, frozen=True):
    """Actions that a registration has on a condition: the base, added to it, or instead of it."""

    actions: tuple[str, ...]
    how: Literal["base", "or", "replace"]
    conditions: tuple[Condition, ...]


class EventRow(msgspec.Struct, frozen=True):
    """One registration as the source has it. `hint` is the hint function's name, "" unnamed, None without one."""

    resource: str
    conditions: tuple[Condition, ...]
    parts: tuple[EventPart, ...]
    hint: str | None


class PluginRow(msgspec.Struct, frozen=True):
    """A plugin. `events` is None where it has no EventsToRegister; `rejects` whether it can reject a pod."""

    points: tuple[str, ...]
    rejects: bool
    events: tuple[EventRow, ...] | None


class DefaultPlugin(msgspec.Struct, frozen=True, array_like=True):
    """A plugin that runs by default, and the feature gate it needs, if any."""

    name: str
    gate: str | None


class Reason(msgspec.Struct, frozen=True, array_like=True):
    """A text that plugins reject with: its literal pieces; `one_word` where the hole holds no blank."""

    pieces: tuple[str, ...]
    plugins: tuple[str, ...]
    one_word: bool


class PluginTableRow(msgspec.Struct, frozen=True, rename="camel"):
    """The data file `plugins`, one release of it."""

    automatic_node_taint: bool
    plugins: dict[str, PluginRow]
    default_plugins: tuple[DefaultPlugin, ...]
    reasons: tuple[Reason, ...]


@cache
def plugin_tables() -> dict[str, PluginTableRow]:
    """The data file `plugins`."""
    return load("plugins", dict[str, PluginTableRow])


def gate_set(gates: Mapping[str, bool]) -> Gates:
    """The gates as a key for memoised look-ups."""
    return frozenset(gates.items())


def default_plugins(release: str, gates: Mapping[str, bool] | None = None) -> tuple[str, ...]:
    """The in-tree plugins that a profile without plugin settings runs, with `gates` as set (others by default)."""
    set_gates = gates or {}
    return tuple(
        plugin.name
        for plugin in plugin_tables()[catalogue_of(release)[0]].default_plugins
        if plugin.gate is None or gate_value(release, set_gates, plugin.gate)
    )


def registrations(
    release: str, plugin: str, gates: Mapping[str, bool] | None = None
) -> tuple[Registration, ...] | None:
    """What an in-tree plugin registers for in `release`, with `gates` as set (others by default).

    None for a plugin that the release does not have. A plugin without EventsToRegister is registered for every resource
    and action if it can reject pods, else for nothing. From 1.31 on a plugin that registers Node/Add without
    UpdateNodeTaint gets Node/UpdateNodeTaint in addition (`automatic`). With SchedulerQueueingHints off the scheduler
    replaces every hint function by one that always queues, so `has_hint_fn` is False then.
    """
    return _registrations(release, plugin, gate_set(gates or {}))


@lru_cache(maxsize=4096)
def _registrations(release: str, plugin: str, gates: Gates) -> tuple[Registration, ...] | None:
    main, assumed = catalogue_of(release)
    facts = plugin_tables()[main]
    row = facts.plugins.get(plugin)
    if row is None:
        return None
    if row.events is None:
        return everything(release) if row.rejects else ()
    settings = dict(gates)
    hints = gate_value(release, settings, HINTS)
    found = []
    for event in row.events:
        actions = _actions(release, settings, event)
        if actions:
            mask = action_mask(main, actions)
            has_hint_fn = hints and event.hint is not None
            names = action_names(main, mask)
            hint_fn = (event.hint or None) if has_hint_fn else None
            found.append(Registration(event.resource, mask, names, has_hint_fn, hint_fn, assumed=assumed))
    if facts.automatic_node_taint:
        found += automatic_registrations(release, found)
    return tuple(found)


def everything(release: str) -> tuple[Registration, ...]:
    """The registrations of a plugin that has no EventsToRegister: every resource, every action, no hint function."""
    _, assumed = catalogue_of(release)
    facts = event_table(release)
    return tuple(
        Registration(resource, facts.actions["All"], ("All",), has_hint_fn=False, assumed=assumed)
        for resource in facts.resources
        # From 1.28 on the scheduler unrolls the wildcard into the resources it knows.
        if (resource == WILDCARD) == (minor_of(release) < 28)
    )


def automatic_registrations(release: str, found: list[Registration]) -> list[Registration]:
    """The Node/UpdateNodeTaint that the scheduler adds to Node/Add from 1.31 on, if it is not registered.

    A node's taint may keep it from a pod's view at the time it is added (kubernetes#109437).
    """
    actions = event_table(release).actions
    node = 0
    for registration in found:
        if registration.resource == "Node":
            node |= registration.action_mask
    if not node & actions["Add"] or node & actions["UpdateNodeTaint"]:
        return []
    assumed = catalogue_of(release)[1]
    return [
        Registration(
            "Node", actions["UpdateNodeTaint"], ("UpdateNodeTaint",), has_hint_fn=False, automatic=True, assumed=assumed
        )
    ]


def _actions(release: str, settings: Mapping[str, bool], event: EventRow) -> tuple[str, ...]:
    if not _holds(release, settings, event.conditions):
        return ()
    actions: tuple[str, ...] = ()
    for part in event.parts:
        if _holds(release, settings, part.conditions):
            actions = (*actions, *part.actions) if part.how == "or" else part.actions
    return actions


def _holds(release: str, settings: Mapping[str, bool], conditions: tuple[Condition, ...]) -> bool:
    for condition in conditions:
        value = _ASKED_OF_A_RUNNING_PLUGIN.get(condition.name)
        if value is None:
            value = gate_value(release, settings, _CONDITION_GATES.get(condition.name, condition.name))
        if value != condition.value:
            return False
    return True


def effect_of(release: str, registered: tuple[Registration, ...] | None, event: EventFact | None) -> EventEffect:
    """What an event means to whoever made these registrations; "unknown" where a hint function decides."""
    if event is None or registered is None:
        return "unknown"
    if event.wildcard:
        # From 1.32 on ForceActivate carries one pod and means nothing to the others.
        return "unknown" if event.label == "ForceActivate" else "queue"
    matching = [registration for registration in registered if matches(release, registration, event)]
    if not matching:
        return "skip"
    return "unknown" if all(registration.has_hint_fn for registration in matching) else "queue"


def event_effect(release: str, gates: Mapping[str, bool] | None, plugin: str, label: str) -> EventEffect:
    """What the cluster event `label` means to a pod that `plugin` rejected, as far as the tables tell.

    "queue": registered without a hint function (or with SchedulerQueueingHints off), or a wildcard event. "skip": not
    registered. "unknown": a hint function decides, or plugin or label are unknown.
    """
    return _event_effect(release, gate_set(gates or {}), plugin, label)


@lru_cache(maxsize=65536)
def _event_effect(release: str, gates: Gates, plugin: str, label: str) -> EventEffect:
    return effect_of(release, _registrations(release, plugin, gates), cluster_event(release, label))
