"""The whole way: events in, parkings with verdicts out."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klogreplay.events.types import SchedulerEvent
from klogreplay.knowledge import parse_plugin_table
from klogreplay.replay import analyze as module
from klogreplay.replay.analyze import Options, Replay, analyze_events
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.types import Cause, Parking
from tests.replay.build import AFFINITY, CPU, RESERVE, events, lines, only, replay
from tests.replay.hostile import EVENTS

STALE = f"""
0.100000 added        web
0.100020 new          web
0.200000 popped       web
0.200010 attempting   web
0.210000 unfit        web  "{AFFINITY}"
0.210100 handed-back  web  queue=Unschedulable schedulingCycle=1
0.210200 condition    web
5.000000 flushed      web
5.100000 popped       web
5.100010 attempting   web
5.105000 plugin-failed web plugin=Coscheduling
5.110000 failed       web  '{RESERVE}'
5.110100 handed-back  web  queue=Unschedulable schedulingCycle=2
5.110200 condition    web
36.00000 flushed      web
"""


class TestResult:
    def test_the_story_of_a_pod(self) -> None:
        result = replay(STALE)
        assert (result.attempts, result.failures, result.verbosity) == (2, 2, 6)
        assert (result.release, result.candidates) == ("1.28.0", ("1.28.0",))
        assert result.gates["SchedulerQueueingHints"].value is True
        right, wrong = result.parkings
        assert (right.verdict, right.grade, right.attempt, right.cycle) == ("right", "proven", 1, 1)
        assert (wrong.verdict, wrong.grade, wrong.attempt, wrong.cycle) == ("wrong", "proven", 2, 2)
        assert wrong.stale_plugins == ("NodeAffinity",)
        assert [c.code for c in wrong.causes] == ["stale-plugins", "error-without-plugins"]
        assert wrong.wake_up is not None
        assert (wrong.wake_up.event, wrong.parked_us, wrong.lost_us) == (
            "UnschedulableTimeout",
            30_889_900,
            28_889_900,
        )

    @pytest.mark.parametrize(
        ("release", "verdicts"),
        [("1.28.0", ["right", "wrong"]), ("1.28.3", ["right", "wrong"]), ("1.29.1", ["right", "wrong"])],
    )
    def test_the_same_of_other_releases(self, release: str, verdicts: list[str]) -> None:
        result = replay(STALE, release)
        assert [p.verdict for p in result.parkings] == verdicts
        # From 1.29 on no queue parks an error: what the log says then has no known cause.
        causes = {cause.code for cause in result.parkings[1].causes}
        assert (
            causes
            == {
                "1.28.0": {"stale-plugins", "error-without-plugins"},
                "1.28.3": {"error-without-plugins"},
                "1.29.1": set(),
            }[release]
        )

    @pytest.mark.parametrize("v", [2, 3, 4, 5, 6])
    def test_verbosity_is_what_the_flag_or_the_lines_prove(self, v: int) -> None:
        assert replay(STALE, v=v).verbosity == v
        without_head = replay(STALE, v=v, head=False, kubernetes_version="1.28.0")
        assert without_head.verbosity == v

    @pytest.mark.parametrize("value", ["", "-1", "4x", "٥", "1000"])
    def test_a_flag_that_is_no_level_proves_nothing(self, value: str) -> None:
        log = [line.replace('--v="2"', f'--v="{value}"') for line in lines(STALE, v=2)]
        assert analyze_events(events(log)).verbosity == 2

    def test_what_the_user_said_goes_before_the_log(self) -> None:
        result = replay(STALE, kubernetes_version="1.28.3", gates={"SchedulerQueueingHints": False})
        assert (result.release, result.gates["SchedulerQueueingHints"].value) == ("1.28.3", False)

    @pytest.mark.parametrize("held", [1, 1_000])
    def test_a_clock_that_stands_still_or_steps_back_a_little_changes_no_verdict(
        self, held: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "HELD_BACK", held)
        odd = STALE.replace("0.100020 new          web", "0.100000 new web\n0.099000 added other")
        assert [(p.pod, p.verdict, p.parked_us) for p in replay(odd).parkings] == [
            (p.pod, p.verdict, p.parked_us) for p in replay(STALE).parkings
        ]

    def test_parkings_stand_in_the_order_of_their_lines(self) -> None:
        both = STALE + STALE.replace("web", "api")
        found = replay(both).parkings
        assert [(p.pod, p.attempt) for p in found] == [
            ("default/web", 1), ("default/web", 2), ("default/api", 1), ("default/api", 2),
        ]  # fmt: skip
        assert [p.line for p in found] == sorted(p.line for p in found)

    def test_watched_pods_give_all_their_failed_attempts(self) -> None:
        moved = STALE.replace("queue=Unschedulable schedulingCycle=2", "queue=Backoff schedulingCycle=2")
        watched = replay(moved + moved.replace("web", "api"), watch=frozenset({"default/web"})).watched
        assert {a.pod for a in watched} == {"default/web"}
        assert replay(moved).watched == []

    def test_a_users_table_names_the_plugin_behind_a_reason(self) -> None:
        table = parse_plugin_table('[[plugin]]\nname = "Quota"\nreasons = ["quota of * is spent"]\n', "toml")
        spent = STALE.replace(AFFINITY, "4 quota of team-a is spent")
        assert replay(spent).parkings[0].rejector_plugins is None
        assert replay(spent, plugins=table).parkings[0].rejector_plugins == ("Quota",)
        assert replay(STALE, plugins=table).parkings[0].rejector_plugins == ("NodeAffinity",)


class TestReleaseLearntLate:
    """A log may tell its release behind the first attempts."""

    def test_what_comes_first_is_held_back_until_then(self) -> None:
        log = lines(STALE.replace("5.000000 flushed", "4.0 gates\n5.000000 flushed"), head=False)
        result = analyze_events(events(log), Options(kubernetes_version="1.28.0"))
        assert [p.process for p in result.parkings] == ["8833", "8833/2"]

    def test_the_reasons_of_all_releases_left(self) -> None:
        result = analyze_events(events(lines(STALE, head=False)))
        assert result.parkings[0].rejector_plugins == ("NodeAffinity",)
        assert result.release is None

    def test_nothing_is_held_back_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = replay(STALE)
        monkeypatch.setattr(module, "HELD_BACK", 6)
        assert replay(STALE) == whole

    def test_nor_do_verdicts_wait_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = replay(STALE)
        monkeypatch.setattr(module, "JUDGED_LATE", 0)
        assert replay(STALE) == whole

    def test_only_so_many_kinds_of_events_are_told_apart(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = replay(STALE)
        monkeypatch.setattr(module, "MOST_TOLD", 2)
        assert replay(STALE) == whole


def one_by_one(told: Sequence[SchedulerEvent]) -> ReplayResult:
    one = Replay(Options())
    for event in told:
        one.feed(event)
    return one.finish()


class TestAllAtOnce:
    """Feeding events all at once gives what feeding them one by one does."""

    @pytest.mark.parametrize("held", [1, 4, 9, 5_000])
    def test_of_a_true_log(self, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "HELD_BACK", held)
        story = STALE + "37.0 closed\n37.1 popped web\n60.0 added web pid=9\n" + STALE.replace("web", "web pid=77")
        told = events(lines(story))
        assert one_by_one(copy.deepcopy(told)) == analyze_events(told)

    @pytest.mark.parametrize("held", [1, 20])
    def test_of_any_events(self, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "HELD_BACK", held)

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(st.lists(EVENTS, max_size=40))
        def run(told: list[SchedulerEvent]) -> None:
            assert one_by_one(copy.deepcopy(told)) == analyze_events(told)

        run()


class TestWhileItIsWritten:
    """Asking in between changes nothing, and nothing is given twice."""

    @pytest.mark.parametrize("every", [1, 3, 7])
    def test_each_parking_is_given_once(self, every: int) -> None:
        told = events(lines(STALE))
        one = Replay(Options())
        given_out = []
        for n, event in enumerate(told):
            one.feed(event)
            if n % every == 0:
                given_out += one.decided()
        result = one.finish()
        keys = [(p.pod, p.attempt) for p in given_out]
        assert len(keys) == len(set(keys))
        assert set(keys) <= {("default/web", 1), ("default/web", 2)}
        assert [p.verdict for p in result.parkings] == ["right", "wrong"]
        assert result.parkings == replay(STALE).parkings

    def test_before_the_wake_up_the_verdict_is_known(self) -> None:
        told = events(lines("\n".join(STALE.splitlines()[:8]) + "\n1.0 renewed\n2.0 renewed"))
        one = Replay(Options())
        for event in told:
            one.feed(event)
        (parking,) = one.decided()
        assert (parking.verdict, parking.wake_up) == ("right", None)
        assert one.decided() == []

    def test_what_is_not_decidable_is_asked_again_when_more_is_known(self) -> None:
        # Without the line of its Pop nobody can say what came in its window.
        log = lines(STALE, head=False)[4:7] + lines("1.0 renewed\n2.0 renewed", head=False)
        one = Replay(Options(kubernetes_version="1.28.0", gates={"SchedulerQueueingHints": True}))
        for event in events(log):
            one.feed(event)
        assert one.decided() == one.decided() == []
        assert only(one.finish()).verdict == "undecided"

    def test_given_out_when_the_waiting_ones_are_judged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "JUDGED_LATE", 0)
        one = Replay(Options())
        assert one.decided() == []
        for event in events(lines(STALE)):
            one.feed(event)
        assert [(p.attempt, p.verdict) for p in one.decided()] == [(1, "right"), (2, "wrong")]
        assert one.decided() == []


def test_the_parkings_can_be_written_down() -> None:
    result = replay(STALE)
    again = msgspec.json.decode(msgspec.json.encode(list(result.parkings)), type=list[Parking])
    assert [row.verdict for row in again] == ["right", "wrong"]
    assert again[1].causes[0] == Cause("stale-plugins", "proven")
    assert result.parkings == again


def test_first_attempts_without_the_line_of_the_pod_still_count() -> None:
    story = STALE.replace("0.100000 added        web\n", "").replace(AFFINITY, CPU)
    found = replay(story).parkings
    assert [(p.attempt, p.rejector_plugins) for p in found] == [(1, ("NodeResourcesFit",)), (2, ())]
