"""Where a failed pod went, told from what comes after, where no line says it (1.28.0 below -v=6)."""

from __future__ import annotations

from klogreplay.replay.types import Parking
from tests.replay.build import CPU, RESERVE, only, replay

ONCE = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.210000 unfit       web  "{CPU}"
0.210200 condition   web
"""
"""A first attempt fails: its backoff is one second, the flush comes once a second."""


def parkings(after: str, v: int = 5, release: str = "1.28.0", once: str = ONCE) -> list[Parking]:
    return replay(once + after, release, v).parkings


def told(after: str, v: int = 5, release: str = "1.28.0") -> tuple[str, str, str | None]:
    """Destination, its evidence, and what took the pod out."""
    parking = only(replay(ONCE + after, release, v))
    return parking.destination, parking.destination_evidence, parking.wake_up.event if parking.wake_up else None


class TestMoves:
    """Events move and ask only pods in unschedulablePods; the flush of backoffQ moves only pods in backoffQ."""

    def test_moved_by_an_event_it_was_parked(self) -> None:
        assert told("0.900000 moved web event=NodeAdd queue=Backoff") == ("Unschedulable", "derived", "NodeAdd")

    def test_flushed_by_the_timeout_it_was_parked(self) -> None:
        assert told("0.900000 flushed web") == ("Unschedulable", "derived", "UnschedulableTimeout")

    def test_asked_in_vain_it_was_parked_and_still_is(self) -> None:
        assert told("0.900000 not-helping web event=NodeAdd") == ("Unschedulable", "derived", None)

    def test_updated_into_backoff_it_was_parked(self) -> None:
        assert told("0.900000 pod-update-parked web") == ("Unschedulable", "derived", "PodUpdate")

    def test_backoff_complete_printed_by_the_update_it_was_parked(self) -> None:
        assert told("1.500000 updated-to-active web") == ("Unschedulable", "derived", "BackoffComplete")

    def test_backoff_complete_printed_by_the_flush_it_was_not(self) -> None:
        assert parkings("1.500000 backoff-complete web") == []

    def test_added_anew_after_its_hand_back_nobody_can_tell(self) -> None:
        # The pod was deleted and came again under its name while it was in flight: the new one takes its place.
        once = ONCE.replace("0.210000", "0.205000 deleted web\n0.209900 added web\n0.210000")
        (parking,) = replay(once + "0.212000 new web\n30.0 renewed", v=5).parkings
        assert (parking.destination, parking.wake_up) == ("unknown", None)


class TestQueueRule:
    """1.28.3 at -v=5: every event shows, so that the queue's own rule says where an error went."""

    STORY = f"""
    0.100000 added         web
    0.100020 new           web
    0.200000 popped        web
    0.200010 attempting    web
    {{event}}
    0.210000 plugin-failed web  plugin=Coscheduling
    0.210010 failed        web  '{RESERVE}'
    0.210020 checking      web  plugins= inFlightEventsSize=1 inFlightPodsSize=1
    0.210100 condition     web
    {{after}}
    """

    @classmethod
    def told(cls, after: str) -> tuple[str, str, str | None]:
        parking = only(replay(cls.STORY.format(event="", after=after), "1.28.3", 5))
        return parking.verdict, parking.destination, parking.wake_up.event if parking.wake_up else None

    def test_without_any_event_it_was_parked_even_if_it_is_deleted_before_its_backoff_ends(self) -> None:
        assert self.told("0.900000 deleted web") == ("wrong", "Unschedulable", "PodDelete")

    def test_the_same_name_again(self) -> None:
        assert self.told("0.900000 added web") == ("wrong", "Unschedulable", "re-created")

    def test_with_one_it_went_to_backoff(self) -> None:
        story = self.STORY.format(event="0.205000 received event=NodeAdd", after="0.900000 deleted web")
        assert replay(story, "1.28.3", 5).parkings == []

    def test_deleted_before_its_hand_back_is_surely_over_it_may_have_been_dropped(self) -> None:
        story = self.STORY.replace("0.210100 condition     web", "0.210015 deleted web\n0.210018 gone web")
        (parking,) = replay(story.format(event="", after=""), "1.28.3", 5).parkings
        assert (parking.verdict, parking.destination, parking.wake_up) == ("undecided", "unknown", None)
