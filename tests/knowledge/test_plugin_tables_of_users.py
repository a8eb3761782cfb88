"""Plugin tables that users give, and those that come with the package."""

from __future__ import annotations

import time
import tomllib

import pytest

from klogreplay import knowledge
from klogreplay.knowledge import PluginTable, PluginTableError, parse_plugin_table
from klogreplay.knowledge.event import known_actions
from klogreplay.knowledge.plugin_table import pieces_of

TOML = """
[[plugin]]
name = "Quota"
reasons = ["quota of namespace * exceeded", "literal \\\\* star"]
[[plugin.events]]
resource = "Pod"
actions = ["Delete"]
[[plugin.events]]
resource = "StorageClass"
actions = ["Add", "Update"]
hint = true
[[plugin]]
name = "Everything"
"""

YAML = """
plugin:
  - name: Quota
    reasons: ["quota of namespace * exceeded", 'literal \\* star']
    events:
      - {resource: Pod, actions: [Delete]}
      - {resource: StorageClass, actions: [Add, Update], hint: true}
  - name: Everything
"""


@pytest.fixture(params=["toml", "yaml"])
def table(request: pytest.FixtureRequest) -> PluginTable:
    return parse_plugin_table(TOML if request.param == "toml" else YAML, request.param)


def test_reasons(table: PluginTable) -> None:
    assert table.plugins_of_reason("quota of namespace team-a exceeded") == ("Quota",)
    assert table.plugins_of_reason(" literal * star ") == ("Quota",)
    assert table.plugins_of_reason("literal x star") == ()
    assert table.plugins_of_reason("") == ()


def test_effects(table: PluginTable) -> None:
    on = {"SchedulerQueueingHints": True}
    assert table.event_effect("1.28.0", on, "Quota", "AssignedPodDelete") == "queue"
    assert table.event_effect("1.28.0", on, "Quota", "NodeAdd") == "skip"
    assert table.event_effect("1.28.0", on, "Quota", "StorageClassAdd") == "unknown"
    assert table.event_effect("1.28.0", {"SchedulerQueueingHints": False}, "Quota", "StorageClassAdd") == "queue"
    assert table.event_effect("1.36.2", on, "Quota", "storage.k8s.io/StorageClassUpdate") == "unknown"
    assert table.event_effect("1.36.2", on, "Quota", "no such event") == "unknown"
    assert table.event_effect("1.28.0", on, "NodeAffinity", "NodeAdd") is None


def test_a_plugin_without_events_is_registered_for_all(table: PluginTable) -> None:
    for release in ("1.22.6", "1.28.0", "1.30.1", "1.36.2"):
        assert table.event_effect(release, None, "Everything", "NodeAdd") == "queue"
        assert table.event_effect(release, None, "Everything", "AssignedPodDelete") == "queue"


def test_node_registrations_are_completed_from_1_31() -> None:
    table = parse_plugin_table("plugin: [{name: P, events: [{resource: Node, actions: [Add]}]}]", "yaml")
    assert table.event_effect("1.30.1", None, "P", "NodeTaintChange") == "skip"
    assert table.event_effect("1.32.2", None, "P", "NodeUpdateNodeTaint") == "queue"


def test_actions_follow_the_release() -> None:
    text = "plugin: [{name: P, events: [{resource: Pod, actions: [UpdatePodToleration]}]}]"
    table = parse_plugin_table(text, "yaml")
    assert table.registrations("1.28.0", "P") == ()
    assert [r.actions for r in table.registrations("1.32.2", "P") or ()] == [("UpdatePodTolerations",)]
    assert [r.actions for r in table.registrations("1.33.0", "P") or ()] == [("UpdatePodToleration",)]
    assert "updatePodOther" not in known_actions()


def test_resources_without_their_group() -> None:
    text = "plugin: [{name: P, events: [{resource: ResourceClaim, actions: [Add]}]}]"
    table = parse_plugin_table(text, "yaml")
    assert [r.resource for r in table.registrations("1.31.1", "P") or ()] == ["ResourceClaim"]
    assert [r.resource for r in table.registrations("1.32.2", "P") or ()] == ["resource.k8s.io/ResourceClaim"]


def test_joined_tables_take_the_later_plugin() -> None:
    first = parse_plugin_table("plugin: [{name: P, reasons: [aaaa]}, {name: Q, reasons: [bbbb]}]", "yaml")
    second = parse_plugin_table("plugin: [{name: P, reasons: [cccc]}]", "yaml")
    both = first.joined(second)
    assert [both.plugins_of_reason(text) for text in ("aaaa", "bbbb", "cccc")] == [(), ("Q",), ("P",)]


def test_pieces_of_patterns() -> None:
    assert pieces_of("a * b") == ("a ", " b")
    assert pieces_of("*b**c*") == ("", "b", "c", "")
    assert pieces_of(r"\*\\*x\y") == ("*\\", r"x\y")
    assert pieces_of("end\\") == ("end\\",)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("plugin = [", "toml", "not TOML"),
        ("a: [b", "yaml", "not YAML"),
        ("", "toml", "plugin: Field required"),
        ("", "yaml", "table: Input should be"),
        ("- 1", "yaml", "table: Input should be"),
        ("plugin: []", "yaml", "at least 1 item"),
        ("plugin: [{name: 'a b'}]", "yaml", "plugin.0.name"),
        ("plugin: [{name: P, reason: [x]}]", "yaml", "plugin.0.reason: Extra inputs"),
        ("plugin: [{name: P, reasons: ['**']}]", "yaml", "fits too much"),
        (
            "plugin: [{name: P, events: [{resource: Node, actions: [Sneeze]}]}]",
            "yaml",
            "no release has an action 'Sneeze'",
        ),
        ("plugin: [{name: P, events: [{resource: Node, actions: []}]}]", "yaml", "plugin.0.events.0.actions"),
        ("plugin: [{name: P, events: [{resource: '[/x]', actions: [Add]}]}]", "yaml", "plugin.0.events.0.resource"),
        ("a: &a [x,x]\nb: [*a,*a]", "yaml", "aliases are not allowed"),
        ("plugin: !!python/object/apply:os.system [ls]", "yaml", "not YAML"),
        ("[" * 5000, "yaml", "plugin table: "),
        ("plugin = " + "[" * 5000, "toml", "plugin table: "),
        ("x" * (1 << 21), "yaml", "longer than"),
        ("a\x00b", "yaml", "not YAML"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(text: str, kind: str, says: str) -> None:
    started = time.process_time()
    with pytest.raises(PluginTableError) as error:
        parse_plugin_table(text, kind)  # type: ignore[arg-type]
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert time.process_time() - started < 5


def test_bundled_tables() -> None:
    assert knowledge.bundled_tables() == ("koordinator", "scheduler-plugins")
    table = knowledge.bundled_table("scheduler-plugins")
    reason = "pre-filter pod web-0 cannot find enough sibling pods, current pods number: 2, minMember of group: 3"
    assert table.plugins_of_reason(reason) == ("Coscheduling",)
    assert table.event_effect("1.28.0", None, "Coscheduling", "PodgroupsUpdate") == "queue"
    assert table.event_effect("1.28.0", None, "Coscheduling", "AssignedPodAdd") == "queue"
    assert table.event_effect("1.28.0", None, "Coscheduling", "NodeAdd") == "skip"
    assert (
        table.event_effect("1.34.1", None, "CapacityScheduling", "elasticquotas.v1alpha1.scheduling.x-k8s.ioAdd")
        == "queue"
    )
    assert table.plugins_of_reason("cannot align pod") == ("NodeResourceTopologyMatch",)
    with pytest.raises(
        PluginTableError, match="no bundled plugin table 'volcano'; there are koordinator, scheduler-plugins"
    ):
        knowledge.bundled_table("volcano")


def test_a_bundled_reason_is_no_in_tree_one() -> None:
    reason = "Insufficient quotas, quotaName: a, runtime: {}, used: {}, pod's request: {}, exceedDimensions: [cpu]"
    assert knowledge.bundled_table("koordinator").plugins_of_reason(reason) == ("ElasticQuota",)
    assert knowledge.plugins_of_reason("1.28.0", reason) == ()


def test_bundled_tables_are_not_used_unasked() -> None:
    assert knowledge.plugins_of_reason("1.28.0", "cannot align pod") == ()
    assert knowledge.registrations("1.28.0", "Coscheduling") is None


@pytest.mark.parametrize("reason", ["x * y", 'say "no" \\ now', "tab\tand\x7f", "plain", "\ud800 lone", "ünï"])
def test_a_skeleton_is_a_table_that_knows_its_reasons(reason: str) -> None:
    text = knowledge.skeleton("My-Plugin", [reason])
    tomllib.loads(text)
    table = parse_plugin_table(text, "toml")
    shown = reason.replace("\ud800", "\ufffd")
    assert table.plugins_of_reason(shown) == ("My-Plugin",)
    assert table.plugins_of_reason(shown + "!") == ()
    assert table.event_effect("1.28.0", None, "My-Plugin", "NodeAdd") == "queue"
