"""What events mean to rejectors, by the tables of a release."""

from __future__ import annotations

import pytest

from klogreplay.knowledge import parse_plugin_table
from klogreplay.replay.effects import Effects
from klogreplay.replay.rejectors import NOTHING, Own, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Effect

HINTS = {"SchedulerQueueingHints": True}


def seen(label: str, how: str = "handler") -> Observed:
    return Observed(label, 0, 0, 1, "", None, how)


def rejected_by(*groups: tuple[str, ...], unknown: tuple[str, ...] = ()) -> Own:
    named = tuple(frozenset(group) for group in groups)
    return Own(PluginSet(frozenset().union(*named), complete=not unknown), "derived", False, named, unknown)


@pytest.mark.parametrize(
    ("release", "counts"),
    [("1.22.6", False), ("1.28.0", False), ("1.29.1", False), ("1.31.1", False), ("1.32.2", True), ("1.36.2", True)],
)
def test_a_deleted_node_raises_an_event_from_132_on(release: str, counts: bool) -> None:
    assert Effects(release, HINTS).counts(seen("NodeDelete")) is counts


def test_an_event_that_the_queue_itself_prints_counts_whatever_its_name() -> None:
    assert Effects("1.28.0", HINTS).counts(seen("NodeDelete", "queue"))
    assert Effects("1.28.0", HINTS).counts(seen("example.com/v1/WidgetAdd", "queue"))
    assert not Effects("1.28.0", HINTS).counts(seen("no label at all"))


@pytest.mark.parametrize(
    ("label", "effect"),
    [
        ("NodeAdd", "queue"),
        ("AssignedPodDelete", "queue"),
        ("AssignedPodAdd", "skip"),
        ("UnschedulableTimeout", "queue"),
    ],
)
def test_on_the_rejectors_of_one_attempt(label: str, effect: Effect) -> None:
    assert Effects("1.28.0", HINTS).on_own(seen(label), rejected_by(("NodeResourcesFit",))) == effect


def test_any_plugin_of_a_group_may_have_given_the_reason_so_only_an_answer_of_all_is_one() -> None:
    effects = Effects("1.28.0", HINTS)
    # AssignedPodDelete: NodeResourcesFit registers it, NodeAffinity does not.
    either = rejected_by(("NodeResourcesFit", "NodeAffinity"))
    assert effects.on_own(seen("AssignedPodDelete"), either) == "unknown"
    assert effects.on_own(seen("NodeAdd"), either) == "queue"
    assert effects.on_own(seen("PvAdd"), either) == "skip"


def test_each_reason_has_a_rejector_so_one_that_wants_the_event_is_enough() -> None:
    both = rejected_by(("NodeAffinity",), ("NodeResourcesFit",))
    assert Effects("1.28.0", HINTS).on_own(seen("AssignedPodDelete"), both) == "queue"


def test_a_reason_without_a_known_plugin_leaves_every_other_event_open() -> None:
    odd = rejected_by(("NodeAffinity",), unknown=("the quota is spent",))
    effects = Effects("1.28.0", HINTS)
    assert effects.on_own(seen("NodeAdd"), odd) == "queue"
    assert effects.on_own(seen("AssignedPodAdd"), odd) == "unknown"
    only_odd = rejected_by(unknown=("the quota is spent",))
    assert effects.on_own(seen("NodeAdd"), only_odd) == "unknown"
    assert effects.on_own(seen("UnschedulableTimeout"), only_odd) == "queue"


def test_an_attempt_that_nothing_rejected_has_no_use_for_a_hint() -> None:
    assert Effects("1.28.0", HINTS).on_own(seen("NodeAdd"), Own(NOTHING, "observed", True)) == "skip"


@pytest.mark.parametrize(
    ("plugins", "label", "effect"),
    [
        (PluginSet(frozenset({"NodeAffinity", "NodeResourcesFit"})), "AssignedPodDelete", "queue"),
        (PluginSet(frozenset({"NodeAffinity"})), "AssignedPodDelete", "skip"),
        (PluginSet(frozenset({"NodeAffinity"}), complete=False), "AssignedPodDelete", "unknown"),
        (PluginSet(frozenset({"DynamicResources"})), "ResourceClaimUpdate", "unknown"),
        (NOTHING, "NodeAdd", "skip"),
        (NOTHING, "UnschedulableTimeout", "queue"),
        (PluginSet(complete=False), "NodeAdd", "unknown"),
    ],
)
def test_on_a_held_set_the_strongest_answer_counts(plugins: PluginSet, label: str, effect: Effect) -> None:
    assert Effects("1.28.0", HINTS).on_set(seen(label), plugins) == effect


def test_a_users_table_goes_before_the_tables_and_may_pass() -> None:
    table = parse_plugin_table("plugin: [{name: Coscheduling, events: [{resource: Node, actions: [Delete]}]}]", "yaml")
    effects = Effects("1.28.0", HINTS, table)
    assert effects.on_own(seen("NodeDelete", "queue"), rejected_by(("Coscheduling",))) == "queue"
    assert effects.on_own(seen("NodeAdd"), rejected_by(("Coscheduling",))) == "skip"
    assert effects.on_own(seen("NodeAdd"), rejected_by(("Unheard",))) == "unknown"
    assert effects.on_own(seen("NodeAdd"), rejected_by(("NodeAffinity",))) == "queue"
