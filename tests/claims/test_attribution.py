from __future__ import annotations

import json
from pathlib import Path

import pytest

from klogreplay.claims.attribution import Attribution, ClaimEvent, kind_of_label
from klogreplay.claims.evidence import ClaimEvidence, collect
from klogreplay.claims.reading import read_objects

from .builders import events_of, log_line, read_log


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("ResourceClaimUpdate", "ResourceClaim"),
        ("resource.k8s.io/ResourceClaimAdd", "ResourceClaim"),
        ("resource.k8s.io/ResourceClaimDelete", "ResourceClaim"),
        ("PodSchedulingContextUpdate", "PodSchedulingContext"),
        ("PodSchedulingAdd", "PodSchedulingContext"),
        ("ResourceClaimParametersAdd", None),
        ("NodeAdd", None),
        ("UnscheduledPodUpdatePodGeneratedResourceClaim", None),
        ("", None),
    ],
)
def test_labels(label: str, kind: str | None) -> None:
    assert kind_of_label(label) == kind


def found(*lines: str) -> ClaimEvidence:
    return collect(events_of(lines))


def hint(message: str, pod: str, claim: str | None, clock: str) -> str:
    named = f' claim="{claim}"' if claim is not None else ""
    return log_line("dynamicresources.go:1", f'"{message}" pod="{pod}"{named}', clock)


def not_helping(pod: str, label: str, clock: str) -> str:
    return log_line(
        "scheduling_queue.go:1", f'"Event is not making pod schedulable" pod="{pod}" event="{label}"', clock
    )


def moved(pod: str, label: str, clock: str, more: str = ' hint="QueueImmediately"') -> str:
    return log_line(
        "scheduling_queue.go:1",
        f'"Pod moved to an internal scheduling queue" pod="{pod}" event="{label}" queue="Active"{more}',
        clock,
    )


def received(label: str, clock: str) -> str:
    return log_line(
        "scheduling_queue.go:1", f'"Event received while pods are in flight" event="{label}" numPods=1', clock
    )


OWN = "status of claim for pod got updated"
OTHER = "unrelated claim got modified"


def test_one_event_is_counted_for_its_pod_and_not_for_the_neighbour() -> None:
    evidence = found(
        hint(OTHER, "ns/a", "ns/b-gpu-x7f2p", "10:00:00.000001"),
        not_helping("ns/a", "ResourceClaimUpdate", "10:00:00.000002"),
        hint(OWN, "ns/b", "ns/b-gpu-x7f2p", "10:00:00.000003"),
        moved("ns/b", "ResourceClaimUpdate", "10:00:00.000004"),
        received("ResourceClaimUpdate", "10:00:00.000005"),
    )
    attribution = evidence.attribution
    (event,) = attribution.events
    assert (event.object, event.asked, event.asked_count) == ("ns/b-gpu-x7f2p", ("ns/b",), 2)
    assert (event.seen.line, event.last_line) == (2, 5)
    assert attribution.event_at(5) is event
    assert attribution.event_at(1) is None
    assert attribution.event_at(6) is None
    assert attribution.event_at(5, source=1) is None
    assert attribution.concerns(event, "ns/b") is True
    assert attribution.concerns(event, "ns/a") is False
    assert attribution.concerns(event, "other/b") is False


def test_second_event_for_the_same_pods_is_a_second_event() -> None:
    evidence = found(
        hint(OWN, "ns/b", "ns/b-gpu-x7f2p", "10:00:00.000001"),
        not_helping("ns/b", "ResourceClaimUpdate", "10:00:00.000002"),
        hint(OWN, "ns/b", "ns/b-gpu-x7f2p", "10:00:00.000003"),
        not_helping("ns/b", "ResourceClaimUpdate", "10:00:00.000004"),
    )
    assert [event.asked for event in evidence.attribution.events] == [("ns/b",), ("ns/b",)]


def test_two_lines_of_one_move_are_one_event() -> None:
    evidence = found(
        hint(OWN, "ns/b", "ns/b-gpu-x7f2p", "10:00:00.000001"),
        moved("ns/b", "ResourceClaimUpdate", "10:00:00.000002", ""),
        moved("ns/b", "ResourceClaimUpdate", "10:00:00.000003", " hint=1"),
    )
    assert [(event.object, event.asked) for event in evidence.attribution.events] == [("ns/b-gpu-x7f2p", ("ns/b",))]


@pytest.mark.parametrize("clock", ["10:00:00.100000", "10:00:01.000000"])
def test_event_received_later_is_not_that_one(clock: str) -> None:
    evidence = found(
        hint(OTHER, "ns/a", "ns/b-gpu-x7f2p", "10:00:00.000001"),
        not_helping("ns/a", "ResourceClaimUpdate", "10:00:00.000002"),
        received("ResourceClaimUpdate", clock),
    )
    first, second = evidence.attribution.events
    assert (first.object, second.object) == ("ns/b-gpu-x7f2p", None)
    assert evidence.attribution.concerns(second, "ns/b") is None


def test_event_of_another_kind_in_between() -> None:
    evidence = found(
        hint(OTHER, "ns/a", "ns/b-gpu-x7f2p", "10:00:00.000001"),
        not_helping("ns/a", "ResourceClaimUpdate", "10:00:00.000002"),
        received("NodeAdd", "10:00:00.000003"),
        received("ResourceClaimUpdate", "10:00:00.000004"),
    )
    assert [event.object for event in evidence.attribution.events] == ["ns/b-gpu-x7f2p", None]


def test_context_events_concern_the_pod_of_that_name() -> None:
    waiting = "PodSchedulingContext with missing resource claim information, keep waiting"
    evidence = found(
        hint(waiting, "ns/b", None, "10:00:00.000001"),
        not_helping("ns/b", "PodSchedulingContextUpdate", "10:00:00.000002"),
        received("PodSchedulingContextUpdate", "10:00:00.000003"),
    )
    attribution = evidence.attribution
    (event,) = attribution.events
    assert (event.kind, event.object) == ("PodSchedulingContext", "ns/b")
    assert attribution.concerns(event, "ns/b") is True
    assert attribution.concerns(event, "ns/a") is False


def test_event_put_to_a_pod_that_came_back() -> None:
    check = log_line(
        "scheduling_queue.go:690",
        '"Checking event for in-flight pod" pod="ns/b" event="ResourceClaimUpdate"',
        "10:00:00.000001",
    )
    evidence = found(check, hint(OTHER, "ns/b", "ns/a-gpu-x7f2p", "10:00:00.000002"))
    (event,) = evidence.attribution.events
    assert (event.checked_for, event.object) == ("ns/b", "ns/a-gpu-x7f2p")
    assert evidence.attribution.concerns(event, "ns/b") is None, "nothing ties that claim to a pod yet"
    assert evidence.attribution.concerns(event, "ns/a") is True, "but it has the name of one made for ns/a"


def test_objects_have_the_last_word(tmp_path: Path) -> None:
    objects = tmp_path / "pods.json"
    pod = {
        "kind": "Pod",
        "metadata": {"name": "b", "namespace": "ns"},
        "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimName": "shared"}]},
    }
    objects.write_text(json.dumps(pod))
    lines = [
        hint(OTHER, "ns/x", "ns/shared", "10:00:00.000001"),
        not_helping("ns/x", "ResourceClaimUpdate", "10:00:00.000002"),
        hint(OTHER, "ns/x", "ns/b-gpu-x7f2p", "10:00:00.000003"),
        not_helping("ns/x", "ResourceClaimUpdate", "10:00:00.000004"),
    ]
    attribution = collect(events_of(lines), read_objects([str(objects)])).attribution
    shared, generated = attribution.events
    assert (attribution.concerns(shared, "ns/b"), attribution.concerns(generated, "ns/b")) == (True, False)


# --- against the truth of the recordings ------------------------------------------------------------------------------


def micros(clock: str) -> int:
    hours, minutes, seconds = clock.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000_000 + round(float(seconds) * 1_000_000)


def check_creations(log: Path) -> tuple[int, int]:
    """Every ResourceClaimAdd with an object came just after that claim's creation, and none is counted twice."""
    truth = json.loads((log.parent / "truth.json").read_text())
    created = {
        action["claim"]: (micros(action["t"]), action.get("for"))
        for action in truth["harnessActions"]
        if action["do"] == "create-claim"
    }
    attribution: Attribution = collect(read_log(log), version=truth["version"]).attribution
    midnight = 86_400_000_000
    checked = 0
    by_object: dict[str, list[ClaimEvent]] = {}
    for event in attribution.events:
        if event.label != "ResourceClaimAdd" or event.object is None or event.checked_for is not None:
            continue
        by_object.setdefault(event.object, []).append(event)
        if event.object in created:
            t, owner = created[event.object]
            assert 0 <= event.t % midnight - t < 300_000, (log, event)
            pods = [pod["pod"] for pod in truth["pods"] if attribution.concerns(event, pod["pod"])]
            if owner is not None and owner.rpartition("/")[2] in event.object:
                assert pods == [owner], (log, event, pods)
            checked += 1
    assert all(len(events) == 1 for events in by_object.values()), log
    seen = truth["eventsSeenByQueue"]
    for label in ("ResourceClaimAdd", "ResourceClaimUpdate", "PodSchedulingContextAdd", "PodSchedulingContextUpdate"):
        told = [event for event in attribution.events if event.label == label and event.checked_for is None]
        assert len(told) <= seen.get(label, 0), (log, label)
    return checked, len(created)


@pytest.mark.recorded
def test_objects_of_events_are_those_of_the_truth(recorded: Path) -> None:
    checked = [check_creations(log) for log in sorted(recorded.glob("sched-logs/*/S16*/*/scheduler.log"))]
    # The rest came when no parked pod was asked, so no line names them.
    assert sum(told for told, _ in checked) / sum(of for _, of in checked) > 0.75
