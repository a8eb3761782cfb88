"""Preemption (preemption.go and default_preemption.go, from 1.36 executor.go)."""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import POD, Line, PrintfForm, Reader, printf
from klogreplay.events.values import optional_ref, optional_text


def _preempted(victim_key: str, how: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        return ev.VictimPreempted(
            **line.base,
            preemptor=optional_ref(values.get("preemptor")),
            victim=optional_ref(values.get(victim_key)),
            node=optional_ref(values.get("node")),
            how=how,
        )

    return read


def _named(message: str, key: str) -> tuple[str, Reader]:
    """A message with its reader; the key names the preempting pod (a failed asynchronous preemption names none)."""

    def read(line: Line) -> ev.SchedulerEvent:
        return ev.PreemptionLine(**line.base, pod=optional_ref(line.values.get(key)), message=message)

    return message, read


def _printed(message: str) -> Reader:
    return lambda line: ev.PreemptionLine(**line.base, pod=line.group("pod"), message=message)


def _victim_kept(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.VictimKept(
        **line.base,
        preemptor=optional_ref(values.get("preemptor")),
        victim=optional_ref(values.get("pod")),
        err=optional_text(values.get("err")) or "",
    )


def _preemptor_missing(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.PreemptorMissing(
        **line.base, pod=optional_ref(values.get("pod")), err=optional_text(values.get("err")) or ""
    )


_NO_HELP = "Preemption will not help schedule pod on any node"

STRUCTURED: dict[str, Reader] = {
    "Preemptor Pod preempted victim Pod": _preempted("victim", "deleted"),
    "Preemptor pod rejected a waiting pod": _preempted("waitingPod", "rejected"),
    "Preemptor preempted a waiting pod": _preempted("waitingPod", "rejected"),
    "Preemptor rejected a pod in preBind": _preempted("podInPreBind", "pre-bind"),
    "Could not add DisruptionTarget condition due to preemption": _victim_kept,
    "getting the updated preemptor pod object": _preemptor_missing,
    "Getting the updated preemptor pod object": _preemptor_missing,
    "Could not get the updated preemptor pod object": _preemptor_missing,
    **dict(
        (
            _named("Start the preemption asynchronously", "preemptor"),
            _named("Async Preemption finished completely", "preemptor"),
            _named("Error occurred during async preemption", "preemptor"),
            _named("Error occurred during async preemption of the last victim", "preemptor"),
            _named("Victim Pod is already deleted", "preemptor"),
            _named("Victim Pod is already deleted, skipping the API call for it", "preemptor"),
            _named("Victim Pod is already being deleted, skipping the API call for it", "preemptor"),
            _named("the target node for the preemption is determined", "pod"),
            _named("No preemption candidate is found; preemption is not helpful for scheduling", "pod"),
            _named("Pod is not eligible for preemption", "pod"),
            _named("Pod is not eligible for preemption because it has a preemptionPolicy of Never", "pod"),
            _named("Pod is not eligible for more preemption", "pod"),
            _named(_NO_HELP, "pod"),
        )
    ),
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("Preemption will not help schedule pod ", POD + r" on any node\.", _printed(_NO_HELP)),
    printf(
        "Error getting the updated preemptor pod object: ",
        r"(?P<err>.*)",
        lambda line: ev.PreemptorMissing(**line.base, pod=None, err=line.group("err")),
    ),
    printf(
        "Pod ",
        POD + r" is not eligible for more preemption\.",
        _printed("Pod is not eligible for more preemption"),
    ),
    printf(
        "Pod ",
        POD + r" is not eligible for preemption because it has a preemptionPolicy of \S+",
        _printed("Pod is not eligible for preemption"),
    ),
)
