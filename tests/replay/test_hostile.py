"""Whatever events come in whatever order: the replay returns, and what it says holds together."""

from __future__ import annotations

import copy
import sys
import time

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from klogreplay.events import types as ev
from klogreplay.events.types import SchedulerEvent
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.types import Parking
from tests.replay.build import CPU, RESERVE, events, lines, replay
from tests.replay.hostile import EVENTS, KINDS, events_of

VERSIONS = st.sampled_from([None, "1.22.6", "1.28.0", "1.28.3", "1.36.2"])


def holds_together(result: ReplayResult) -> None:
    parkings = result.parkings
    assert [(p.source, p.line, p.pod) for p in parkings] == sorted((p.source, p.line, p.pod) for p in parkings)
    for p in parkings:
        assert p.destination in ("Unschedulable", "unknown")
        if p.verdict == "wrong":
            assert p.grade in ("proven", "likely")
            assert p.destination == "Unschedulable"
        if p.verdict == "undecided":
            assert p.grade == "suspected"
            assert p.needs
            assert (p.causes, p.expected_queue) == ([], None)
        if p.parked_us is not None:
            assert p.wake_up is not None
            assert p.parked_us >= 0
        if p.lost_us is not None:
            assert p.parked_us is not None
            assert 0 <= p.lost_us <= p.parked_us
        assert len(p.needs) == len(set(p.needs))
        assert all(cited.text for cited in p.proof)
    assert result.failures >= 0
    assert msgspec.json.decode(msgspec.json.encode(list(parkings)), type=list[Parking]) == parkings


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(EVENTS, max_size=60), VERSIONS)
def test_any_events_in_any_order(told: list[SchedulerEvent], version: str | None) -> None:
    holds_together(analyze_events(told, Options(kubernetes_version=version)))


STORY = f"""
0.100000 added       web
0.100020 new         web
0.200000 popped      web
0.200010 attempting  web
0.205000 node-added  n-1
0.210000 unfit       web  "{CPU}"
0.210100 handed-back web  queue=Unschedulable schedulingCycle=1
0.210200 condition   web
5.000000 flushed     web
5.100000 popped      web
5.100010 attempting  web
5.105000 plugin-failed web plugin=Coscheduling
5.110000 failed      web '{RESERVE}'
5.110100 handed-back web queue=Unschedulable schedulingCycle=2
5.110200 condition   web
36.00000 deleted     web
"""
TOLD = events(lines(STORY))


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(len(TOLD))), st.lists(st.integers(0, len(TOLD) - 1), max_size=6))
def test_a_true_log_shuffled_with_lines_twice(order: list[int], twice: list[int]) -> None:
    told = [TOLD[n] for n in order]
    for n in twice:
        told.insert(n, copy.copy(TOLD[n]))
    holds_together(analyze_events(told))


@settings(max_examples=100, deadline=None)
@given(st.sets(st.integers(0, len(TOLD) - 1)))
@example(set())
def test_a_true_log_with_lines_missing_accuses_nobody_of_more(missing: set[int]) -> None:
    result = analyze_events([event for n, event in enumerate(TOLD) if n not in missing])
    holds_together(result)
    # The first attempt is right; only the second, an error, may be called wrong.
    assert all(p.is_error for p in result.parkings if p.verdict == "wrong")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TOLD)), st.integers(-(10**12), 10**12))
def test_a_clock_that_jumps(at: int, by: int) -> None:
    told = [msgspec.structs.replace(e, t=e.t + by) if n >= at else e for n, e in enumerate(TOLD)]
    holds_together(analyze_events(told))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_each_kind_of_event_alone(kind: type[SchedulerEvent]) -> None:
    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(events_of(kind))
    def run(event: SchedulerEvent) -> None:
        holds_together(analyze_events([event, event]))

    run()


def test_at_every_level_with_and_without_its_beginning() -> None:
    for v in (2, 3, 4, 5, 6):
        for release in ("1.28.0", "1.28.3"):
            for head in (True, False):
                holds_together(replay(STORY, release, v, head=head))


def test_a_hand_back_without_anything_before_it_and_twice() -> None:
    result = replay("0.1 handed-back web queue=Unschedulable schedulingCycle=1\n" * 2, head=False)
    holds_together(result)
    assert [p.verdict for p in result.parkings] == ["undecided"]


def test_many_pods_in_flight_take_no_more_time_each() -> None:
    def spent(pods: int) -> float:
        story = "\n".join(f"0.1 popped pod-{n}" for n in range(pods))
        told = events(lines(story + f"\n0.2 unfit pod-0 '{CPU}'\n0.3 popped web\n0.4 unfit web '{CPU}'"))
        # A tracer, such as that of a coverage run, would be most of what is measured.
        tracer = sys.gettrace()
        sys.settrace(None)
        before = time.process_time()
        try:
            analyze_events(told)
            return time.process_time() - before
        finally:
            sys.settrace(tracer)

    few, many = min(spent(300) for _ in range(3)), spent(3_000)
    assert many < 60 * few + 1


def test_a_failure_that_is_printed_twice_is_not_judged_as_one_that_was_retried_at_once() -> None:
    twice = f"""
    0.100000 added       web
    0.200000 popped      web
    0.210000 unfit       web  "{CPU}"
    0.210000 unfit       web  "{CPU}"
    """
    holds_together(replay(twice))


def test_an_empty_log() -> None:
    result = analyze_events([])
    assert (result.parkings, result.attempts, result.failures, result.verbosity) == ([], 0, 0, None)
    assert isinstance(TOLD[0], ev.SchedulerEvent)
