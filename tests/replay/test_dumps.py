"""The scheduler's own dumps on SIGUSR2: what the replay takes from them, and what it says where they differ."""

from __future__ import annotations

import pytest

from klogreplay.events import types as ev
from klogreplay.replay.dumps import MOST_DUMPS, MOST_TEXT, contents
from tests.replay.build import CPU, at, clock, only, replay

ONCE = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.210000 unfit       web  "{CPU}"
0.210200 condition   web
"""
PARKED = ONCE.replace("0.210200", "0.210100 handed-back web queue=Unschedulable\n0.210200")
OFTEN = ONCE + "\n".join(
    f'{2 * n}.200000 popped web\n{2 * n}.200010 attempting web\n{2 * n}.210000 unfit web "{CPU}"' for n in range(1, 5)
)
"""Five attempts: the backoff of the last is ten seconds."""
END = "\n30.0 renewed"


def pod_line(name: str) -> str:
    return f"name: {name}, namespace: default, uid: 7d3-{name}, phase: Pending, nominated node: "


def dump(
    seconds: str,
    *,
    active: tuple[str, ...] = (),
    backoff: tuple[str, ...] = (),
    parked: tuple[str, ...] = (),
    summary: bool = True,
    printf: bool = False,
) -> str:
    """A dump in a story, as 1.26 and later print it; without `summary` as 1.24 and 1.25, as `printf` as before."""
    pods = [pod_line(name) for name in (*active, *backoff, *parked)]
    header = f"I{clock(seconds)}    8833 dumper.go:62] "
    if printf:
        return "\n".join(f"| {row}" for row in (f"{header}Dump of scheduling queue:", *pods))
    told = (
        f'summary="activeQ:{len(active)}; backoffQ:{len(backoff)}; unschedulablePods:{len(parked)}" ' if summary else ""
    )
    first = f'| {header}"Dump of scheduling queue" {told}pods='
    if not pods:
        return first + '""'
    return "\n".join((first + "<", *(f"| \\t{pod}" for pod in pods), "|  >"))


def nodes(seconds: str, *placed: str) -> str:
    """A dump of the cached NodeInfo with these pods on one node."""
    rows = ["Node name: n1", "Deleted: false", f"Scheduled Pods(number: {len(placed)}):", *map(pod_line, placed)]
    header = f'| I{clock(seconds)}    8833 dumper.go:52] "Dump of cached NodeInfo" nodes=<'
    return "\n".join((header, *(f"| \\t{row}" for row in rows), "|  >"))


def told(after: str, once: str = ONCE, v: int = 4, release: str = "1.28.0") -> tuple[str, str, str, str | None]:
    """Destination, its evidence, the verdict, and what took the pod out."""
    parking = only(replay(once + after + END, release, v))
    wake = parking.wake_up.event if parking.wake_up else None
    return parking.destination, parking.destination_evidence, parking.verdict, wake


class TestDestination:
    """Where a failed pod went, of which no line told."""

    def test_without_a_dump_it_is_not_known(self) -> None:
        assert told("")[:2] == ("unknown", "unknown")

    @pytest.mark.parametrize("release", ["1.26.1", "1.28.0", "1.28.3"])
    def test_listed_in_unschedulable_pods(self, release: str) -> None:
        # Its backoff is over by then: a PreEnqueue plugin may have kept it out of activeQ, so this is no observation.
        after = dump("1.3", active=("other",), parked=("web",))
        assert told(after, release=release)[:2] == ("Unschedulable", "derived")

    def test_a_dump_within_a_long_backoff_is_an_observation(self) -> None:
        parkings = replay(f"{OFTEN}\n{dump('11.0', parked=('web',))}{END}", "1.28.0", 4).parkings
        assert [p.destination_evidence for p in parkings if p.destination == "Unschedulable"][-1:] == ["observed"]

    def test_the_proof_cites_the_dump(self) -> None:
        parking = only(replay(ONCE + dump("1.3", parked=("web",)) + END, "1.28.0", 4))
        (cited,) = [each for each in parking.proof if "Dump of scheduling queue" in each.text]
        assert cited.says == "the scheduler's own dump lists the pod in unschedulablePods"

    def test_listed_in_backoff_where_any_move_would_show(self) -> None:
        # The failure is at 0.205 s, the hand-back before 0.2102 s: still in its backoff of a second.
        once = ONCE.replace("0.210000", "0.205000")
        silent = "\n1.5 renewed\n"
        assert only(replay(once + silent + END, "1.28.0", 5)).destination == "Unschedulable"
        assert replay(once + dump("1.2055", backoff=("web",)) + silent + END, "1.28.0", 5).parkings == []

    def test_listed_in_backoff_where_a_move_may_not_show_says_nothing(self) -> None:
        assert told(dump("1.25", backoff=("web",)), v=3)[:2] == ("unknown", "unknown")

    def test_it_confirms_what_another_line_told(self) -> None:
        asked = "0.5 not-helping web event=NodeLabelChange\n"
        assert told(asked, v=5) == ("Unschedulable", "derived", "right", None)
        parking = only(replay(ONCE + asked + dump("1.3", parked=("web",)) + END, "1.28.0", 5))
        assert (parking.destination, parking.destination_evidence) == ("Unschedulable", "observed")
        assert [each.text for each in parking.proof if "own dump lists" in each.says] != []

    def test_a_dump_right_after_the_failure_may_have_looked_before(self) -> None:
        assert told(dump("0.9", parked=("web",)))[:2] == ("unknown", "unknown")

    def test_a_dump_without_counts_says_nothing_of_the_queue(self) -> None:
        for form in (dump("1.3", parked=("web",), summary=False), dump("1.3", parked=("web",), printf=True)):
            assert told(form)[:2] == ("unknown", "unknown")


class TestDifferences:
    """The dump is right, and each difference is told."""

    def warnings(self, after: str, once: str = PARKED, v: int = 6) -> list[str]:
        return replay(once + after + END, "1.28.0", v).warnings

    def test_a_dump_that_agrees_is_not_told(self) -> None:
        assert self.warnings(dump("2.0", parked=("web",))) == []
        assert told(dump("2.0", parked=("web",)), once=PARKED, v=6) == ("Unschedulable", "observed", "right", None)

    def test_a_parked_pod_that_is_elsewhere(self) -> None:
        after = dump("20.0", active=("web",))
        (warning,) = self.warnings(after)
        assert "default/web was followed as parked, and is in activeQ" in warning
        assert warning.startswith("line ")
        assert told(after, once=PARKED, v=6)[3] == "unknown"

    def test_a_parked_pod_that_is_in_no_queue(self) -> None:
        (warning,) = self.warnings(dump("20.0", active=("other",)))
        assert "default/web was followed as parked, and is in no queue" in warning

    def test_what_a_cut_dump_does_not_list_is_not_missing(self) -> None:
        cut = dump("20.0", active=("other",)).replace("unschedulablePods:0", "unschedulablePods:1")
        assert self.warnings(cut) == []
        assert told(cut, once=PARKED, v=6)[3] is None

    def test_a_pod_taken_for_parked_that_is_still_backing_off(self) -> None:
        # An event asked it, so it was parked: but the dump is right.
        asked = f"{OFTEN}\n8.5 not-helping web event=NodeLabelChange\n"
        assert replay(asked + END, "1.28.0", 5).parkings[-1].t == at("8.210000")
        found = replay(asked + dump("11.0", backoff=("web",)) + END, "1.28.0", 5)
        (warning,) = found.warnings
        assert "default/web was followed as parked, and is in backoffQ" in warning
        assert at("8.210000") not in [parking.t for parking in found.parkings]

    def test_a_pod_in_flight_that_is_in_a_queue(self) -> None:
        popped = "0.1 added web\n0.2 popped web\n0.2001 attempting web\n"
        (warning,) = self.warnings(dump("9.0", backoff=("web",)), once=popped)
        assert "default/web was followed as in flight, and is in backoffQ" in warning
        assert self.warnings(dump("0.9", backoff=("web",)), once=popped) == []

    def test_a_pod_that_waits_for_its_first_attempt_is_nothing_to_tell(self) -> None:
        assert self.warnings(dump("9.0", active=("web",)), once="0.1 added web\n0.11 new web\n") == []

    def test_what_changed_just_before_the_line_is_not_compared(self) -> None:
        assert self.warnings(dump("1.1", active=("web",))) == []

    def test_a_parked_pod_that_is_on_a_node(self) -> None:
        (warning,) = self.warnings(nodes("20.0", "web", "other"))
        assert "default/web was followed as parked, and is on a node" in warning
        assert self.warnings(nodes("1.1", "web")) == []

    def test_a_dump_without_counts_still_says_which_pods_are_in_no_queue(self) -> None:
        for form in (dump("20.0", active=("other",), summary=False), dump("20.0", active=("other",), printf=True)):
            assert "is in no queue" in self.warnings(form)[0]
        assert self.warnings(dump("20.0", active=("web",), printf=True)) == []

    def test_pods_are_counted_and_few_named(self) -> None:
        story = "".join(PARKED.replace("web", f"web{n}") for n in range(9))
        (warning,) = self.warnings(dump("20.0"), once=story)
        assert "of 9 pods" in warning
        assert warning.endswith("and 6 more): its word was taken")

    def test_the_cache_comparer(self) -> None:
        line = f'| I{clock("20.0")}    8833 comparer.go:64] "Cache mismatch" missedPods=["7d3"] redundantPods=[]'
        (warning,) = self.warnings(line)
        assert warning.endswith("the scheduler's cache comparer found a mismatch: pods, 1 missed")
        assert self.warnings(line.replace('["7d3"]', "[]")) == []

    def test_many_differences_are_counted(self) -> None:
        line = '| I{}    8833 comparer.go:64] "Cache mismatch" missedPods=["7d3"] redundantPods=[]'
        found = self.warnings("\n".join(line.format(clock(f"{20 + n}.0")) for n in range(MOST_DUMPS + 2)))
        assert len([warning for warning in found if "cache comparer found a mismatch" in warning]) == MOST_DUMPS
        assert [warning for warning in found if "more dumps differ" in warning] == ["2 more dumps differ"]


def queue_dump(summary: str | None, *listed: str, pods: str = "") -> ev.QueueDump:
    return ev.QueueDump(line=1, t=0, pid=1, site="dumper.go:62", text="", pods=pods, summary=summary, listed=listed)


class TestContents:
    """The pods of a dump by queue."""

    def test_the_summary_counts_them_in_the_order_printed(self) -> None:
        found = contents(queue_dump("activeQ:1; backoffQ:1; unschedulablePods:2", "a", "b", "c", "d"))
        assert found.queues == {"a": "Active", "b": "Backoff", "c": "Unschedulable", "d": "Unschedulable"}
        assert found.complete

    def test_the_names_of_later_trees(self) -> None:
        summary = "activeQ:0; backoffQ:1; unschedulableEntities:1; pendingPodGroupMemberPods:5"
        found = contents(queue_dump(summary, "a", "b"))
        assert found.queues == {"a": "Backoff", "b": "Unschedulable"}
        assert found.complete

    def test_a_dump_that_was_cut_tells_of_those_it_lists(self) -> None:
        found = contents(queue_dump("activeQ:1; backoffQ:0; unschedulablePods:9", "a", "b"))
        assert found.queues == {"a": "Active", "b": "Unschedulable"}
        assert not found.complete
        assert not contents(queue_dump(None, "a", pods="x" * MOST_TEXT)).complete

    @pytest.mark.parametrize("summary", ["", "activeQ:0; backoffQ:0; unschedulablePods:1", "nonsense", "activeQ:x"])
    def test_counts_that_do_not_fit_say_nothing_of_the_queues(self, summary: str) -> None:
        assert contents(queue_dump(summary, "a", "b")).queues == {"a": None, "b": None}
