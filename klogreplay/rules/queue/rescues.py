"""What lay behind a rescue by the flush: the one explanation that the log supports best, for the rules on them.

A rescue whose parking is wrong needs none: the three causes have their own rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from klogreplay.events import types as ev
from klogreplay.knowledge import Bug, leftover_limit_seconds, line_level
from klogreplay.replay.destination import EVENT_LINE, MOVE_LINE
from klogreplay.replay.types import Grade, Parking
from klogreplay.rules.base import Case
from klogreplay.rules.known_bugs import Match, matching, weakest
from klogreplay.rules.queue.shared import ASKED_AT, Parkings, rejected_by, shows
from klogreplay.rules.sensors.flush_rescues import SECOND_US, TICK_US, FlushRescues, Rescue
from klogreplay.rules.sensors.nominations import NominationOver, Nominations

Behind = Literal["node-add", "not-offered", "nominated", "skip", "silence"]

MOVE_LINES = (EVENT_LINE, MOVE_LINE)
"""The lines that can show a flush: which of them does, and from which level on, differs by release."""

NODE_ADD = "NodeAdd"
SPREAD = "PodTopologySpread"
FITS = "NodeResourcesFit"

NOMINATIONS_OF_A_NODE = 100
"""Ended nominations of one node that are looked at, the latest ones."""

TICK_LATE_US = 1_500_000
"""A pod that the flush moved is popped within this; below -v=3 it counts to the binding."""
TICK_DRIFT_US = 2_000
"""The ticker loses about a millisecond with each tick (0.7 ms measured): the later, the less well are they known."""


class Explained(msgspec.Struct):
    """A rescue with what lay behind it. `parking` is the index of its parking and the parking itself, where known."""

    rescue: Rescue
    behind: Behind
    parking: tuple[int, Parking] | None
    bugs: list[Match] = msgspec.field(default_factory=list)
    change: ev.SchedulerEvent | None = None
    nomination: NominationOver | None = None

    @property
    def index(self) -> int | None:
        """The parking's index."""
        return None if self.parking is None else self.parking[0]

    @property
    def grade(self) -> Grade:
        """How sure the explanation can be: where the parking itself may have been wrong, the cause may lie there."""
        right = self.parking is not None and self.parking[1].verdict == "right"
        return weakest("likely" if right else "suspected", *(match.best for match in self.bugs[-1:]))


def explained(case: Case, behind: Behind) -> Iterator[Explained]:
    """The rescues that this lay behind, in log order."""
    rescues = case.sensed.of(FlushRescues)
    if not rescues:
        return
    parkings = Parkings(case)
    over: dict[str, deque[NominationOver]] = {}
    for nomination in case.sensed.of(Nominations):
        over.setdefault(nomination.node, deque(maxlen=NOMINATIONS_OF_A_NODE)).append(nomination)
    for rescue in sorted(rescues, key=lambda each: (each.failed.source, each.failed.line)):
        found = _explain(case, rescue, parkings, over)
        if found is not None and found.behind == behind:
            yield found


def _explain(
    case: Case, rescue: Rescue, parkings: Parkings, over: Mapping[str, Iterable[NominationOver]]
) -> Explained | None:
    at = parkings.of(rescue.failed, rescue.parked)
    if at is not None and at[1].verdict == "wrong":
        return None
    if rescue.flush is None:
        return Explained(rescue, "silence", at) if _like_a_flush(case, rescue) else None
    parking = None if at is None else at[1]
    fit = not rescue.failed.error
    labels = {asked.event for asked in rescue.asked}
    if fit and rescue.joined is not None and NODE_ADD not in labels and shows(case, ASKED_AT):
        bugs = matching(case, "KB08", "KB09")
        if bugs:
            return Explained(rescue, "node-add", at, bugs, rescue.joined)
    if fit and rejected_by(parking, FITS):
        nomination = next((each for each in over.get(rescue.bound.node or "", ()) if _in_wait(each, rescue)), None)
        bugs = matching(case, "KB36") if nomination is not None else []
        if nomination is not None and bugs:
            return Explained(rescue, "nominated", at, bugs, nomination.event, nomination)
    if fit and shows(case, ASKED_AT):
        change, bugs = _not_offered(case, rescue, parking, labels)
        if bugs:
            return Explained(rescue, "not-offered", at, bugs, change)
    if fit and rescue.asked:
        return Explained(rescue, "skip", at)
    return Explained(rescue, "silence", at)


def _in_wait(nomination: NominationOver, rescue: Rescue) -> bool:
    return (
        nomination.pod != rescue.pod
        and rescue.flush is not None
        and nomination.nominated.t <= rescue.failed.t <= nomination.event.t <= rescue.flush.t
    )


def _not_offered(
    case: Case, rescue: Rescue, parking: Parking | None, labels: set[str]
) -> tuple[ev.SchedulerEvent | None, list[Match]]:
    """An event that the rejectors registered for, and that this release keeps from the pods that wait for it."""
    if rejected_by(parking, SPREAD):
        for kind, code, label in ((ev.AssignedPodAdded, "KB20", "AssignedPodAdd"), (ev.NodeDeleted, "KB24", None)):
            change = next((each for each in rescue.changes if isinstance(each, kind)), None)
            if change is not None and (label is None or label not in labels):
                bugs = matching(case, code)
                if bugs:
                    return change, bugs
    if rescue.updated is not None:
        return rescue.updated, matching(case, "KB23")
    return None, []


def _like_a_flush(case: Case, rescue: Rescue) -> bool:
    """Whether the silence has the length, and ended at the moment, that a flush would give it."""
    if _flush_is_printed(case):
        return False
    limit = rescue.limit_us if rescue.limit_us is not None else _limit_us(case)
    if limit is None or not limit <= rescue.waited_us <= limit + TICK_US + TICK_LATE_US:
        return False
    if rescue.off_tick_us is None or rescue.ticks is None:
        return True
    return rescue.off_tick_us <= TICK_LATE_US + rescue.ticks * TICK_DRIFT_US


def _flush_is_printed(case: Case) -> bool:
    """Whether every release that the log may be of would have printed the flush at the level that the lines prove."""
    releases = [case.release] if case.release is not None else list(case.candidates)
    levels = []
    for release in releases:
        printed = [level for name in MOVE_LINES if isinstance(level := line_level(release, name), int)]
        if not printed:
            return False
        levels.append(min(printed))
    return bool(levels) and shows(case, max(levels))


def _limit_us(case: Case) -> int | None:
    releases = [case.release] if case.release is not None else list(case.candidates)
    limits = {leftover_limit_seconds(release) for release in releases}
    return limits.pop() * SECOND_US if len(limits) == 1 else None


def flushed(rescue: Rescue) -> str:
    """The end of such a story, as a half sentence."""
    return f"until the periodic flush retried it, and then it was bound to {rescue.bound.node or 'a node'} at once"


def bugs_of(found: Explained) -> list[Bug]:
    """The bugs named."""
    return [match.bug for match in found.bugs]
