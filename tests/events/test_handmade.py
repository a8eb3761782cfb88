"""Lines that no recording holds: the sentences of 1.18-1.20, rare errors, and lines that are damaged."""

from __future__ import annotations

from typing import Any

import pytest

from klogreplay.events import types as ev
from klogreplay.events.extract import RELEVANT_MESSAGES, RELEVANT_STARTS, classify, extract, is_relevant
from klogreplay.klog.record import KlogRecord
from tests.events.reading import event_of, made, micros, printed

POD = "team-a/web-0"
BASE: dict[str, Any] = {"line": 7, "t": 26_691_000_001, "pid": 4242, "site": "x.go:1", "source": 0}


def own(event: ev.SchedulerEvent | None) -> tuple[type, dict[str, Any]]:
    """An event's kind and its own fields, checked for the common ones."""
    assert event is not None
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    assert fields.pop("text") is not None
    for name, value in BASE.items():
        assert fields.pop(name) == value
    return type(event), fields


SENTENCES = [
    (f"add event for unscheduled pod {POD}", ev.PodAdded, {"pod": POD}),
    (f"delete event for unscheduled pod {POD}", ev.PodDeleted, {"pod": POD}),
    (f"add event for scheduled pod {POD} ", ev.AssignedPodAdded, {"pod": POD}),
    (f"delete event for scheduled pod {POD} ", ev.AssignedPodDeleted, {"pod": POD}),
    ('add event for node "n-1"', ev.NodeAdded, {"node": "n-1"}),
    ('delete event for node "n-1"', ev.NodeDeleted, {"node": "n-1"}),
    (f"About to try and schedule pod {POD}", ev.Popped, {"pod": POD}),
    (f"Attempting to schedule pod: {POD}", ev.Attempting, {"pod": POD}),
    (f"Skip schedule deleting pod: {POD}", ev.AttemptSkipped, {"pod": POD, "reason": "deleting"}),
    (
        f"Unable to schedule {POD}: no fit: 0/2 nodes are available: 2 Insufficient cpu.; waiting",
        ev.AttemptFailed,
        {"pod": POD, "error": False, "err": "0/2 nodes are available: 2 Insufficient cpu."},
    ),
    (
        f"Unable to schedule {POD}: no nodes are registered to the cluster; waiting",
        ev.AttemptFailed,
        {"pod": POD, "error": False, "err": ""},
    ),
    (
        f'Unable to schedule {POD}: possibly due to node not found: nodes "n-1" not found; waiting',
        ev.AttemptFailed,
        {"pod": POD, "error": True, "err": 'nodes "n-1" not found'},
    ),
    (
        f"Error scheduling {POD}: context deadline exceeded; retrying",
        ev.AttemptFailed,
        {"pod": POD, "error": True, "err": "context deadline exceeded"},
    ),
    (
        f"Updating pod condition for {POD} to (PodScheduled==False, Reason=Unschedulable)",
        ev.ConditionUpdated,
        {"pod": POD, "reason": "Unschedulable", "nominated_node": None},
    ),
    (f"Error updating pod {POD}: conflict", ev.StatusPatchFailed, {"pod": POD, "err": "conflict"}),
    (
        f"Error updating the condition of the pod {POD}: conflict",
        ev.StatusPatchFailed,
        {"pod": POD, "err": "conflict"},
    ),
    (f"Attempting to bind {POD} to n-1", ev.BindAttempted, {"pod": POD, "node": "n-1"}),
    (
        f'pod {POD} is bound successfully on node "n-1", 3 nodes evaluated, 2 nodes were found feasible.',
        ev.Bound,
        {"pod": POD, "node": "n-1"},
    ),
    (
        f"pod: {POD} is already present in the active queue",
        ev.RequeueRefused,
        {"pod": POD, "where": "active", "err": f"pod: {POD} is already present in the active queue"},
    ),
    (
        f"pod {POD} is already present in the backoff queue",
        ev.RequeueRefused,
        {"pod": POD, "where": "backoff", "err": f"pod {POD} is already present in the backoff queue"},
    ),
    (
        f"pod: {POD} is already present in unschedulable queue",
        ev.RequeueRefused,
        {"pod": POD, "where": "unschedulable", "err": f"pod: {POD} is already present in unschedulable queue"},
    ),
    (
        f'Pod {POD} doesn\'t exist in informer cache: pod "web-0" not found',
        ev.PodGone,
        {"pod": POD, "reason": "not-in-informer"},
    ),
    (f"A pod {POD} no longer exists", ev.PodGone, {"pod": POD, "reason": "not-in-informer"}),
    (
        f"Preemption will not help schedule pod {POD} on any node.",
        ev.PreemptionLine,
        {"pod": POD, "message": "Preemption will not help schedule pod on any node"},
    ),
    (
        f"Pod {POD} is not eligible for more preemption.",
        ev.PreemptionLine,
        {"pod": POD, "message": "Pod is not eligible for more preemption"},
    ),
    (
        f"Pod {POD} is not eligible for preemption because it has a preemptionPolicy of Never",
        ev.PreemptionLine,
        {"pod": POD, "message": "Pod is not eligible for preemption"},
    ),
    ("Error while retrieving next pod from scheduling queue: scheduling queue is closed", ev.QueueClosed, {}),
    (
        "Dump of scheduling queue:\nname: web-0, namespace: team-a, uid: 7d3, phase: Pending, nominated node: \n",
        ev.QueueDump,
        {
            "pods": "name: web-0, namespace: team-a, uid: 7d3, phase: Pending, nominated node: \n",
            "summary": None,
            "listed": ("team-a/web-0",),
        },
    ),
    (
        "\nNode name: n1\nRequested Resources: &{MilliCPU:100}\nAllocatable Resources:&{MilliCPU:4000}\n"
        "Scheduled Pods(number: 1):\nname: a, namespace: x, uid: 1, phase: Running, nominated node: \n"
        "Nominated Pods(number: 1):\nname: b, namespace: x, uid: 2, phase: Pending, nominated node: n1\n",
        ev.NodeDump,
        {"nodes": 1, "placed": ("x/a",), "nominated": ("x/b",)},
    ),
    ("Starting Kubernetes Scheduler version v1.18.2", ev.SchedulerStarted, {"version": "v1.18.2"}),
    (
        'Starting Kubernetes Scheduler version version.Info{Major:"1", GitVersion:"v1.20.5", GitCommit:"x"}',
        ev.SchedulerStarted,
        {"version": "v1.20.5"},
    ),
    (r'FLAG: --bind-address="0.0.0.0"', ev.Flag, {"name": "bind-address", "value": "0.0.0.0"}),
    (r'FLAG: --config="a\"b=\"c\u00e9"', ev.Flag, {"name": "config", "value": 'a"b="cé'}),
    ("feature gates: &{map[A:true B:false]}", ev.FeatureGatesLogged, {"gates": {"A": True, "B": False}}),
    ("feature gates: {map[]}", ev.FeatureGatesLogged, {"gates": {}}),
    (
        "Setting deprecated feature gate OldThing=false. It will be removed in a future release.",
        ev.FeatureGatesLogged,
        {"gates": {"OldThing": False}},
    ),
    (
        "Overriding default of GA feature gate Fine=true. It will be removed in a future release.",
        ev.FeatureGatesLogged,
        {"gates": {"Fine": True}},
    ),
    ("Using component config:\nkind: KubeSchedulerConfiguration\n", ev.ComponentConfig, None),
    ("attempting to acquire leader lease  kube-system/kube-scheduler...", ev.LeaderElection, {"what": "attempting"}),
    (
        "lock is held by m-1_x and has not yet expired: {m-1_x 2026-12-01}",
        ev.LeaderElection,
        {"what": "held-by-other"},
    ),
    (
        "failed to renew lease kube-system/kube-scheduler: timed out waiting for the condition",
        ev.LeaderElection,
        {"what": "lost"},
    ),
    ("leaderelection lost", ev.Terminating, {"reason": "leader election lost"}),
]


@pytest.mark.parametrize(("text", "kind", "fields"), SENTENCES, ids=[row[0][:48] for row in SENTENCES])
def test_a_formatted_line(text: str, kind: type, fields: dict[str, Any] | None) -> None:
    record = printed(text)
    event = event_of(record)
    assert type(event) is kind
    if fields is not None:
        assert own(event) == (kind, fields)
    assert is_relevant(text)
    assert classify(record) == "understood"


PAIRS = [
    (
        "Unable to schedule pod; no nodes are registered to the cluster; waiting",
        {"pod": POD},
        ev.AttemptFailed,
        {"pod": POD, "error": False, "err": ""},
    ),
    (
        "Unable to schedule pod belonging to a pod group; waiting",
        {"pod": POD, "err": "0/1 nodes are available: 1 Insufficient cpu."},
        ev.AttemptFailed,
        {"pod": POD, "error": False, "err": "0/1 nodes are available: 1 Insufficient cpu."},
    ),
    (
        "Attempting to schedule a pod belonging to a pod group",
        {"podGroup": "a/g", "pod": POD},
        ev.Attempting,
        {"pod": POD},
    ),
    (
        "Dump of scheduling queue",
        {
            "summary": "activeQ:1; backoffQ:0; unschedulablePods:1",
            "pods": "name: a, namespace: x, uid: 1, phase: Pending, nominated node: \n"
            "name: b, namespace: y, uid: 2, phase: Pending, nominated node: n\n",
        },
        ev.QueueDump,
        {
            "pods": "name: a, namespace: x, uid: 1, phase: Pending, nominated node: \n"
            "name: b, namespace: y, uid: 2, phase: Pending, nominated node: n\n",
            "summary": "activeQ:1; backoffQ:0; unschedulablePods:1",
            "listed": ("x/a", "y/b"),
        },
    ),
    (
        "Dump of scheduling queue",
        {"summary": "activeQ:1", "pods": [{"name": "a", "namespace": "x", "uid": "1", "phase": "Pending"}]},
        ev.QueueDump,
        {"pods": "", "summary": "activeQ:1", "listed": ("x/a",)},
    ),
    (
        "Dump of cached NodeInfo",
        {
            "nodes": "Node name: n1\nDeleted: false\nScheduled Pods(number: 0):\n\n\nNode name: n2\nDeleted: false\n"
            "Scheduled Pods(number: 1):\nname: a, namespace: x, uid: 1, phase: Running, nominated node: \n"
        },
        ev.NodeDump,
        {"nodes": 2, "placed": ("x/a",), "nominated": ()},
    ),
    (
        "Dump of cached NodeInfo",
        {"nodes": [{"name": "n1", "pods": [{"name": "a", "namespace": "x"}], "nominatedPods": []}]},
        ev.NodeDump,
        {"nodes": 1, "placed": ("x/a",), "nominated": ()},
    ),
    (
        "Cache mismatch",
        {"missedPods": ["7d3"], "redundantPods": []},
        ev.CacheMismatch,
        {"of": "pods", "missed": ("7d3",), "redundant": ()},
    ),
    (
        "cache mismatch",
        {"missed nodes": "[n1 n2]", "redundant nodes": "[]"},
        ev.CacheMismatch,
        {"of": "nodes", "missed": ("n1", "n2"), "redundant": ()},
    ),
    (
        "QueueingHintFn returns error",
        {
            "err": "boom",
            "event": {"Resource": "Node", "ActionType": 1, "Label": "NodeAdd"},
            "plugin": "P",
            "pod": POD,
            "oldObj": None,
        },
        ev.HintFailed,
        {"pod": POD, "plugin": "P", "event": "NodeAdd", "err": "boom"},
    ),
    (
        "the same pod is tracked in multiple places in the scheduler, and just discard it",
        {"pod": POD},
        ev.DuplicateDiscarded,
        {"pod": POD},
    ),
    (
        "Discarding the popped pod",
        {"err": f"the same pod is tracked in multiple places in the scheduler: {POD}"},
        ev.DuplicateDiscarded,
        {"pod": POD},
    ),
    (
        "Pod scheduled after flush from unschedulablePods",
        {"pod": POD, "unschedulablePlugins": {"A": {}}, "pendingPlugins": {"B": {}}},
        ev.FlushedPodBound,
        {"pod": POD, "plugins": frozenset({"A", "B"})},
    ),
    (
        "Pod has been assigned to node. Abort adding it back to queue.",
        {"pod": POD, "node": "n-1"},
        ev.PodGone,
        {"pod": POD, "reason": "assigned"},
    ),
    (
        "Preemptor preempted a waiting pod",
        {"preemptorType": "pod", "preemptor": POD, "waitingPod": "a/v", "node": "n-1"},
        ev.VictimPreempted,
        {"preemptor": POD, "victim": "a/v", "node": "n-1", "how": "rejected"},
    ),
    (
        "Preemptor pod rejected a waiting pod",
        {"preemptor": POD, "waitingPod": "a/v", "node": "n-1"},
        ev.VictimPreempted,
        {"preemptor": POD, "victim": "a/v", "node": "n-1", "how": "rejected"},
    ),
    (
        "Preemptor rejected a pod in preBind",
        {"preemptor": POD, "podInPreBind": "a/v", "node": "n-1"},
        ev.VictimPreempted,
        {"preemptor": POD, "victim": "a/v", "node": "n-1", "how": "pre-bind"},
    ),
    (
        "Could not add DisruptionTarget condition due to preemption",
        {"err": "refused", "pod": "a/v", "preemptor": POD},
        ev.VictimKept,
        {"preemptor": POD, "victim": "a/v", "err": "refused"},
    ),
    (
        "Could not get the updated preemptor pod object",
        {"err": "gone", "pod": POD},
        ev.PreemptorMissing,
        {"pod": POD, "err": "gone"},
    ),
    (
        "Pod rejected while waiting on permit",
        {"pod": POD, "status": "removed"},
        ev.PluginRejected,
        {"pod": POD, "plugin": None, "extension_point": "Permit", "status": "removed", "node": None},
    ),
    (
        "Not worth requeuing because the event is wildcard, but for another pod",
        {"pod": POD, "event": "ForceActivate", "newObj": "a/other"},
        ev.WorthRequeuing,
        {
            "pod": POD,
            "worth": False,
            "reason": "the event is wildcard, but for another pod",
            "event": "ForceActivate",
        },
    ),
    (
        "Warning: overriding default of deprecated feature gate. It will be removed in a future release.",
        {"featureGate": "G", "value": "false"},
        ev.FeatureGatesLogged,
        {"gates": {"G": False}},
    ),
    (
        "Moved nothing",
        {},
        None,
        None,
    ),
    (
        "Unexpected error running PreEnqueue plugin",
        {"err": "boom", "pod": POD, "plugin": "SchedulingGates"},
        ev.PreEnqueueStatus,
        {"pod": POD, "plugin": "SchedulingGates", "status": "boom"},
    ),
    (
        "Starting Kubernetes Scheduler version",
        {"version": "v1.22.3"},
        ev.SchedulerStarted,
        {"version": "v1.22.3"},
    ),
    (
        "Reserve/DynamicResources: pod unschedulable",
        {"node": "n-1", "pod": POD, "resourceclaim": "team-a/c", "reason": "resourceclaim in use"},
        ev.ClaimLine,
        {
            "pod": POD,
            "claims": ("team-a/c",),
            "what": "unschedulable",
            "message": "pod unschedulable",
            "reason": "resourceclaim in use",
            "node": "n-1",
        },
    ),
    (
        "pod unschedulable",
        {"reason": f'pod "{POD}": ResourceClaim not created yet'},
        ev.ClaimLine,
        {
            "pod": None,
            "claims": (),
            "what": "unschedulable",
            "message": "pod unschedulable",
            "reason": f'pod "{POD}": ResourceClaim not created yet',
            "node": None,
        },
    ),
]


@pytest.mark.parametrize(("msg", "values", "kind", "fields"), PAIRS, ids=[row[0][:48] for row in PAIRS])
def test_a_line_of_pairs(msg: str, values: dict[str, Any], kind: type | None, fields: dict[str, Any] | None) -> None:
    record = made(msg, values=values)
    event = event_of(record)
    if kind is None:
        assert event is None
        assert not is_relevant(msg)
        assert classify(record) == "unknown"
    else:
        assert own(event) == (kind, fields)


@pytest.mark.parametrize(
    ("msg", "logger", "point"),
    [
        ("Plugin failed", "Reserve", "Reserve"),
        ("Plugin failed", "Reserve.Coscheduling", "Reserve"),
        ("Plugin failed", "UnhandledError.PreBind", "PreBind"),
        ("Plugin failed", "PreBindPreFlight", "PreBind"),
        ("Plugin failed", "PreFilterExtension", "PreFilter"),
        ("PreBind/VolumeBinding: Plugin failed", None, "PreBind"),
        ("FilterWithNominatedPods/Filter/X: Plugin failed", None, "Filter"),
        ("Plugin failed", None, None),
        ("Plugin failed", "UnhandledError", None),
        ("Plugin Failed", None, "Bind"),
        ("Failed running Reserve plugin", None, "Reserve"),
    ],
)
def test_the_extension_point_of_a_failure(msg: str, logger: str | None, point: str | None) -> None:
    record = made(msg, severity="E", logger=logger, values={"err": "boom", "plugin": "P", "pod": POD})
    assert own(event_of(record)) == (
        ev.PluginFailed,
        {"pod": POD, "plugin": "P", "extension_point": point, "err": "boom", "node": None},
    )


def moved(**values: Any) -> KlogRecord:
    return made(
        "Pod moved to an internal scheduling queue", values={"pod": POD, "event": "E", "queue": "Active"} | values
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"hint": "QueueImmediately"}, {"hint": "immediately"}),
        ({"hint": 0}, {"hint": "skip"}),
        ({"hint": "1"}, {"hint": "after-backoff"}),
        ({"event": "{Resource:Node ActionType:1 Label:NodeAdd}"}, {"event": "NodeAdd"}),
        ({"schedulingCycle": "12"}, {"cycle": 12}),
        ({"unschedulable plugins": {"B": {}, "A": {}}}, {"plugins": frozenset({"A", "B"})}),
        ({"unschedulablePlugins": '{"A":{}}'}, {"plugins": frozenset({"A"})}),
        ({"unschedulable plugins": "map[A:{} B:{}]"}, {"plugins": frozenset({"A", "B"})}),
        ({"unschedulable plugins": None}, {"plugins": frozenset()}),
        ({"pod": {"name": "web-0", "namespace": "team-a"}}, {"pod": POD}),
    ],
)
def test_a_move_in_all_its_spellings(values: dict[str, Any], told: dict[str, Any]) -> None:
    _, fields = own(event_of(moved(**values)))
    plain = {"pod": POD, "event": "E", "queue": "Active", "hint": None, "cycle": None, "plugins": None}
    assert fields == plain | {"variant": "plain"} | told


@pytest.mark.parametrize(
    "values",
    [
        {"queue": "Nowhere"},
        {"queue": ["Active"]},
        {"pod": None},
        {"pod": 5},
        {"pod": {"namespace": "a"}},
        {"event": {}},
        {"event": ""},
        {"event": "{broken"},
        {"event": {"Resource": "Node", "ActionType": "x"}},
        {"hint": "Perhaps"},
        {"hint": [1]},
        {"schedulingCycle": "1_0"},
        {"schedulingCycle": True},
        {"schedulingCycle": "٣"},
        {"unschedulable plugins": 3},
        {"unschedulable plugins": "{broken"},
        {"unschedulable plugins": [1]},
    ],
)
def test_an_odd_value_gives_no_event_and_counts_as_unknown(values: dict[str, Any]) -> None:
    record = moved(**values)
    assert event_of(record) is None
    assert classify(record) == "unknown"


def test_a_known_message_that_tells_nothing_is_irrelevant() -> None:
    for record in (
        made("Error occurred", severity="E", values={"err": "something else"}),
        made("pod resource claims", values={"pod": POD, "resourceclaims": []}),
        made("Plugin scored node for pod", values={"pod": POD}),
        made("Updated", values={"other": 1}),
        printed("Starting reflector *v1.Pod (0s) from k8s.io/client-go/informers/factory.go:134"),
        printed('Trace[1200128578]: "Scheduling" namespace:a,name:b (total time: 105ms):\nTrace[1200128578]: END'),
    ):
        assert event_of(record) is None
        assert classify(record) == "irrelevant", record.msg


def test_a_message_of_another_program_is_unknown() -> None:
    for record in (made("SyncLoop ADD", values={"source": "api"}), printed("Housekeeping took longer than 1s")):
        assert event_of(record) is None
        assert classify(record) == "unknown"


def test_a_record_without_a_header_has_neither_time_nor_site() -> None:
    record = made("Add event for node", values={"node": "n-1"})
    record.header = None
    event = extract(record, micros)
    assert event is not None
    assert (event.t, event.pid, event.site) == (0, None, "")


def test_a_call_site_is_told_without_its_folder() -> None:
    record = made("Add event for node", file="scheduler/eventhandlers.go", line=63, values={"node": {"name": "n-1"}})
    event = event_of(record)
    assert isinstance(event, ev.NodeAdded)
    assert (event.node, event.site) == ("n-1", "eventhandlers.go:63")


def test_what_is_relevant_is_told_by_message() -> None:
    assert all(is_relevant(message) for message in RELEVANT_MESSAGES)
    assert all(is_relevant(f"Reserve/DynamicResources: {message}") for message in RELEVANT_MESSAGES)
    assert all(is_relevant(start + "x") for start in RELEVANT_STARTS)
    assert not is_relevant("Score/NodeResourcesFit: Listed internal info for allocatable resources")
    assert not is_relevant("")
