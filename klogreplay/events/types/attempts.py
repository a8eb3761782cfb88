"""The life of an attempt (schedule_one.go and its forerunners): Pop, failure, bind, hand-back."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class Popped(SchedulerEvent, tag="popped"):
    """ "About to try and schedule pod": the Pop came shortly before."""

    pod: str


class Attempting(SchedulerEvent, tag="attempting"):
    """ "Attempting to schedule pod": the scheduling cycle of a popped pod starts."""

    pod: str


class AttemptSkipped(SchedulerEvent, tag="attempt-skipped"):
    """ "Skip schedule deleting pod" / "… assumed pod": popped and let go at once.

    `reason` is "deleting" or "assumed".
    """

    pod: str
    reason: str


class PluginFailed(SchedulerEvent, tag="plugin-failed"):
    """ "Plugin failed" (E): a plugin returned an error. `extension_point` from the logger name, if it was printed."""

    pod: str | None
    plugin: str | None
    extension_point: str | None
    err: str
    node: str | None = None


class PluginRejected(SchedulerEvent, tag="plugin-rejected"):
    """ "Pod rejected by plugin" and its kin: a Reserve, Permit or PreBind plugin said Unschedulable."""

    pod: str
    plugin: str | None
    extension_point: str | None
    status: str | None = None
    node: str | None = None


class PluginStatus(SchedulerEvent, tag="plugin-status"):
    """ "Status after running <point> plugins for pod" (V5): the status text of PreFilter or PostFilter."""

    pod: str
    extension_point: str
    status: str


class AttemptFailed(SchedulerEvent, tag="attempt-failed"):
    """ "Unable to schedule pod; …" (`error` False) or "Error scheduling pod; retrying" (`error` True).

    `error` is True as well for "Unable to schedule pod, possibly due to node not found; waiting" (up to 1.29): behind
    it stands an API error, no fit error, so the attempt has no rejectors. `err` is "" where the line has none.
    """

    pod: str
    error: bool
    err: str


class ConditionUpdated(SchedulerEvent, tag="condition-updated"):
    """ "Updating pod condition [and nominated node name]": printed just after a failed attempt was handed back.

    `reason` is the condition's ("Unschedulable", "SchedulerError", "SchedulingGated"); None where the line has no
    condition keys.
    """

    pod: str
    reason: str | None
    nominated_node: str | None = None


class StatusPatchFailed(SchedulerEvent, tag="status-patch-failed"):
    """The status patch after a failure was refused (E)."""

    pod: str
    err: str


class BindAttempted(SchedulerEvent, tag="bind-attempted"):
    """ "Attempting to bind pod to node"."""

    pod: str
    node: str | None


class Bound(SchedulerEvent, tag="bound"):
    """ "Successfully bound pod to node"."""

    pod: str
    node: str | None


class RequeueRefused(SchedulerEvent, tag="requeue-refused"):
    """The queue refused the hand-back: "Pod … is already present in the active/backoff/unschedulable queue" (E).

    `where` is "active", "backoff" or "unschedulable" as the text says, None where it cannot be read.
    """

    pod: str | None
    where: str | None
    err: str


class PodGone(SchedulerEvent, tag="pod-gone"):
    """The failed pod was dropped, not handed back.

    `reason` is "not-in-informer" ("Pod doesn't exist in informer cache"), "assigned" ("… has been assigned to
    node … Abort adding it back"), or "recreated" (1.36).
    """

    pod: str | None
    reason: str


class DuplicateDiscarded(SchedulerEvent, tag="duplicate-discarded"):
    """ "The same pod is tracked in multiple places …" (E, 1.32+)."""

    pod: str | None
