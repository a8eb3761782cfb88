"""The registry of behaviours: complete, described, and told to the reader as it is."""

from __future__ import annotations

import pkgutil
import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

from klogreplay.queue import FIXES, behaviours, profile_for
from klogreplay.queue.behaviours import AXES
from klogreplay.queue.behaviours.axis import Axis
from klogreplay.queue.describe import BEGIN, END, behaviour_table, insert_table, releases_of
from klogreplay.queue.profiles import all_releases
from klogreplay.queue.releases import RELEASES, STATED_AXES, ByGate, Choice
from klogreplay.queue.rules import Rules, compile_rules
from tests.conftest import ROOT

DOCUMENT = ROOT / "docs" / "queue-model.md"


def test_every_module_of_behaviours_is_registered_under_its_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(behaviours.__path__)} - {"axis"}
    assert modules == set(AXES)
    for name in modules:
        axis = import_module(f"{behaviours.__name__}.{name}").AXIS
        assert isinstance(axis, Axis)
        assert AXES[name] is axis
        assert axis.name == name


def test_the_rules_have_one_field_per_axis() -> None:
    assert set(Rules.__struct_fields__) == set(AXES)


@pytest.mark.parametrize("name", AXES)
def test_behaviours_are_named_described_and_sourced(name: str) -> None:
    axis = AXES[name]
    assert axis.asks.endswith("?")
    names = [behaviour.name for behaviour in axis.behaviours]
    assert len(names) == len(set(names)) >= 2
    for behaviour in axis.behaviours:
        assert behaviour.does.endswith(".")
        assert len(behaviour.does) < 330
        assert all(reference.startswith("kubernetes#") for reference in behaviour.upstream)
        assert axis.rule_of(behaviour.name) is behaviour.rule


def leaves(choice: Choice) -> set[str]:
    return leaves(choice.on) | leaves(choice.off) if isinstance(choice, ByGate) else {choice}


@pytest.mark.parametrize("name", AXES)
def test_every_behaviour_is_some_release_s(name: str) -> None:
    used = set().union(*(leaves(release.choices[name]) for release in RELEASES.values()))
    assert used == {behaviour.name for behaviour in AXES[name].behaviours}


def test_the_axes_said_to_be_stated_exist() -> None:
    assert set(AXES) > STATED_AXES


def test_an_unknown_axis_or_behaviour_does_not_compile() -> None:
    chosen = profile_for("1.28.0").behaviours
    with pytest.raises(KeyError, match="has no behaviour 'x'"):
        compile_rules(tuple({**chosen, "in_flight": "x"}.items()))
    with pytest.raises(KeyError, match="colour"):
        compile_rules(tuple({**chosen, "colour": "x"}.items()))
    with pytest.raises(TypeError):
        compile_rules(tuple(chosen.items())[1:])


def test_the_document_has_the_table_as_it_is() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert insert_table(text) == text, "run python -m klogreplay.queue.describe docs/queue-model.md"
    for name in AXES:
        assert f"### {name}\n" in text


def test_the_table_is_written_between_the_markers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = tmp_path / "model.md"
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["describe", str(document)])
    monkeypatch.delitem(sys.modules, "klogreplay.queue.describe")
    runpy.run_module("klogreplay.queue.describe", run_name="__main__", alter_sys=True)
    text = document.read_text(encoding="utf-8")
    assert text == f"before\n{BEGIN}\n\n{behaviour_table()}\n{END}\nafter\n"
    with pytest.raises(ValueError, match="no <!-- behaviours: begin -->"):
        insert_table("a document without markers")


@pytest.mark.parametrize(
    ("axis", "behaviour", "told"),
    [
        ("duplicate_pop", "discarded", "1.32.0 on"),
        ("leftover_limit", "one-minute", "1.18.2–1.23.10"),
        ("pop_specific", "activates-and-pops", "1.36.2"),
        ("gated_pods_on_events", "all-skipped", "1.27.16, 1.28.11, 1.29.6, 1.30.2, 1.31.0-alpha.2"),
        ("in_flight", "markers-with-counters", "1.28.0-beta.0–1.28.0 (SchedulerQueueingHints on)"),
        ("in_flight", "own-entry", "1.28.3–1.33.3 (SchedulerQueueingHints on); 1.34.1 on"),
        (
            "update_parked",
            "by-hints-until-queued",
            "1.33.0–1.33.3 (SchedulerQueueingHints on, SchedulerPopFromBackoffQ on); "
            "1.34.1 on (SchedulerPopFromBackoffQ on)",
        ),
    ],
)
def test_the_releases_of_a_behaviour_are_told_as_ranges(axis: str, behaviour: str, told: str) -> None:
    assert releases_of(axis, behaviour) == told


@pytest.mark.parametrize(
    ("fix", "reference", "first_without_effect"),
    [
        ("stale-plugins", "kubernetes#120334", "1.28.3"),
        ("missed-events", "kubernetes#120413", "1.28.3"),
        ("error-without-plugins", "kubernetes#119105", "1.29.0-alpha.1"),
    ],
)
def test_a_fix_changes_the_releases_that_lack_it_and_no_other(
    fix: str, reference: str, first_without_effect: str
) -> None:
    known = FIXES[fix]
    assert (known.name, known.ref) == (fix, reference)
    assert known.title
    before = profile_for("1.28.0")
    after = known.apply(before)
    assert sum(before.behaviours[axis] != after.behaviours[axis] for axis in AXES) == 1
    assert known.apply(after) == after
    releases = all_releases()
    for release in releases[releases.index(first_without_effect) :]:
        assert known.apply(profile_for(release)) == profile_for(release)


def test_a_release_that_knows_no_plugins_has_none_to_clear() -> None:
    assert FIXES["stale-plugins"].apply(profile_for("1.20.15")) == profile_for("1.20.15")
    assert FIXES["stale-plugins"].apply(profile_for("1.21.4")) != profile_for("1.21.4")
    assert FIXES["stale-plugins"].apply(profile_for("1.25.15")) == profile_for("1.25.15")
    assert FIXES["stale-plugins"].apply(profile_for("1.36.2")) == profile_for("1.36.2")
