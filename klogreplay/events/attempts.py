"""The life of an attempt (schedule_one.go, before 1.24 scheduler.go and factory.go): Pop, failure, bind, hand-back."""

from __future__ import annotations

import re

from klogreplay.events import types as ev
from klogreplay.events.reading import POD, Line, PrintfForm, Reader, of_pod, printed_pod, printf
from klogreplay.events.values import OddValueError, optional_ref, optional_text, ref, text

_REFUSED = re.compile(
    r"\b[Pp]od:? (?P<pod>\S+) is already present in (?:the )?(?P<where>active|backoff|unschedulable) queue"
)
_TRACKED_TWICE = re.compile(r"tracked in multiple places in the scheduler: (?P<pod>\S+)")


def _failed(*, error: bool) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        return ev.AttemptFailed(
            **line.base, pod=ref(values.get("pod")), error=error, err=optional_text(values.get("err")) or ""
        )

    return read


def _printed_failure(*, error: bool) -> Reader:
    return lambda line: ev.AttemptFailed(**line.base, pod=line.group("pod"), error=error, err=line.group("err"))


def _skipped(line: Line) -> ev.SchedulerEvent:
    pod = line.group("pod") if line.match else ref(line.values.get("pod"))
    return ev.AttemptSkipped(**line.base, pod=pod, reason="deleting")


def _condition(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.ConditionUpdated(
        **line.base,
        pod=ref(values.get("pod")),
        reason=optional_text(values.get("conditionReason")),
        nominated_node=optional_text(values.get("nominatedNodeName")) or None,
    )


def _patch_failed(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.StatusPatchFailed(**line.base, pod=ref(values.get("pod")), err=optional_text(values.get("err")) or "")


def _printed_patch_failure(line: Line) -> ev.SchedulerEvent:
    return ev.StatusPatchFailed(**line.base, pod=line.group("pod"), err=line.group("err"))


def _bind_attempted(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.BindAttempted(**line.base, pod=ref(values.get("pod")), node=optional_ref(values.get("node")))


def _bound(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.Bound(**line.base, pod=ref(values.get("pod")), node=optional_ref(values.get("node")))


def _error_occurred(line: Line) -> ev.SchedulerEvent | None:
    """The refusal of a hand-back is told only by its error text, under a message used for other errors as well."""
    err = optional_text(line.values.get("err")) or ""
    found = _REFUSED.search(err)
    if found is None:
        return None
    return ev.RequeueRefused(**line.base, pod=found["pod"], where=found["where"], err=err)


def _printed_refusal(line: Line) -> ev.SchedulerEvent:
    return ev.RequeueRefused(**line.base, pod=line.group("pod"), where=line.group("where"), err=line.record.msg)


def _gone(reason: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        pod = line.group("pod") if line.match else ref(line.values.get("pod"))
        return ev.PodGone(**line.base, pod=pod, reason=reason)

    return read


def _duplicate(line: Line) -> ev.SchedulerEvent:
    pod = optional_ref(line.values.get("pod"))
    if pod is None:
        found = _TRACKED_TWICE.search(text(line.values.get("err")))
        if found is None:
            raise OddValueError("no pod named")
        pod = found["pod"]
    return ev.DuplicateDiscarded(**line.base, pod=pod)


_FIT, _ERROR = _failed(error=False), _failed(error=True)

STRUCTURED: dict[str, Reader] = {
    "About to try and schedule pod": of_pod(ev.Popped),
    "Attempting to schedule pod": of_pod(ev.Attempting),
    "Attempting to schedule a pod belonging to a pod group": of_pod(ev.Attempting),
    "Skip schedule deleting pod": _skipped,
    "Unable to schedule pod; no fit; waiting": _FIT,
    "Unable to schedule pod belonging to a pod group; waiting": _FIT,
    "Unable to schedule pod; no nodes are registered to the cluster; waiting": _FIT,
    # Not a fit error: an API call that answered NotFound (1.21-1.29; an error line like any other before and after).
    "Unable to schedule pod, possibly due to node not found; waiting": _ERROR,
    "Error scheduling pod; retrying": _ERROR,
    "Updating pod condition": _condition,
    "Updating pod condition and nominated node name": _condition,
    "Error updating pod": _patch_failed,
    "Failed to patch pod status": _patch_failed,
    "Attempting to bind pod to node": _bind_attempted,
    "Successfully bound pod to node": _bound,
    "Error occurred": _error_occurred,
    "Pod doesn't exist in informer cache": _gone("not-in-informer"),
    "Pod has been assigned to node. Abort adding it back to queue.": _gone("assigned"),
    "Pod was recreated while handling scheduling failure. Skip requeueing and status updates.": _gone("recreated"),
    "the same pod is tracked in multiple places in the scheduler, and just discard it": _duplicate,
    "The same pod is tracked in multiple places in the scheduler, and just discard it": _duplicate,
    "Discarding the popped pod": _duplicate,
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("About to try and schedule pod ", POD, printed_pod(ev.Popped)),
    printf("Attempting to schedule pod: ", POD, printed_pod(ev.Attempting)),
    printf("Skip schedule deleting pod: ", POD, _skipped),
    printf("Unable to schedule ", POD + r": no fit: (?P<err>.*); waiting", _printed_failure(error=False)),
    printf(
        "Unable to schedule ",
        POD + r": no nodes are registered to the cluster; waiting(?P<err>)",
        _printed_failure(error=False),
    ),
    printf(
        "Unable to schedule ",
        POD + r": possibly due to node not found: (?P<err>.*); waiting",
        _printed_failure(error=True),
    ),
    printf("Error scheduling ", POD + r": (?P<err>.*); retrying", _printed_failure(error=True)),
    printf(
        "Updating pod condition for ",
        POD + r" to \([^()=]*==[^()=]*, Reason=(?P<reason>[^()]*)\)",
        lambda line: ev.ConditionUpdated(**line.base, pod=line.group("pod"), reason=line.group("reason") or None),
    ),
    printf("Error updating pod ", POD + r": (?P<err>.*)", _printed_patch_failure),
    printf("Error updating the condition of the pod ", POD + r": (?P<err>.*)", _printed_patch_failure),
    printf(
        "Attempting to bind ",
        POD + r" to (?P<node>\S+)",
        lambda line: ev.BindAttempted(**line.base, pod=line.group("pod"), node=line.group("node")),
    ),
    printf(
        "pod ",
        POD + r" is bound successfully on node \"(?P<node>[^\"]*)\", .*",
        lambda line: ev.Bound(**line.base, pod=line.group("pod"), node=line.group("node") or None),
    ),
    printf(
        "pod",
        r":? (?P<pod>\S+) is already present in (?:the )?(?P<where>active|backoff|unschedulable) queue",
        _printed_refusal,
    ),
    printf("Pod ", POD + r" doesn't exist in informer cache: .*", _gone("not-in-informer")),
    printf("A pod ", POD + r" no longer exists", _gone("not-in-informer")),
)
