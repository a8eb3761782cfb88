"""Backoff times, and the moments at which silence says something."""

from __future__ import annotations

import pytest

from klogreplay.replay.attempts import Attempt
from klogreplay.replay.backoff import BackoffTimes, Deadlines
from klogreplay.replay.rejectors import NOTHING, Own

SECOND = 1_000_000

CONFIG = """apiVersion: kubescheduler.config.k8s.io/v1
parallelism: 16
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 30
"""


def attempt(pod: str) -> Attempt:
    return Attempt(
        pod=pod, number=1, queue_attempts=1, flight=None, t=0, line=1, source=0, text="", is_error=False, err="",
        own=Own(NOTHING, "observed", True),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (9, 10), (10**9, 10), (None, 10)]
)
def test_it_doubles_up_to_the_longest_which_is_also_that_of_an_unknown_count(
    attempts: int | None, seconds: int
) -> None:
    times = BackoffTimes()
    assert times.of(attempts) == seconds * SECOND
    assert not times.configured


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 2), (2, 4), (4, 16), (5, 30), (None, 30)])
def test_the_printed_configuration_counts(attempts: int | None, seconds: int) -> None:
    times = BackoffTimes()
    times.read_config(CONFIG)
    assert times.configured
    assert times.of(attempts) == seconds * SECOND


@pytest.mark.parametrize(
    "config",
    ["", "podInitialBackoffSeconds: 2\n", CONFIG.replace("30", "30000000000"), CONFIG.replace("2", "two")],
    ids=["nothing", "half", "too big to be one", "no number"],
)
def test_a_configuration_that_does_not_say_both_leaves_the_defaults(config: str) -> None:
    times = BackoffTimes()
    times.read_config(config)
    assert not times.configured
    assert (times.of(1), times.of(None)) == (SECOND, 10 * SECOND)


def test_a_shortest_time_above_the_longest_is_the_longest() -> None:
    times = BackoffTimes()
    times.read_config("podInitialBackoffSeconds: 50\npodMaxBackoffSeconds: 5")
    assert times.of(0) == times.of(1) == 5 * SECOND


def test_deadlines_are_passed_in_their_order_and_once() -> None:
    deadlines = Deadlines()
    far_away = deadlines.next_due
    late, early, same = attempt("late"), attempt("early"), attempt("same")
    deadlines.add(300, late)
    deadlines.add(100, early)
    deadlines.add(100, same)
    assert deadlines.next_due == 100
    assert deadlines.passed(100) == []
    assert deadlines.passed(101) == [(100, early), (100, same)]
    assert deadlines.next_due == 300
    assert deadlines.passed(1_000) == [(300, late)]
    assert deadlines.next_due == far_away > 1 << 60
