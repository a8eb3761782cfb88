"""The model's state in the recording's form, and what differs between the two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec

from klogreplay.queue.behaviours.in_flight import InFlightEntry
from klogreplay.queue.conformance.player import Player
from klogreplay.queue.conformance.recording import (
    BackoffEntry,
    InFlightItem,
    InFlightPod,
    ParkedEntry,
    PodInfo,
    Result,
    Row,
    State,
)
from klogreplay.queue.types import QueuedPod


class Difference(msgspec.Struct, frozen=True):
    """One field that differs; both values as JSON text."""

    field: str
    expected: str
    got: str


def snapshot(player: Player, recorded: State) -> State:
    """The model's state as the recording would show it.

    `recorded` says which fields the release has at all: the failure counters and the gating plugin came in 1.34.
    """
    queue = player.queue
    counted = any(info.unschedulable_count is not None for info in recorded.podInfo)
    backoff = [(False, queued) for queued in queue.backoff] + [(True, queued) for queued in queue.error_backoff]
    places = (
        ("active", queue.active),
        ("backoff", queue.backoff),
        ("errorBackoff", queue.error_backoff),
        ("unschedulable", queue.unschedulable.values()),
    )
    infos = [_info(player, where, queued, counted) for where, pods in places for queued in pods]
    infos += [_info(player, "held", queued, counted, handle) for handle, queued in player.held.items()]
    return State(
        activeQ=[_name(queued) for queued in queue.active],
        backoffQ=[
            BackoffEntry(name=_name(queued), expiry=queue.backoff_expiry(queued), attempts=queued.attempts, error=error)
            for error, queued in backoff
        ],
        unschedulable=[ParkedEntry(name=_name(queued), gated=queued.gated) for queued in queue.unschedulable.values()],
        inFlightPods=[InFlightPod(uid=uid, marker=marker) for uid, marker in queue.in_flight.markers().items()],
        inFlightEvents=[_item(player, entry) for entry in queue.in_flight.entries()],
        podInfo=infos,
        moveRequestCycle=queue.move_request_cycle,
        schedulingCycle=queue.scheduling_cycle,
    )


def differences(row: Row, result: Result, player: Player) -> list[Difference]:
    """What differs between the row and the model after it, in the order of the format."""
    found = list(_compare("result", row.result, result))
    if row.clock != player.now:
        found.append(Difference("clock", _text(row.clock), _text(player.now)))
    ordered = player.queue.rules.pop_source
    expected = _normal(row.state, ordered)
    got = _normal(snapshot(player, row.state), ordered)
    if expected == got:
        return found
    expected_infos = {(info.where, info.name, info.handle): info for info in expected.podInfo}
    got_infos = {(info.where, info.name, info.handle): info for info in got.podInfo}
    found += _compare("state", expected, got, but="podInfo")
    for key in sorted(expected_infos.keys() | got_infos.keys(), key=str):
        found += _compare(f"podInfo[{key[0]} {key[1]}]", expected_infos.get(key), got_infos.get(key))
    return found


def _compare(
    label: str, expected: msgspec.Struct | None, got: msgspec.Struct | None, but: str = ""
) -> Iterator[Difference]:
    if expected == got:
        return
    if expected is None or got is None:
        yield Difference(label, _text(expected), _text(got))
        return
    for field in expected.__struct_fields__:
        one, other = getattr(expected, field), getattr(got, field)
        if field != but and one != other:
            yield Difference(f"{label}.{field}", _text(one), _text(other))


def _normal(state: State, ordered: bool) -> State:
    """The state with every order that the format calls arbitrary made one and the same."""
    for info in state.podInfo:
        info.unschedulable_plugins.sort()
        info.pending_plugins.sort()
        if info.where == "held":
            info.expiry = None
    state.podInfo.sort(key=lambda info: (info.where, info.name, info.handle or 0))
    state.unschedulable.sort(key=lambda parked: parked.name)
    state.inFlightPods.sort(key=lambda pod: pod.uid)
    if ordered:
        plain = [entry for entry in state.backoffQ if not entry.error]
        state.backoffQ = plain + _ties_by_name([entry for entry in state.backoffQ if entry.error])
    else:
        state.backoffQ = _ties_by_name(state.backoffQ)
    return state


def _ties_by_name(entries: list[BackoffEntry]) -> list[BackoffEntry]:
    """The entries in their order, those of one queue and one expiry by name."""
    ties = groupby(entries, key=lambda entry: (entry.error, entry.expiry))
    return [entry for _, tie in ties for entry in sorted(tie, key=lambda entry: entry.name)]


def _info(player: Player, where: str, queued: QueuedPod, counted: bool, handle: int | None = None) -> PodInfo:
    pod = queued.pod
    return PodInfo(
        where=where,
        name=_name(queued),
        uid=pod.uid,
        handle=handle,
        rv=pod.resource_version,
        priority=pod.priority,
        attempts=queued.attempts,
        unschedulable_plugins=list(queued.unschedulable_plugins),
        pending_plugins=list(queued.pending_plugins),
        gated=queued.gated,
        gating_plugin=queued.gating_plugin if counted else "",
        timestamp=queued.timestamp,
        initial_attempt_timestamp=queued.initial_attempt_timestamp,
        expiry=player.queue.backoff_expiry(queued),
        unschedulable_count=queued.unschedulable_count if counted else None,
        consecutive_errors_count=queued.consecutive_errors_count if counted else None,
        was_flushed=queued.was_flushed,
    )


def _item(player: Player, entry: InFlightEntry) -> InFlightItem:
    occurrence = entry.occurrence
    if occurrence is None:
        return InFlightItem(pod=entry.uid or "")
    event = player.recorded(occurrence.event)
    return InFlightItem(
        event=event.label,
        resource=event.resource,
        action=event.action,
        old_obj=player.name_of(occurrence.old),
        new_obj=player.name_of(occurrence.new),
        ref_count=entry.ref_count,
    )


def _name(queued: QueuedPod) -> str:
    return queued.pod.key.partition("/")[2]


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
