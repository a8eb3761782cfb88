"""The in-flight bookkeeping of scheduling hints, and what the queue makes of an event (1.28 and later)."""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, Reader, of_pod
from klogreplay.events.values import label, optional_number, optional_ref, optional_text, plugin_set, ref


def _not_helping(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.EventNotHelping(**line.base, pod=ref(values.get("pod")), event=label(values.get("event")))


def _received(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.EventReceived(**line.base, event=label(values.get("event")), pods=optional_number(values.get("numPods")))


def _events_checked(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.InFlightEventsChecked(
        **line.base,
        pod=ref(values.get("pod")),
        plugins=plugin_set(values.get("unschedulablePlugins")),
        events_size=optional_number(values.get("inFlightEventsSize")),
        pods_size=optional_number(values.get("inFlightPodsSize")),
    )


def _event_checked(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.InFlightEventChecked(**line.base, pod=ref(values.get("pod")), event=label(values.get("event")))


def _worth(*, worth: bool, reason: str) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent:
        values = line.values
        event = values.get("event")
        return ev.WorthRequeuing(
            **line.base,
            pod=ref(values.get("pod")),
            worth=worth,
            reason=reason,
            event=None if event is None else label(event),
        )

    return read


def _no_interest(line: Line) -> ev.SchedulerEvent:
    return ev.EventOfNoInterest(**line.base, event=label(line.values.get("event")))


def _hint_failed(line: Line) -> ev.SchedulerEvent:
    values = line.values
    event = values.get("event")
    return ev.HintFailed(
        **line.base,
        pod=optional_ref(values.get("pod")),
        plugin=optional_text(values.get("plugin")),
        event=None if event is None else label(event),
        err=optional_text(values.get("err")) or "",
    )


STRUCTURED: dict[str, Reader] = {
    "Event is not making pod schedulable": _not_helping,
    "Event received while pods are in flight": _received,
    "Checking events for in-flight pod": _events_checked,
    "Checking event for in-flight pod": _event_checked,
    "Worth requeuing because no failed plugins": _worth(worth=True, reason="no failed plugins"),
    "Worth requeuing because no unschedulable plugins": _worth(worth=True, reason="no unschedulable plugins"),
    "Worth requeuing because the event is wildcard": _worth(worth=True, reason="the event is wildcard"),
    "Not worth requeuing because the event is wildcard, but for another pod": _worth(
        worth=False, reason="the event is wildcard, but for another pod"
    ),
    "receive an event that isn't interested by any enabled plugins": _no_interest,
    "The pod doesn't be queued for now because it's being scheduled and will be queued back if necessary": of_pod(
        ev.UpdateNotQueued
    ),
    "The pod doesn't need to be queued for now because it's being scheduled and will be queued back if necessary": (
        of_pod(ev.UpdateNotQueued)
    ),
    "QueueingHintFn returns error": _hint_failed,
}
