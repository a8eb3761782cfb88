"""Cluster events: what a printed label stands for in each release."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

from klogreplay.knowledge.release import catalogue_of
from klogreplay.knowledge.store import load
from klogreplay.knowledge.types import EventFact

WILDCARD = "*"
_CUSTOM_COMPOSED = re.compile(r"([a-z0-9-]+\.[a-z0-9]+\.[a-z0-9.-]+)(Add|Update|Delete)", re.ASCII)
_CUSTOM_NAMED = re.compile(r"([A-Z][a-z0-9-]*)(Add|Update|Delete)", re.ASCII)


class EventTable(msgspec.Struct, frozen=True, rename="camel"):
    """The data file `events`, one release of it.

    `labels` are those with a name of their own. `printed_actions` is None up to 1.31; from 1.32 on every other label is
    a resource followed by one of them. `short_names` are the resources' names in labels up to 1.31. `moves` are names
    on move lines that stand for no cluster event.
    """

    actions: dict[str, int]
    resources: tuple[str, ...]
    labels: dict[str, tuple[str, int]]
    moves: frozenset[str]
    printed_actions: frozenset[str] | None
    short_names: dict[str, str]


@cache
def _tables() -> dict[str, EventTable]:
    return load("events", dict[str, EventTable])


def event_table(release: str) -> EventTable:
    """The event facts that speak for `release`."""
    return _tables()[catalogue_of(release)[0]]


def action_mask(release: str, actions: tuple[str, ...]) -> int:
    """The ActionType of the named actions in `release`. KeyError for an action the release does not have."""
    known = event_table(release).actions
    mask = 0
    for action in actions:
        mask |= known[action]
    return mask


def action_names(release: str, mask: int) -> tuple[str, ...]:
    """The fewest action names that make up the mask, in the order of their bits."""
    known = event_table(release).actions
    names: list[str] = []
    for name, bits in sorted(known.items(), key=lambda item: -item[1].bit_count()):
        if bits and bits & mask == bits:
            names.append(name)
            mask &= ~bits
    return tuple(sorted(names, key=known.__getitem__))


@cache
def known_actions() -> frozenset[str]:
    """The names of all actions that a plugin of some release can register for."""
    names = {name for table in _tables().values() for name, mask in table.actions.items() if mask}
    return frozenset(name for name in names if name[0].isupper())


def queue_moves(release: str) -> frozenset[str]:
    """The names on move lines that are the queue's own doing and no cluster event (BackoffComplete …)."""
    return event_table(release).moves


@lru_cache(maxsize=4096)
def cluster_event(release: str, label: str) -> EventFact | None:
    """The cluster event that `release` prints as `label`.

    None for a name that stands for no cluster event there: a move of the queue's own (`queue_moves`: BackoffComplete,
    ScheduleAttemptFailure, up to 1.31 also PodAdd, PodUpdate and ForceActivate), or no label at all.

    Labels are names of their own up to 1.31 and resource + action from 1.32 on. The unspecific update of a pod
    (AssignedPodUpdate in 1.31-1.33, UnschedulablePodUpdate in 1.32-1.33) has a narrow action there, so it matches
    registrations of the whole Update only; from 1.34 on it carries the whole Update itself.
    """
    facts = event_table(release)
    if label in facts.moves:
        return None
    if label in facts.labels:
        resource, mask = facts.labels[label]
        return _fact(release, label, resource, mask)
    if facts.printed_actions is None:
        return _named(release, facts, label)
    return _composed(release, facts, label)


def _fact(release: str, label: str, resource: str, mask: int, custom: bool = False) -> EventFact:
    return EventFact(
        label=label,
        resource=resource,
        action_mask=mask,
        actions=action_names(release, mask),
        custom=custom,
        assumed=catalogue_of(release)[1],
    )


def _composed(release: str, facts: EventTable, label: str) -> EventFact | None:
    for resource in sorted(facts.resources, key=len, reverse=True):
        action = label[len(resource) :]
        if label.startswith(resource) and facts.printed_actions is not None and action in facts.printed_actions:
            return _fact(release, label, resource, facts.actions[action])
    custom = _CUSTOM_COMPOSED.fullmatch(label)
    return None if custom is None else _fact(release, label, custom[1], facts.actions[custom[2]], custom=True)


def _named(release: str, facts: EventTable, label: str) -> EventFact | None:
    for action in ("Add", "Update", "Delete"):
        short = label.removesuffix(action)
        if short != label and (short in facts.short_names or short == "Node"):
            return _fact(release, label, facts.short_names.get(short, short), facts.actions[action])
    custom = _CUSTOM_NAMED.fullmatch(label)
    return None if custom is None else _fact(release, label, custom[1].lower(), facts.actions[custom[2]], custom=True)
