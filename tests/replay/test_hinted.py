"""Events of which a hint function decides: its own lines, and what it answered for other pods."""

from __future__ import annotations

import pytest

from klogreplay.events import types as ev
from klogreplay.replay.answers import MOST, Answer
from klogreplay.replay.effects import Effects
from klogreplay.replay.hinted import by_others, function_of
from klogreplay.replay.judge import judge
from klogreplay.replay.rejectors import Own, PluginSet
from klogreplay.replay.timeline import Observed
from klogreplay.replay.types import Cause, Effect
from tests.replay.build import at, clock, events, follow, followed, follower, lines, only, replay
from tests.replay.windows import HINTS, attempt, built, event, flight, own

EFFECTS = Effects("1.28.0", HINTS)
DRA = "DynamicResources"
MODIFIED = "unrelated claim got modified"
UPDATED = "status of claim for pod got updated"
SPEC_ONLY = "PodSchedulingContext has only the scheduler spec changes, ignore the update"
READY = "PodSchedulingContext for pod has all required information, schedule immediately"
UNRELATED = "PodSchedulingContext for unrelated pod got modified"
QUOTA = "4 quota of team-a is spent"


def said(message: str, pod: str = "default/peer", *claims: str, worth: bool | None = False) -> ev.HintLine:
    return ev.HintLine(
        line=1, t=0, pid=1, site="dynamicresources.go:1", text="", pod=pod, plugin=DRA, worth=worth, message=message,
        claims=claims,
    )  # fmt: skip


def spoken_of(label: str, *lines: ev.HintLine, at: int = 1_500) -> Observed:
    one = event(label, at)
    one.said = lines
    return one


class TestItsOwnLines:
    @pytest.mark.parametrize(
        ("line", "effect"),
        [
            (said(READY, worth=True), "skip"),
            (said(SPEC_ONLY), "skip"),
            (said(UNRELATED, "default/peer", "default/other"), "skip"),
            (said(UNRELATED, "default/peer", "default/web"), "unknown"),
            (said(READY, "default/web", worth=True), "unknown"),
        ],
    )
    def test_a_negotiation_with_drivers_is_that_of_one_pod(self, line: ev.HintLine, effect: Effect) -> None:
        one = spoken_of("PodSchedulingContextUpdate", line)
        assert EFFECTS.on_attempt(one, attempt(own(DRA))) == effect
        assert EFFECTS.on_attempt(one, attempt(own(DRA, unknown=True))) == "unknown"
        # NodeAdd is no such event, and needs no hint.
        assert EFFECTS.on_attempt(spoken_of("NodeAdd", line), attempt(own("NodeResourcesFit"))) == "queue"

    @pytest.mark.parametrize(
        ("claims", "effect"),
        [(None, "unknown"), (frozenset({"default/mine"}), "skip"), (frozenset({"default/theirs"}), "unknown")],
    )
    def test_a_claim_is_that_of_the_pods_that_use_it(self, claims: frozenset[str] | None, effect: Effect) -> None:
        for line in (
            said(UPDATED, "default/peer", "default/theirs", worth=True),
            said(MODIFIED, "a/b", "default/theirs"),
        ):
            one = spoken_of("ResourceClaimUpdate", line)
            assert EFFECTS.on_attempt(one, attempt(own(DRA), claims=claims)) == effect
            assert EFFECTS.on_held(one, attempt(None, claims=claims), own(DRA).plugins) == effect

    def test_another_plugins_line_says_nothing(self) -> None:
        line = said(READY)
        line.plugin = "Mine"
        assert EFFECTS.on_attempt(spoken_of("PodSchedulingContextUpdate", line), attempt(own(DRA))) == "unknown"

    def test_who_was_asked_of_all_at_the_hand_back_answered_skip(self) -> None:
        first, second = event("ResourceClaimUpdate", 1_500), event("ResourceClaimUpdate", 1_600)
        mine = said(MODIFIED, "default/web")
        once = attempt(own(DRA), events=(first, second), asked=[mine])
        assert EFFECTS.on_attempt(first, once) == "unknown"
        twice = attempt(own(DRA), events=(first, second), asked=[mine, mine])
        assert EFFECTS.on_attempt(first, twice) == "skip"
        # The line is that of the function for claims.
        context = event("PodSchedulingContextUpdate", 1_500)
        assert EFFECTS.on_attempt(context, attempt(own(DRA), events=(context,), asked=[mine, mine])) == "unknown"
        yes = attempt(own(DRA), events=(first,), asked=[said(UPDATED, "default/web", worth=True)])
        assert EFFECTS.on_attempt(first, yes) == "unknown"
        assert EFFECTS.on_attempt(first, attempt(own(DRA), pop=None, events=(first,), asked=[mine])) == "unknown"

    def test_what_came_outside_of_the_attempt_was_not_asked_about(self) -> None:
        early, late = event("ResourceClaimUpdate", 700), event("ResourceClaimUpdate", 2_500)
        within = event("ResourceClaimUpdate", 1_500)
        one = attempt(own(DRA), events=(early, within, late), asked=[said(MODIFIED, "default/web")])
        assert EFFECTS.on_attempt(within, one) == "skip"

    def test_an_event_that_the_release_does_not_know_is_not_decided(self) -> None:
        assert EFFECTS.on_attempt(spoken_of("no label", said(READY)), attempt(own(DRA))) == "unknown"

    def test_which_function_prints_a_line(self) -> None:
        assert function_of("1.28.0", said(MODIFIED)) == "isSchedulableAfterClaimChange"
        assert function_of("1.28.0", said("no such line")) is None
        assert EFFECTS.asks_about(said(MODIFIED)) == {"ResourceClaim"}
        assert EFFECTS.asks_about(said(SPEC_ONLY)) == {"PodSchedulingContext"}


class TestOtherPods:
    MINE, MORE = own(unknown=True), own("NodeAffinity", unknown=True)

    @staticmethod
    def effect(mine: Own, *answers: tuple[Own, Effect], label: str = "NodeAdd", pod: str = "default/peer") -> Effect:
        one = event(label, 1_500)
        one.answers = [Answer(pod, theirs, effect) for theirs, effect in answers]
        return by_others(EFFECTS, one, mine, attempt(mine))

    def test_who_was_rejected_for_the_same_was_moved_or_not(self) -> None:
        assert self.effect(self.MINE, (self.MINE, "queue")) == "queue"
        assert self.effect(self.MINE, (self.MINE, "skip")) == "skip"
        assert self.effect(self.MINE, (self.MINE, "skip"), (self.MINE, "queue")) == "unknown"
        assert self.effect(self.MINE) == "unknown"

    def test_one_rejector_more_may_have_moved_it_or_might_have(self) -> None:
        assert self.effect(self.MINE, (self.MORE, "queue")) == "unknown"
        assert self.effect(self.MORE, (self.MINE, "queue")) == "queue"
        assert self.effect(self.MINE, (self.MORE, "skip")) == "skip"
        assert self.effect(self.MORE, (self.MINE, "skip")) == "unknown"

    def test_rejectors_of_which_some_are_missing_are_like_nobodys(self) -> None:
        some = Own(PluginSet(frozenset({"NodeAffinity"}), complete=False), "derived", False, self.MORE.groups)
        assert self.effect(some, (some, "queue")) == "unknown"
        assert self.effect(self.MORE, (some, "queue")) == "unknown"

    def test_an_object_of_some_pods_means_nothing_to_others(self) -> None:
        assert self.effect(own(DRA), (own(DRA), "queue"), label="ResourceClaimUpdate") == "unknown"
        assert self.effect(self.MINE, (self.MINE, "queue"), label="PvcAdd") == "unknown"
        assert self.effect(self.MINE, (self.MINE, "queue"), label="no label") == "unknown"

    def test_the_pod_itself_is_no_other(self) -> None:
        assert self.effect(self.MINE, (self.MINE, "queue"), pod="default/web") == "unknown"

    def test_it_decides_only_where_nothing_else_does_and_never_for_sure(self) -> None:
        node = event("NodeAdd", 1_500)
        binding, marker = flight("binding", 500, (1_400, 1_400)), event("AssignedPodAdd", 700)
        one = attempt(self.MINE, (binding,), (marker, node))
        assert judge(one, [built()]).verdict == "undecided"
        node.answers = [Answer("default/peer", self.MINE, "queue")]
        found = judge(one, [built()])
        assert (found.verdict, found.grade, found.causes) == ("wrong", "likely", [Cause("missed-events", "likely")])


STORY = f"""
0.050000 added      peer
0.050020 new        peer
0.051000 popped     peer
0.051010 attempting peer
0.055000 unfit      peer  "{{theirs}}"
0.055100 handed-back peer queue=Unschedulable schedulingCycle=1
0.055200 condition  peer
0.100000 added      other
0.100020 new        other
0.101000 popped     other
0.101010 attempting other
0.105000 binding    other
0.110000 assigned-updated old
0.150000 added      web
0.150020 new        web
0.200000 popped     web
0.200010 attempting web
0.205000 bound      other
{{event}}
0.220000 unfit      web   "{QUOTA}"
0.220100 handed-back web  queue=Unschedulable schedulingCycle=3
0.220200 condition  web
9.000000 flushed    web
"""
MOVED = "0.210000 moved peer event=NodeTaintChange queue=Backoff"
ASKED = "0.210000 not-helping peer event=NodeTaintChange"


class TestInALog:
    @pytest.mark.parametrize(
        ("theirs", "line", "verdict", "effect"),
        [
            (QUOTA, MOVED, ("wrong", "likely"), "queue"),
            (QUOTA, ASKED, ("undecided", "suspected"), "skip"),
            ("4 quota of team-b is spent", MOVED, ("undecided", "suspected"), "unknown"),
            (f"{QUOTA}, 1 Insufficient cpu", MOVED, ("undecided", "suspected"), "unknown"),
        ],
    )
    def test_the_same_event_moved_a_pod_that_waited_for_the_same(
        self, theirs: str, line: str, verdict: tuple[str, str], effect: Effect
    ) -> None:
        story = STORY.format(theirs=theirs, event=line)
        parking = only(replay(story))
        assert (parking.verdict, parking.grade) == verdict
        waited = next(one for one in followed(story) if one.pod == "default/web")
        assert waited.window is not None
        node = next(one for one in waited.window.events if one.label == "NodeTaintChange")
        assert by_others(EFFECTS, node, waited.own, waited) == effect

    def test_a_fixed_release_needs_no_such_witness(self) -> None:
        assert only(replay(STORY.format(theirs=QUOTA, event=MOVED), "1.28.3")).verdict == "right"

    def test_the_lines_of_hint_functions_go_with_the_event_they_were_asked_of(self) -> None:
        head = f'    8833 dynamicresources.go:314] "{MODIFIED}" pod="default/peer" claim="default/c"'
        lines = "\n".join(f"|I{clock('0.209')}{head}" for _ in range(MOST + 5))
        story = STORY.format(theirs=QUOTA, event=f"{lines}\n{ASKED}")
        waited = next(one for one in followed(story) if one.pod == "default/web")
        assert waited.window is not None
        node = next(one for one in waited.window.events if one.label == "NodeTaintChange")
        assert len(node.said or ()) == MOST
        assert {line.claims for line in node.said or ()} == {("default/c",)}
        assert waited.asked == ()

    def test_also_where_the_failure_of_the_pod_was_not_seen(self) -> None:
        spoken = f'|I{clock("0.2")}    8833 dynamicresources.go:314] "{MODIFIED}" pod="default/peer" claim="default/c"'
        one = follower()
        follow(one, events(lines(f"{spoken}\n{ASKED}", head=False)))
        (node,) = one.timeline.around(0, at("9"))[0]
        assert [line.pod for line in node.said or ()] == ["default/peer"]
        assert node.answers is None

    def test_nothing_is_kept_where_no_verdict_may_rest_on_it(self) -> None:
        mine = f'|I{clock("0.22005")}    8833 dynamicresources.go:314] "{MODIFIED}" pod="default/web" claim="default/c"'
        story = STORY.format(theirs=QUOTA, event=ASKED).replace("0.220100", f"{mine}\n0.220100")
        claim = '"PreFilter/DynamicResources: pod resource claims" pod="default/web" resourceclaims=["default/mine"]'
        story = story.replace("0.220000", f"|I{clock('0.201')}    8833 dynamicresources.go:551] {claim}\n0.220000")
        one = follower()
        one.deep = False
        waited = next(each for each in follow(one, events(lines(story))) if each.pod == "default/web")
        assert (waited.asked, waited.claims) == ((), None)
        assert waited.window is not None
        assert all((each.said, each.answers) == (None, None) for each in waited.window.events)

    def test_those_of_the_hand_back_go_with_the_attempt(self) -> None:
        mine = f'|I{clock("0.22005")}    8833 dynamicresources.go:314] "{MODIFIED}" pod="default/web" claim="default/c"'
        story = STORY.format(theirs=QUOTA, event="").replace("0.220100", f"{mine}\n0.220100")
        waited = next(one for one in followed(story) if one.pod == "default/web")
        assert [line.message for line in waited.asked] == [MODIFIED]

    def test_but_not_those_of_an_event_just_behind_it(self) -> None:
        mine = f'|I{clock("0.2205")}    8833 dynamicresources.go:314] "{MODIFIED}" pod="default/web" claim="default/c"'
        story = STORY.format(theirs=QUOTA, event="").replace(
            "9.000000", f"{mine}\n0.2206 not-helping web event=NodeAdd\n9.000000"
        )
        waited = next(one for one in followed(story, v=5) if one.pod == "default/web")
        assert list(waited.asked) == []

    def test_the_claims_of_a_pod_are_those_of_its_attempt(self) -> None:
        printed = '"PreFilter/DynamicResources: pod resource claims" pod="default/web" resourceclaims=["default/mine"]'
        story = STORY.format(theirs=QUOTA, event=f"|I{clock('0.201')}    8833 dynamicresources.go:551] {printed}")
        waited = next(one for one in followed(story) if one.pod == "default/web")
        assert waited.claims == frozenset({"default/mine"})
