"""Victims that could not be marked, and preemptors that choose them again."""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.rules.sensors.kept_victims import KeptVictims
from tests.rules.eventlog import Log
from tests.rules.queue.build import sensed

P, V = "a/urgent", "a/batch"
REFUSED = 'Pod "batch" is invalid: status: Invalid value'


def kept(log: Log, t: float, err: str = REFUSED, victim: str | None = V) -> ev.SchedulerEvent:
    found: ev.SchedulerEvent = log(ev.VictimKept, t, preemptor=P, victim=victim, err=err)
    return found


def test_refusals_are_counted_by_preemptor_and_victim() -> None:
    log = Log()
    failed = log(ev.AttemptFailed, 1.5, pod=P, error=False, err="no fit")
    other = log(ev.AttemptFailed, 1.6, pod="a/other", error=False, err="no fit")
    told = [kept(log, 1), failed, other, kept(log, 2), kept(log, 2, victim="a/second")]
    first, second = sensed(KeptVictims, *told)
    assert (first.victim, first.times, first.failed) == (V, 2, failed)
    assert (second.victim, second.times, second.failed) == ("a/second", 1, None)


def test_a_copy_of_a_line_is_no_second_time() -> None:
    log = Log()
    (found,) = sensed(KeptVictims, kept(log, 1), kept(log, 1))
    assert found.times == 1


def test_a_victim_that_is_gone_or_preempted_after_all_is_none() -> None:
    log = Log()
    assert sensed(KeptVictims, kept(log, 1, 'pods "batch" not found')) == []
    assert sensed(KeptVictims, kept(log, 1, victim=None)) == []
    done = log(ev.VictimPreempted, 2, preemptor=P, victim=V)
    assert sensed(KeptVictims, kept(log, 1), done) == []
