"""Preemption (preemption.go, from 1.36 executor.go)."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class VictimPreempted(SchedulerEvent, tag="victim-preempted"):
    """ "Preemptor Pod preempted victim Pod" and the rejections of waiting pods. `how`: deleted|rejected|pre-bind."""

    preemptor: str | None
    victim: str | None
    node: str | None = None
    how: str = "deleted"


class VictimKept(SchedulerEvent, tag="victim-kept"):
    """ "Could not add DisruptionTarget condition due to preemption" (E, 1.28+): the victim stays unmarked."""

    preemptor: str | None
    victim: str | None
    err: str


class PreemptorMissing(SchedulerEvent, tag="preemptor-missing"):
    """ "Could not get the updated preemptor pod object" (E): it was gone when its preemption began.

    1.18-1.20 name no pod ("Error getting the updated preemptor pod object: …").
    """

    pod: str | None
    err: str


class PreemptionLine(SchedulerEvent, tag="preemption-line"):
    """Another line of preemption that names a pod (candidates, asynchronous preemption started or finished)."""

    pod: str | None
    message: str
