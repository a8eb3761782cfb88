"""Which release and which gates a log is of: given, logged, identified, or assumed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from klogreplay import knowledge
from klogreplay.replay.facts import HINTS, Facts, releases_told
from tests.replay.build import events, forms, lines

HAND_BACK = "0.1 handed-back web queue=Unschedulable schedulingCycle=1"


class Sites:
    """An identification by call sites."""

    def __init__(self, *found: str, vendor: bool = False) -> None:
        self._found = found
        self._vendor = vendor

    def candidates(self) -> Sequence[str]:
        return self._found

    @property
    def vendor(self) -> bool:
        return self._vendor


def facts(version: str | None = None, identified: Sites | None = None, **gates: bool) -> Facts:
    return Facts(version, gates, identified, None)


def told(one: Facts, story: str, release: str = "1.28.0") -> list[bool]:
    return [one.observe(event) for event in events(lines(story, release, head=False))]


class TestRelease:
    def test_without_anything_it_may_be_any(self) -> None:
        one = facts()
        assert one.candidates() == knowledge.releases()
        assert one.single is None

    def test_what_the_call_sites_leave(self) -> None:
        assert facts(identified=Sites("1.28.0", "1.28.3")).candidates() == ("1.28.0", "1.28.3")
        assert facts(identified=Sites("1.28.0", "1.28.3")).single is None
        assert facts(identified=Sites("1.28.3")).single == "1.28.3"

    def test_call_sites_that_leave_nothing_tell_nothing(self) -> None:
        assert facts(identified=Sites()).candidates() == knowledge.releases()

    def test_a_build_that_fits_none_has_stand_ins(self) -> None:
        assert facts(identified=Sites("1.29.0-alpha.1", vendor=True)).candidates() == ("1.28.0", "1.29.0-alpha.1")

    def test_the_start_line_goes_before_the_call_sites(self) -> None:
        one = facts(identified=Sites("1.36.2"))
        assert told(one, "0.1 started") == [True]
        assert (one.candidates(), one.single) == (("1.28.0",), "1.28.0")

    def test_a_release_that_nobody_knows_is_named_all_the_same(self) -> None:
        one = facts()
        told(one, "0.1 started version=v1.28.2")
        assert (one.candidates(), one.single) == (("1.28.0", "1.28.3"), "1.28.2")

    @pytest.mark.parametrize(
        ("sites", "vendor", "left"),
        [
            (("1.28.0",), False, ("1.28.0",)),
            (("1.28.3", "1.28.4"), False, ("1.28.3",)),
            # Sites that exclude both, or that fit none, leave both.
            (("1.28.6",), False, ("1.28.0", "1.28.3")),
            (("1.28.0",), True, ("1.28.0", "1.28.3")),
        ],
    )
    def test_the_call_sites_narrow_the_stand_ins(
        self, sites: tuple[str, ...], vendor: bool, left: tuple[str, ...]
    ) -> None:
        logged = facts(identified=Sites(*sites, vendor=vendor))
        told(logged, "0.1 started version=v1.28.2")
        assert logged.candidates() == left
        assert facts("1.28.2", Sites(*sites, vendor=vendor)).candidates() == left

    @pytest.mark.parametrize("vendor", [False, True])
    def test_a_release_that_nobody_knows_may_be_that_of_another_process(self, vendor: bool) -> None:
        one = facts(identified=Sites("1.28.7", "5.34.1", vendor=vendor))
        assert set(one.candidates()) >= {"1.28.6", "1.28.8", knowledge.releases()[-1]}
        assert set(one.candidates()) <= set(knowledge.releases())
        assert one.as_built()

    def test_a_start_line_without_a_release_tells_nothing(self) -> None:
        one = facts(identified=Sites("1.36.2"))
        assert told(one, "0.1 started version=\n0.2 started version=devel") == [True, True]
        assert (one.candidates(), one.single) == (("1.36.2",), "1.36.2")

    def test_the_user_knows_best(self) -> None:
        one = facts("v1.29.1-gke.5")
        told(one, "0.1 started")
        assert (one.candidates(), one.single) == (("1.29.1",), "1.29.1")


class TestGates:
    def test_the_default_of_a_release(self) -> None:
        gate = facts().gate("1.28.0", HINTS)
        assert (gate.value, gate.evidence) == (knowledge.gate_default("1.28.0", HINTS), "default of 1.28.0")

    @pytest.mark.parametrize(
        "story", ["0.1 gates gates=SchedulerQueueingHints=false", "0.1 flag-gates gates=SchedulerQueueingHints=false"]
    )
    def test_what_the_scheduler_printed_at_its_start(self, story: str) -> None:
        one = facts()
        assert told(one, story) == [True]
        gate = one.gate("1.28.0", HINTS)
        assert (gate.value, gate.evidence) == (False, "printed by the scheduler at its start")

    def test_what_the_user_said(self) -> None:
        one = facts(SchedulerQueueingHints=True)
        told(one, "0.1 gates gates=SchedulerQueueingHints=false")
        assert (one.gate("1.28.0", HINTS).value, one.gate("1.28.0", HINTS).evidence) == (
            True,
            "given on the command line",
        )

    def test_the_hand_back_with_hints_prints_the_cycle(self) -> None:
        one = facts()
        assert told(one, f"{HAND_BACK}\n{HAND_BACK}") == [True, False]
        assert one.gate("1.28.0", HINTS).evidence == "the hand-back lines are those of queueing hints"

    def test_other_lines_tell_nothing(self) -> None:
        one = facts()
        story = "0.1 flag\n0.1 popped web\n0.1 new web\n0.1 moved web event=NodeAdd queue=Active"
        assert told(one, story) == [False] * 4
        assert told(one, "0.1 handed-back-plain web queue=Backoff", "1.26.1") == [False]
        assert one.hints_seen is None

    def test_only_so_many_are_taken_from_a_log(self) -> None:
        """Else each line that sets another would make all be gone through again."""
        one = facts()
        for n in range(Facts.MOST_GATES + 10):
            one._take_gates({f"Gate{n}": True})
        one._take_gates({"Gate0": False})
        assert len(one.logged_gates) == Facts.MOST_GATES
        assert one.logged_gates["Gate0"] is False

    def test_gates_on_which_all_releases_left_agree(self) -> None:
        one = facts(identified=Sites("1.28.0", "1.28.3"))
        gate = one.gates()[HINTS]
        assert (gate.value, gate.evidence) == (knowledge.gate_default("1.28.3", HINTS), "default of all releases left")
        assert "SchedulerPopFromBackoffQ" not in one.gates()

    def test_and_those_on_which_they_do_not(self) -> None:
        first, second = "1.32.2", "1.33.0"
        values = {knowledge.gate_default(release, "SchedulerPopFromBackoffQ") for release in (first, second)}
        assert len(values) == 2
        gate = facts(identified=Sites(first, second)).gates()["SchedulerPopFromBackoffQ"]
        assert (gate.value, gate.evidence) == (None, "the releases left differ in its default")

    def test_of_one_release_all_are_told_and_those_that_were_named(self) -> None:
        one = facts("1.28.0", MyGate=True)
        told(one, "0.1 gates gates=Other=false")
        gates = one.gates()
        assert (gates["MyGate"].value, gates["Other"].value) == (True, False)
        assert gates[HINTS].evidence == "default of 1.28.0"


class TestQueues:
    def test_one_release_is_one_queue(self) -> None:
        (one,) = facts("1.28.0").as_built()
        assert (one.release, one.hints) == ("1.28.0", knowledge.gate_default("1.28.0", HINTS))

    def test_releases_that_do_the_same_are_one(self) -> None:
        built = facts(identified=Sites("1.26.10", "1.26.11")).as_built()
        assert [one.release for one in built] == ["1.26.11"]

    def test_others_are_several_the_newest_first(self) -> None:
        built = facts(identified=Sites("1.28.0", "1.28.3"), SchedulerQueueingHints=True).as_built()
        assert [(one.release, one.hints) for one in built] == [("1.28.3", True), ("1.28.0", True)]

    def test_they_are_made_once_and_anew_when_something_is_learnt(self) -> None:
        one = facts("1.28.0")
        first = one.as_built()
        assert one.as_built() is first
        told(one, "0.1 gates gates=SchedulerQueueingHints=false")
        (second,) = one.as_built()
        assert not second.hints

    def test_processes_share_them_and_only_so_many_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Facts, "MOST_BUILT", 1)
        shared: dict[tuple[str, ...], list[object]] = {}
        first, second = (Facts(None, {}, Sites(release), None, shared) for release in ("1.28.0", "1.28.3"))  # type: ignore[arg-type]
        again = Facts(None, {}, Sites("1.28.0"), None, shared)  # type: ignore[arg-type]
        built = first.as_built()
        assert again.as_built() is built
        second.as_built()
        assert len(shared) == 1
        assert again.as_built() is built
        assert Facts(None, {}, Sites("1.28.0"), None, shared).as_built() is not built  # type: ignore[arg-type]


class TestSeveralProcesses:
    def test_what_the_log_said_of_the_one_before_holds_on(self) -> None:
        before, after = facts(), facts()
        told(before, f"0.1 started\n0.1 gates gates=A=true\n{HAND_BACK}")
        after.inherit(before)
        told(before, "0.2 gates gates=B=true")
        assert (after.single, after.logged_gates, after.hints_seen) == ("1.28.0", {"A": True}, True)

    def test_one_of_them_speaks_for_itself(self) -> None:
        release, candidates, gates = releases_told([facts("1.28.0")])
        assert (release, candidates) == ("1.28.0", ("1.28.0",))
        assert gates == facts("1.28.0").gates()

    def test_of_the_same_release(self) -> None:
        release, candidates, gates = releases_told([facts("1.28.0"), facts("1.28.0", SchedulerQueueingHints=False)])
        assert (release, candidates) == ("1.28.0", ("1.28.0",))
        default = knowledge.gate_default("1.28.0", HINTS)
        assert gates[HINTS].value == (None if default else False)

    def test_of_different_ones_the_gates_on_which_all_agree(self) -> None:
        first = facts("1.28.0", A=True, Only=True, Differs=True)
        second = facts("1.36.2", A=True, Differs=False)
        release, candidates, gates = releases_told([first, second])
        assert (release, candidates) == (None, ("1.28.0", "1.36.2"))
        assert gates["A"].value is True
        assert "Only" not in gates
        assert (gates["Differs"].value, gates["Differs"].evidence) == (None, "the processes differ in it")


def test_every_release_prints_a_start_line_that_is_understood() -> None:
    for release in ("1.26.1", "1.28.0", "1.28.3", "1.29.1", "1.32.2", "1.34.1", "1.36.2"):
        one = facts()
        one.observe(events([forms(release)["started"][1]])[0])
        assert one.single == release
