"""Registrations of in-tree plugins, default plugins, and reasons of fit errors."""

from __future__ import annotations

import time

import pytest

from klogreplay import knowledge
from klogreplay.knowledge.pieces import fits


def registered(release: str, plugin: str, **gates: bool) -> list[tuple[str, tuple[str, ...], bool]]:
    found = knowledge.registrations(release, plugin, gates)
    assert found is not None
    return [(r.resource, r.actions, r.has_hint_fn) for r in found]


def test_registrations_follow_the_hints_gate() -> None:
    assert registered("1.32.2", "TaintToleration") == [
        ("Node", ("Add", "UpdateNodeTaint"), True),
        ("Pod", ("UpdatePodTolerations",), True),
    ]
    assert registered("1.32.2", "TaintToleration", SchedulerQueueingHints=False) == [
        ("Node", ("Add", "UpdateNodeLabel", "UpdateNodeTaint"), False)
    ]


def test_registrations_follow_other_gates() -> None:
    assert registered("1.28.0", "NodeResourcesFit") == [
        ("Pod", ("Delete",), False),
        ("Node", ("Add", "Update"), False),
    ]
    assert registered("1.28.0", "NodeResourcesFit", InPlacePodVerticalScaling=True)[0] == (
        "Pod",
        ("Delete", "Update"),
        False,
    )


def test_node_taint_is_registered_automatically_from_1_31() -> None:
    added = [r for r in knowledge.registrations("1.36.2", "NodeName") or () if r.automatic]
    assert [(r.resource, r.actions, r.has_hint_fn) for r in added] == [("Node", ("UpdateNodeTaint",), False)]
    assert not any(r.automatic for r in knowledge.registrations("1.30.1", "NodeName") or ())
    # It registers the taint itself.
    assert not any(r.automatic for r in knowledge.registrations("1.36.2", "TaintToleration") or ())


def test_hint_functions_by_name() -> None:
    found = knowledge.registrations("1.28.0", "DynamicResources") or ()
    assert [r.hint_fn for r in found] == [
        "isSchedulableAfterClaimChange",
        "isSchedulableAfterPodSchedulingContextChange",
        None,
    ]


def test_no_hint_function_before_1_28() -> None:
    for release in ("1.22.6", "1.27.1"):
        for plugin in knowledge.default_plugins(release):
            assert not any(r.has_hint_fn for r in knowledge.registrations(release, plugin) or ()), plugin


def test_unknown_plugin_and_plugin_without_events() -> None:
    assert knowledge.registrations("1.28.0", "Coscheduling") is None
    assert knowledge.registrations("1.30.1", "SchedulingGates") == ()
    assert knowledge.registrations("1.28.0", "ImageLocality") == ()


def test_registrations_of_a_release_between_say_that_they_are_assumed() -> None:
    near = knowledge.registrations("1.28.6", "NodeName", {"SchedulerQueueingHints": True}) or ()
    own = knowledge.registrations("1.28.3", "NodeName") or ()
    assert [(r.resource, r.action_mask) for r in near] == [(r.resource, r.action_mask) for r in own]
    assert all(r.assumed for r in near)
    assert not any(r.assumed for r in own)


def test_default_plugins_follow_their_gates() -> None:
    assert "DynamicResources" not in knowledge.default_plugins("1.28.0")
    assert "DynamicResources" in knowledge.default_plugins("1.28.0", {"DynamicResourceAllocation": True})
    assert "SchedulingGates" not in knowledge.default_plugins("1.26.1")
    assert "SchedulingGates" in knowledge.default_plugins("1.27.1")
    assert "NodeDeclaredFeatures" in knowledge.default_plugins("1.36.2")
    assert "SelectorSpread" in knowledge.default_plugins("1.22.6")


@pytest.mark.parametrize(
    ("release", "reason", "plugins"),
    [
        ("1.28.0", "Insufficient cpu", ("NodeResourcesFit",)),
        ("1.28.0", "Insufficient nvidia.com/gpu", ("NodeResourcesFit",)),
        ("1.22.6", "node(s) had taint {a: b}, that the pod didn't tolerate", ("TaintToleration",)),
        ("1.28.6", "node(s) had untolerated taint {node.kubernetes.io/not-ready: }", ("TaintToleration",)),
        ("1.36.2", "node(s) had untolerated taint(s)", ("TaintToleration",)),
        (
            "1.27.1",
            "node(s) exceed max volume count",
            ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits", "NodeVolumeLimits"),
        ),
        ("1.36.2", "node(s) exceed max volume count", ("NodeVolumeLimits",)),
        ("1.27.1", 'persistentvolumeclaim "data-0" not found', ("VolumeBinding",)),
        ("1.28.0", 'persistentvolumeclaim "data-0" not found', ("VolumeRestrictions",)),
        ("1.27.16", 'persistentvolumeclaim "data-0" not found', ("VolumeRestrictions", "VolumeBinding")),
        ("1.28.0", "waiting for resource driver to allocate resource", ("DynamicResources",)),
        ("1.22.6", "node(s) had volume node affinity conflict", ("VolumeBinding",)),
        (
            "1.28.0",
            "node(s) didn't satisfy plugin(s) [NodeAffinity VolumeBinding] simultaneously",
            ("NodeAffinity", "VolumeBinding"),
        ),
        ("1.33.0", "node(s) didn't satisfy plugin(s) [NodeAffinity]", ("NodeAffinity",)),
        ("1.28.0", "node(s) didn't satisfy plugin NodeAffinity", ("NodeAffinity",)),
        ("1.36.2", "csi.example.com CSI driver is not installed on the node", ("NodeVolumeLimits",)),
        ("1.28.0", "quota of namespace team-a exceeded", ()),
        ("1.28.0", "No preemption victims found for incoming pod", ()),
        ("1.28.0", "resources not found", ()),
        ("1.28.0", "", ()),
    ],
)
def test_reasons(release: str, reason: str, plugins: tuple[str, ...]) -> None:
    assert knowledge.plugins_of_reason(release, reason) == plugins


def test_pieces_do_not_overlap() -> None:
    assert fits(("ab", "ba"), "abba")
    assert not fits(("ab", "ba"), "aba")
    assert fits(("a ", " b ", " c"), "a 1 b 2 c")
    assert not fits(("a ", " b ", " c"), "a 1 c")


def test_hostile_reasons_cost_little() -> None:
    started = time.process_time()
    for text in ("resource claim " * 100_000, "request : device class " * 180, "Insufficient " + "x" * 4000):
        knowledge.plugins_of_reason("1.36.2", text)
    assert time.process_time() - started < 0.5
    assert knowledge.plugins_of_reason("1.36.2", "Insufficient " + "x" * 5000) == ()
