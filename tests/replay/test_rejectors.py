"""The rejector plugins, from the text of a failure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from klogreplay import knowledge
from klogreplay.replay.rejectors import NO_NODES, NOTHING, Own, PluginSet, Rejectors
from tests.replay.build import AFFINITY, BIND, CPU, TAINT

BEHIND = ". preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.."


def of(err: str, *, is_error: bool = False, rejected_by: str | None = None) -> Own:
    return Rejectors(lambda reason: knowledge.plugins_of_reason("1.28.0", reason) or ()).of_failure(
        is_error, err, rejected_by
    )


def test_each_reason_has_its_plugins() -> None:
    own = of(f"0/8 nodes are available: {CPU}, {TAINT}{BEHIND}")
    assert own.plugins == PluginSet(frozenset({"NodeResourcesFit", "TaintToleration"}))
    assert own.groups == (frozenset({"NodeResourcesFit"}), frozenset({"TaintToleration"}))
    assert (own.evidence, own.unknown_reasons, own.without_rejectors) == ("derived", (), False)


def test_a_reason_that_no_plugin_of_the_release_gives_leaves_the_set_open() -> None:
    own = of(f"0/8 nodes are available: {AFFINITY}, 4 quota of namespace team-a exceeded{BEHIND}")
    assert own.plugins == PluginSet(frozenset({"NodeAffinity"}), complete=False)
    assert own.unknown_reasons == ("quota of namespace team-a exceeded",)
    assert own.evidence == "unknown"


@pytest.mark.parametrize("err", ["", "something else", "0/4 nodes are available"])
def test_a_text_that_is_no_fit_error_names_nobody(err: str) -> None:
    own = of(err)
    assert own.plugins == PluginSet(complete=False)
    assert own.unknown_reasons == (err,)
    assert not own.without_rejectors


def test_an_error_has_no_rejectors_whatever_it_says() -> None:
    for own in (of(BIND, is_error=True), of(NO_NODES), of(BIND, is_error=True, rejected_by="Coscheduling")):
        assert own.plugins == NOTHING
        assert own.plugins.surely_empty
        assert (own.without_rejectors, own.evidence) == (True, "observed")


def test_a_rejection_line_goes_before_the_text() -> None:
    own = of(f"0/8 nodes are available: {CPU}{BEHIND}", rejected_by="DynamicResources")
    assert own.plugins == PluginSet(frozenset({"DynamicResources"}))
    assert own.groups == (frozenset({"DynamicResources"}),)
    assert own.evidence == "observed"


def test_each_text_is_read_once_and_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def plugins_of(reason: str) -> Sequence[str]:
        asked.append(reason)
        return ("P",)

    monkeypatch.setattr(Rejectors, "MAX_KEPT", 2)
    rejectors = Rejectors(plugins_of)
    texts = [f"0/1 nodes are available: 1 reason {letter}." for letter in "abc"]
    for text in [*texts[:2], *texts[:2]]:
        rejectors.of_failure(False, text, None)
    assert asked == ["reason a", "reason b"]
    rejectors.of_failure(False, texts[2], None)
    rejectors.of_failure(False, texts[0], None)
    assert asked == ["reason a", "reason b", "reason c", "reason a"]


@pytest.mark.parametrize(
    ("plugins", "empty"),
    [(NOTHING, True), (PluginSet(complete=False), False), (PluginSet(frozenset({"P"})), False)],
)
def test_only_a_set_that_is_known_whole_is_surely_empty(plugins: PluginSet, empty: bool) -> None:
    assert plugins.surely_empty is empty


def test_one_more_plugin() -> None:
    assert PluginSet(frozenset({"A"}), complete=False).with_plugin("B") == PluginSet(frozenset({"A", "B"}), False)
