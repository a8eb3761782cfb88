"""Labels of cluster events, matching, and what an event means to a plugin."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from klogreplay import knowledge
from klogreplay.knowledge import EventFact, Registration


def test_labels_stand_for_what_the_real_queues_received(fixtures: Path) -> None:
    delivered = json.loads((fixtures / "knowledge" / "delivered-events.json").read_text())
    assert len(delivered) == 16
    for release, labels in delivered.items():
        for label, (resource, mask) in labels.items():
            fact = knowledge.cluster_event(release, label)
            assert fact is not None, (release, label)
            assert (fact.resource, fact.action_mask) == (resource, mask), (release, label)


@pytest.mark.parametrize(
    ("release", "label", "resource", "actions"),
    [
        ("1.28.0", "NodeSpecUnschedulableChange", "Node", ("UpdateNodeTaint",)),
        ("1.29.1", "PodSchedulingContextUpdate", "PodSchedulingContext", ("Update",)),
        ("1.26.1", "PodSchedulingAdd", "PodScheduling", ("Add",)),
        ("1.32.2", "UnschedulablePodUpdatePodTolerations", "UnschedulablePod", ("UpdatePodTolerations",)),
        ("1.33.0", "UnschedulablePodUpdatePodToleration", "UnschedulablePod", ("UpdatePodToleration",)),
        ("1.36.2", "storage.k8s.io/VolumeAttachmentDelete", "storage.k8s.io/VolumeAttachment", ("Delete",)),
        ("1.36.2", "resource.k8s.io/ResourceSliceAdd", "resource.k8s.io/ResourceSlice", ("Add",)),
        ("1.36.2", "scheduling.k8s.io/PodGroupAdd", "scheduling.k8s.io/PodGroup", ("Add",)),
        ("1.34.1", "ForceActivate", "*", ("All",)),
        ("1.28.0", "UnschedulableTimeout", "*", ("All",)),
        ("1.28.11", "NodeAdd", "Node", ("Add",)),
    ],
)
def test_labels_by_release(release: str, label: str, resource: str, actions: tuple[str, ...]) -> None:
    fact = knowledge.cluster_event(release, label)
    assert fact is not None
    assert (fact.resource, fact.actions, fact.custom) == (resource, actions, False)


def test_custom_resources_show_the_plural_before_1_32_and_the_whole_name_after() -> None:
    old = knowledge.cluster_event("1.31.1", "ElasticquotasUpdate")
    new = knowledge.cluster_event("1.32.2", "elasticquotas.v1alpha1.scheduling.x-k8s.ioUpdate")
    assert old is not None
    assert new is not None
    assert (old.resource, old.custom) == ("elasticquotas", True)
    assert (new.resource, new.custom) == ("elasticquotas.v1alpha1.scheduling.x-k8s.io", True)
    registered = Registration(new.resource, 63, ("All",), has_hint_fn=False)
    assert knowledge.matches("1.31.1", registered, old)
    assert knowledge.matches("1.32.2", registered, new)


@pytest.mark.parametrize(
    ("release", "label"),
    [
        ("1.28.0", "BackoffComplete"),
        ("1.28.0", "PodAdd"),
        ("1.31.1", "ForceActivate"),
        ("1.36.2", "ScheduleAttemptFailure"),
        ("1.36.2", "NodeLabelChange"),
        ("1.28.0", "NodeUpdateNodeLabel"),
        ("1.28.0", ""),
        ("1.36.2", ""),
        ("1.36.2", "x" * 100_000 + "Add"),
    ],
)
def test_what_is_no_cluster_event(release: str, label: str) -> None:
    assert knowledge.cluster_event(release, label) is None


def event(release: str, label: str) -> EventFact:
    fact = knowledge.cluster_event(release, label)
    assert fact is not None
    return fact


WILDCARD_OF_28 = Registration("*", 63, ("All",), has_hint_fn=False)


def test_wildcard_registrations_match_all_but_in_1_28_and_1_29() -> None:
    assert knowledge.matches("1.27.1", WILDCARD_OF_28, event("1.27.1", "NodeAdd"))
    assert not knowledge.matches("1.28.0", WILDCARD_OF_28, event("1.28.0", "NodeAdd"))
    assert knowledge.matches("1.28.0", WILDCARD_OF_28, event("1.28.0", "UnschedulableTimeout"))
    assert not knowledge.matches("1.29.1", WILDCARD_OF_28, event("1.29.1", "NodeAdd"))
    assert knowledge.matches("1.30.1", Registration("*", 127, ("All",), False), event("1.30.1", "NodeAdd"))


def test_any_resource_matches_from_1_30() -> None:
    adds = Registration("*", 1, ("Add",), has_hint_fn=False)
    assert not knowledge.matches("1.27.1", adds, event("1.27.1", "NodeAdd"))
    assert knowledge.matches("1.30.1", adds, event("1.30.1", "NodeAdd"))
    assert not knowledge.matches("1.30.1", adds, event("1.30.1", "NodeLabelChange"))


def test_pod_matches_both_kinds_of_pods_from_1_32() -> None:
    deletes = Registration("Pod", 2, ("Delete",), has_hint_fn=False)
    assert knowledge.matches("1.31.1", deletes, event("1.31.1", "AssignedPodDelete"))
    assert knowledge.matches("1.32.2", deletes, event("1.32.2", "AssignedPodDelete"))
    labels = Registration("Pod", 128, ("UpdatePodLabel",), has_hint_fn=False)
    assert knowledge.matches("1.32.2", labels, event("1.32.2", "UnschedulablePodUpdatePodLabel"))
    assert not knowledge.matches("1.32.2", labels, event("1.32.2", "NodeAdd"))


def test_an_unspecific_update_matches_no_narrow_registration() -> None:
    for release in ("1.32.2", "1.33.0", "1.34.1"):
        mask = event(release, "AssignedPodUpdatePodLabel").action_mask
        narrow = Registration("Pod", mask, ("UpdatePodLabel",), has_hint_fn=False)
        assert not knowledge.matches(release, narrow, event(release, "AssignedPodUpdate")), release


def test_effects_agree_with_the_real_hint_functions(fixtures: Path) -> None:
    rows = json.loads((fixtures / "knowledge" / "concurrent-event-hints.json").read_text())
    assert {row["hint"] for row in rows} == {"skip", "afterBackoff"}
    for row in rows:
        gates = {"SchedulerQueueingHints": row["hints"]}
        effects = {knowledge.event_effect(row["release"], gates, plugin, row["event"]) for plugin in row["plugins"]}
        assert ("queue" in effects) == (row["hint"] != "skip"), row


@pytest.mark.parametrize(
    ("release", "gates", "plugin", "label", "effect"),
    [
        ("1.28.0", {}, "DynamicResources", "ResourceClaimUpdate", "unknown"),
        ("1.28.0", {"SchedulerQueueingHints": False}, "DynamicResources", "ResourceClaimUpdate", "queue"),
        ("1.36.2", {}, "NodeResourcesFit", "NodeAdd", "unknown"),
        ("1.36.2", {}, "NodeResourcesFit", "NodeUpdateNodeTaint", "queue"),
        ("1.36.2", {}, "NodeResourcesFit", "NodeUpdateNodeLabel", "skip"),
        ("1.36.2", {}, "NodeResourcesFit", "UnschedulableTimeout", "queue"),
        ("1.36.2", {}, "NodeResourcesFit", "ForceActivate", "unknown"),
        ("1.36.2", {}, "NodeDeclaredFeatures", "AssignedPodUpdate", "unknown"),
        ("1.28.0", {}, "NoSuchPlugin", "NodeAdd", "unknown"),
        ("1.28.0", {}, "NodeName", "no such label", "unknown"),
        ("1.28.0", {}, "DefaultPreemption", "AssignedPodDelete", "skip"),
    ],
)
def test_effects(release: str, gates: dict[str, bool], plugin: str, label: str, effect: str) -> None:
    assert knowledge.event_effect(release, gates, plugin, label) == effect


LABEL = re.compile(rb' event="([^"]*)"| event=\{Resource:\S+ ActionType:\d+ Label:(\w+)\}')


@pytest.mark.recorded
def test_every_recorded_label_is_known(recorded: Path) -> None:
    logs = sorted((recorded / "sched-logs").glob("1.*/**/scheduler.log*"))
    assert len(logs) > 300
    seen: set[tuple[str, str]] = set()
    for path in logs:
        release = path.relative_to(recorded / "sched-logs").parts[0]
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        seen.update((release, (a or b).decode()) for a, b in set(LABEL.findall(data)))
    unknown = {
        (release, label)
        for release, label in seen
        if label not in knowledge.queue_moves(release)
        and ((fact := knowledge.cluster_event(release, label)) is None or fact.custom)
    }
    assert len(seen) > 150
    assert not unknown
