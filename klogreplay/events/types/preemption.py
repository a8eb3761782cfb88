"""Preemption (preemption.go, from 1.36 executor.go)."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class VictimPreempted(SchedulerEvent, tag="victim-preempted"):
    """ "Preemptor Pod preempted victim Pod" and the rejections of waiting pods. `how`: deleted|rejected|pre-bind."""

    preemptor: str | None
    victim: str | None
    node: str | None = None
    how: str = "deleted"


class PreemptionLine(SchedulerEvent, tag="preemption-line"):
    """Another line of preemption that names a pod (candidates, asynchronous preemption started or finished)."""

    pod: str | None
    message: str
