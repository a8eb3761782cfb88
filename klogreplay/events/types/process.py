"""The scheduler process: start, flags, feature gates, configuration, leases, end."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class SchedulerStarted(SchedulerEvent, tag="scheduler-started"):
    """ "Starting Kubernetes Scheduler" (`version` as printed, e.g. "v1.28.0")."""

    version: str | None


class Flag(SchedulerEvent, tag="flag"):
    """`FLAG: --name="value"`."""

    name: str
    value: str


class FeatureGatesLogged(SchedulerEvent, tag="feature-gates"):
    """A `feature gates:` line in any of its forms: the gates set so far. A warning about one gate has only that one."""

    gates: dict[str, bool]


class ComponentConfig(SchedulerEvent, tag="component-config"):
    """ "Using component config": the configuration as text."""

    config: str


class LeaderElection(SchedulerEvent, tag="leader-election"):
    """A leader election line; `what` is "attempting", "acquired", "held-by-other", "renewed", "lost" or "failed"."""

    what: str


class Terminating(SchedulerEvent, tag="terminating"):
    """ "Requested to terminate, exiting", "Leaderelection lost" and the like."""

    reason: str
