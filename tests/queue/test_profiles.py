"""The table of releases: complete, in accord with what the releases' sources say, and clear about what is assumed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from klogreplay.queue import REFERENCE, UnknownRelease, all_releases, nearest_release, profile_for, version_table
from klogreplay.queue.behaviours import AXES
from klogreplay.queue.profiles import recorded_releases, release_order
from klogreplay.queue.releases import DRA, HINTS, POP, RELEASES, STATED_AXES
from klogreplay.queue.types import QueueConfig


def test_every_catalogued_release_is_there_and_only_those_recorded_are_called_so() -> None:
    assert len(all_releases()) == len(RELEASES) == 117
    assert all_releases()[0] == "1.18.2"
    assert all_releases()[-1] == "1.36.2"
    assert recorded_releases() == (
        *("1.22.6", "1.23.3", "1.24.4", "1.25.2", "1.26.1", "1.27.1", "1.28.0", "1.28.3"),
        *("1.29.1", "1.30.1", "1.31.1", "1.32.2", "1.33.0", "1.34.1", "1.35.4", "1.36.2"),
    )


def test_releases_sort_by_age_with_pre_releases_before_their_release() -> None:
    names = ["1.28.0", "1.28.0-beta.0", "1.9.0", "1.28.0-alpha.2", "1.28.0-rc.1", "1.28.10", "1.28.3"]
    assert sorted(names, key=release_order) == [
        *("1.9.0", "1.28.0-alpha.2", "1.28.0-beta.0", "1.28.0-rc.1", "1.28.0", "1.28.3", "1.28.10"),
    ]
    with pytest.raises(ValueError, match="'newest' is no Kubernetes version"):
        release_order("newest")


@pytest.mark.parametrize("release", all_releases())
def test_every_release_chooses_a_behaviour_on_every_axis_under_any_gates(release: str) -> None:
    for hints in (True, False):
        for pop in (True, False):
            for claims in (True, False):
                profile = profile_for(release, {HINTS: hints, POP: pop, DRA: claims})
                assert profile.behaviours.keys() == AXES.keys()
                assert profile.rules.leftover_limit in (60_000_000_000, 300_000_000_000)


def test_default_gates_are_those_of_the_release() -> None:
    assert profile_for("1.22.6").gates == {}
    assert profile_for("1.28.0").gates == {HINTS: True}
    assert profile_for("1.28.6").gates == {HINTS: False}
    assert profile_for("1.33.0").gates == {HINTS: True, POP: True, DRA: False}
    assert profile_for("1.28.0", {HINTS: False}).behaviours["in_flight"] == "not-tracked"
    assert profile_for("1.28.0", {HINTS: True}) == profile_for("v1.28.0")
    assert profile_for("1.28.0", {"SomethingElse": True}).gates == {HINTS: True}


def test_a_locked_gate_keeps_its_setting() -> None:
    assert profile_for("1.34.1", {HINTS: False}) == profile_for("1.34.1")
    assert profile_for("1.34.1", {POP: False}).gates[POP] is False
    assert profile_for("1.34.1", {DRA: False}).gates[DRA] is False
    assert profile_for("1.35.4", {DRA: False}).gates[DRA] is True


def test_the_reference_is_the_newest_release() -> None:
    assert profile_for("1.36.2") == REFERENCE
    assert REFERENCE.behaviours["return_without_rejectors"] == "always-after-backoff"
    assert REFERENCE.behaviours["in_flight"] == "own-entry"


def test_a_profile_can_be_hashed_and_is_equal_by_what_it_holds() -> None:
    one, same = profile_for("1.28.0"), profile_for("1.28.0").replace()
    assert one == same
    assert hash(one) == hash(same)
    assert one != profile_for("1.28.0").replace(in_flight="own-entry")


def test_replace_changes_one_axis_and_knows_what_exists() -> None:
    profile = profile_for("1.28.14")
    changed = profile.replace(duplicate_pop="discarded", pop_source="backoff-when-idle")
    assert changed.behaviours["duplicate_pop"] == "discarded"
    assert {axis for axis in AXES if changed.behaviours[axis] != profile.behaviours[axis]} == {
        "duplicate_pop",
        "pop_source",
    }
    assert "pop_source" in profile.assumed
    assert "pop_source" not in changed.assumed
    with pytest.raises(KeyError, match="no axis 'colour'; there are pre_enqueue, pre_enqueue_order, "):
        profile.replace(colour="blue")
    with pytest.raises(
        KeyError, match="axis in_flight has no behaviour 'blue'; it has not-tracked, markers-with-counters, own-entry"
    ):
        profile.replace(in_flight="blue")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("1.28.2", "1.28.0"),
        ("v1.30.3", "1.30.2"),
        ("1.27.3-gke.100", "1.27.2"),
        ("1.28.7+k3s1", "1.28.6"),
        ("1.28.0-rc.1", "1.28.0-beta.0"),
        ("1.20.0", "1.20.2"),
        ("1.29", "1.29.0"),
        ("1.36.99", "1.36.2"),
        ("1.17.0", None),
        ("2.0.0", None),
        ("latest", None),
        ("", None),
    ],
)
def test_the_nearest_release_is_the_newest_one_not_newer(asked: str, nearest: str | None) -> None:
    assert nearest_release(asked) == nearest


def test_an_unknown_release_is_refused_with_the_nearest_one_named() -> None:
    with pytest.raises(UnknownRelease) as caught:
        profile_for("1.28.2")
    assert str(caught.value) == (
        "no Kubernetes release '1.28.2' in the table of queue behaviours; the nearest one there is 1.28.0"
    )
    with pytest.raises(KeyError) as none_near:
        profile_for("2.0")
    assert str(none_near.value).endswith("there are " + ", ".join(RELEASES))


def test_the_version_table_has_a_row_per_release() -> None:
    rows = version_table()
    assert [row.release for row in rows] == list(all_releases())
    assert [row.release for row in rows if row.recorded] == list(recorded_releases())
    for row in rows:
        assert row.behaviours == profile_for(row.release).behaviours
        assert row.gates == profile_for(row.release).gates
        assert row.assumed == (frozenset() if row.recorded else frozenset(AXES) - STATED_AXES)
    (only,) = version_table("v1.28.0")
    assert (only.release, only.recorded) == ("1.28.0", True)
    with pytest.raises(UnknownRelease):
        version_table("1.28.2")


def test_a_queue_takes_the_default_limit_of_its_release() -> None:
    from tests.queue.build import Bench

    assert Bench("1.23.3").queue.max_in_unschedulable_ns == 60_000_000_000
    assert Bench("1.24.4").queue.max_in_unschedulable_ns == 300_000_000_000
    assert Bench("1.24.4", max_in_unschedulable_ns=7).queue.max_in_unschedulable_ns == 7
    assert QueueConfig().initial_backoff_ns == 1_000_000_000
    assert QueueConfig().max_backoff_ns == 10_000_000_000


PLUGIN_SETS_CLEARED = {
    "never": {"kept"},
    "no such set": {"kept"},
    "on Pop": {"unschedulable-cleared", "rejectors-cleared", "rejectors-and-gate-cleared"},
    "on failure, before the new set is stored": {"kept"},
}
ERRORS = {
    "Backoff when moveRequestCycle >= cycle of the attempt, else Unschedulable": ("by-move-cycle", "as-any-other"),
    "Backoff when any event is held, else Unschedulable": ("by-concurrent-events", "any-event-held"),
    "Backoff when an event came after its Pop, else Unschedulable": ("by-concurrent-events", "as-any-other"),
}
GATED = {
    "no PreEnqueue": "examined",
    "examined": "examined",
    "all skipped": "all-skipped",
    "skipped when SchedulingGates is in the set": "scheduling-gates-skipped",
    "skipped unless the gating plugin registered the event": "skipped-unless-registered",
}
IN_FLIGHT = {
    "none": "not-tracked",
    "markers with event counters": "markers-with-counters",
    "list holds pods and events": "own-entry",
}
UPDATES = {
    None: "queued-again",
    "one UnscheduledPodUpdate": "recorded-as-one",
    "every matching pod change": "recorded-each",
}


@pytest.fixture(scope="module")
def catalogue() -> dict[str, Any]:
    from tests.conftest import recorded_path

    path = recorded_path()
    if path is None:
        pytest.skip("recorded data is not at hand (../shared/data)")
    return json.loads((path / "catalog" / "behaviours.json").read_text(encoding="utf-8"))


@pytest.mark.recorded
@pytest.mark.parametrize("release", all_releases())
def test_the_table_agrees_with_the_source_of_every_release(catalogue: dict[str, Any], release: str) -> None:
    facts = catalogue[release]
    for name, written in facts["gates"].items():
        if name in RELEASES[release].gates:
            gate = RELEASES[release].gates[name]
            assert written.split("/")[0] == ("on" if gate.default else "off"), name
            assert (written.split("/")[1] == "GA") == gate.locked, name
    assert (HINTS in facts["gates"]) == (HINTS in RELEASES[release].gates)
    assert (POP in facts["gates"]) == (POP in RELEASES[release].gates)

    has_hints = HINTS in facts["gates"]
    on = profile_for(release, {HINTS: True}).behaviours
    off = profile_for(release, {HINTS: False}).behaviours
    assert on["in_flight"] == IN_FLIGHT[facts["inFlight"]]
    assert on["plugins_at_pop"] in PLUGIN_SETS_CLEARED[facts["unschedulablePluginsCleared"]]
    assert (on["plugins_at_pop"] == "unschedulable-cleared") == (
        facts["unschedulablePluginsCleared"] == "on Pop" and facts["pendingPluginsCleared"] == "no such set"
    )
    assert (on["plugins_at_failure"] == "cleared-first") == facts["unschedulablePluginsCleared"].startswith(
        "on failure"
    )
    assert (on["rejector_sets"] == "none") == (facts["unschedulablePluginsCleared"] == "no such set")
    assert (on["rejector_sets"] == "unschedulable-and-pending") == (facts["pendingPluginsCleared"] != "no such set")
    assert on["gated_pods_on_events"] == GATED[facts["gatedPodsOnClusterEvent"]]
    assert (on["event_interest"] == "registered-events") == facts["eventOfNoInterestDropped"]
    assert on["update_in_flight"] == UPDATES[facts.get("updateInFlightEvents")]
    assert (on["recreated_pod"] == "dropped") == facts["uidCheckOnRequeue"]
    assert (on["duplicate_pop"] == "discarded") == facts.get("duplicateInFlightPodDiscarded", False)
    assert (on["leftover_limit"] == "five-minutes") == (facts["leftoverLimitSeconds"] == 300)

    pre_enqueue = facts.get("backoffFlushRunsPreEnqueue")
    assert (on["pre_enqueue"] == "nowhere") == (pre_enqueue is None)
    assert (on["pre_enqueue"] == "entering-active-but-flush") == (pre_enqueue is False)

    errors = facts["errorAttemptWithoutRejectors"]
    for key, told in (("all", on), ("hintsOn", on), ("hintsOff", off)):
        if key not in errors or (key != "all" and not has_hints):
            continue
        if errors[key] == "Backoff always":
            assert told["return_without_rejectors"] == "always-after-backoff"
        else:
            assert (told["return_path"], told["return_without_rejectors"]) == ERRORS[errors[key]]
