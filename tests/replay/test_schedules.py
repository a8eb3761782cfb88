"""Random true schedules of the reference queue, told as logs: what the replay says of them must be true."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from klogreplay.replay.types import Parking
from tests.replay.build import at, replay
from tests.replay.goroutines import SECOND, Draw
from tests.replay.schedules import Attempt, Schedule

LOGS = [("1.28.0", 6), ("1.28.0", 5), ("1.28.0", 4), ("1.28.0", 3), ("1.28.3", 6), ("1.28.3", 5)]
FROM_HERE_ALL_IS_SHOWN = 5

CHOICES = st.one_of(
    st.binary(min_size=60, max_size=700),
    st.integers(0, 1 << 32).map(lambda seed: random.Random(seed).randbytes(700)),
)
"""Bytes as Hypothesis likes them, and shrinks them; and bytes without any pattern, which make more happen."""
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]
# Shrinking a schedule takes minutes, and its story is short enough to be read as it is.
PHASES = (Phase.explicit, Phase.generate)


def played(release: str, choices: bytes) -> Schedule:
    schedule = Schedule(release, Draw(list(choices)))
    schedule.run(170)
    schedule.finish()
    return schedule


def really(schedule: Schedule, parking: Parking) -> Attempt | None:
    """The attempt that the parking speaks of."""
    t = parking.t - at("0")
    return next(
        (a for a in schedule.attempts if f"default/{a.pod}" == parking.pod and a.failed <= t <= a.back),
        None,
    )


def check(release: str, v: int, choices: bytes) -> None:
    schedule = played(release, choices)
    story = schedule.story()
    listed: set[int] = set()
    for parking in replay(story, release, v).parkings:
        attempt = really(schedule, parking)
        if attempt is None:
            # The schedule ended between the failure line and the hand-back.
            assert parking.t - at("0") > schedule.now - SECOND // 100
            assert (parking.destination, parking.verdict == "wrong") == ("unknown", False)
            continue
        listed.add(id(attempt))
        assert parking.is_error == attempt.is_error
        if parking.destination == "Unschedulable":
            assert attempt.queue == "Unschedulable", story
            if v >= FROM_HERE_ALL_IS_SHOWN:
                assert (parking.wake_up.event if parking.wake_up else None) == attempt.left_by, story
        if parking.verdict == "wrong":
            assert (attempt.queue, attempt.should) == ("Unschedulable", "Backoff"), story
        if (parking.verdict, parking.grade) == ("right", "proven") and attempt.queue == "Unschedulable":
            assert attempt.should == "Unschedulable", story
    for attempt in schedule.attempts:
        assert id(attempt) in listed or attempt.queue != "Unschedulable", story


@pytest.mark.parametrize(("release", "v"), LOGS)
def test_accuses_nobody_and_claims_nothing_untrue(release: str, v: int) -> None:
    @settings(max_examples=100, deadline=None, phases=PHASES, suppress_health_check=QUIET, database=None)
    @given(CHOICES)
    def run(choices: bytes) -> None:
        check(release, v, choices)

    run()


@pytest.mark.slow
@pytest.mark.parametrize(("release", "v"), LOGS)
def test_the_same_of_many_more_schedules(release: str, v: int) -> None:
    @settings(max_examples=1_500, deadline=None, phases=PHASES, suppress_health_check=QUIET, database=None)
    @given(CHOICES)
    def run(choices: bytes) -> None:
        check(release, v, choices)

    run()


def test_the_schedules_hold_what_they_are_to_hold() -> None:
    """Fits and errors, parked rightly and wrongly, by missed events and by stale plugins, refused and gone."""
    seen: set[tuple[str, str, bool]] = set()
    for seed in range(60):
        schedule = played("1.28.0", random.Random(seed).randbytes(700))
        seen |= {(a.queue, a.should, a.is_error) for a in schedule.attempts}
    assert seen >= {
        ("Unschedulable", "Unschedulable", False),
        ("Unschedulable", "Backoff", False),
        ("Unschedulable", "Backoff", True),
        ("Backoff", "Backoff", False),
        ("Backoff", "Backoff", True),
    }
