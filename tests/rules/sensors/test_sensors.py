"""Sensors: who is fed what, what a restart means, and that what they keep is bounded."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from klogreplay.events import types as ev
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.sensors.base import MOST, Handler, Sensed, Sensor, cite_all
from klogreplay.rules.sensors.flights import FlightBook
from klogreplay.rules.sensors.flush_rescues import FlushRescues, duration_us
from klogreplay.rules.sensors.in_flight_ghosts import InFlightGhosts
from klogreplay.rules.sensors.nominations import Nominations
from klogreplay.rules.sensors.preemptions import Preemptions
from klogreplay.rules.sensors.recreated_pods import RecreatedPods
from klogreplay.rules.sensors.registry import SENSORS
from klogreplay.rules.sensors.tracked_twice import TrackedTwice
from tests.rules.eventlog import Log, S


@pytest.fixture
def log() -> Log:
    return Log()


def sensed(kind: type[Sensor[Any]], *events: ev.SchedulerEvent) -> list[Any]:
    bank = SensorBank([kind])
    for event in events:
        bank.feed(event)
    return list(bank.finish().of(kind))


class Bounds(Sensor[str]):
    """Notes the pods that are bound, and where its process ends."""

    def __init__(self, flights: FlightBook) -> None:
        super().__init__(flights)
        self.seen: list[str] = []

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        return {ev.Bound: lambda event: self.seen.append(event.pod)}

    def finish(self) -> list[str]:
        return [*self.seen, "end"]


class Sleeper(Bounds):
    """Wakes when a pod fails."""

    wakers = frozenset({ev.AttemptFailed})

    def handlers(self) -> Mapping[type[ev.SchedulerEvent], Handler]:
        return {**super().handlers(), ev.AttemptFailed: self.wake}

    def wake(self, event: ev.AttemptFailed) -> None:
        self.seen.append(f"wake {event.pod} {event.pod in self.flights.open}")
        self.awake = True


def bound(log: Log, pod: str, t: float = 1) -> Any:
    return log(ev.Bound, t, pod=pod, node="n")


def test_a_sensor_gets_only_what_it_wants(log: Log) -> None:
    assert sensed(Bounds, log(ev.Popped, 0, pod="a"), bound(log, "a")) == ["a", "end"]


def test_a_sensor_sleeps_until_what_may_wake_it_does(log: Log) -> None:
    failed = log(ev.AttemptFailed, 2, pod="b", err="no", error=False)
    events = [bound(log, "a"), log(ev.Popped, 1, pod="b"), failed, bound(log, "c", 3)]
    assert sensed(Sleeper, *events) == ["wake b True", "c", "end"]


def test_each_process_has_sensors_of_its_own() -> None:
    one, two = Log(1), Log(2)
    assert sensed(Bounds, bound(one, "a"), bound(two, "b"), bound(one, "c")) == ["a", "c", "end", "b", "end"]


def test_a_start_in_the_same_process_id_is_a_new_process(log: Log) -> None:
    start = ev.SchedulerStarted
    found = sensed(Bounds, log(start, 0, version="v1"), bound(log, "a"), log(start, 2, version="v1"), bound(log, "b"))
    assert found == ["a", "end", "b", "end"]


def test_flags_before_the_first_work_start_nothing_new(log: Log) -> None:
    flag = log(ev.Flag, 0, name="v", value="5")
    assert sensed(Bounds, flag, log(ev.SchedulerStarted, 0, version="v1"), bound(log, "a")) == ["a", "end"]


def test_events_without_a_process_id_belong_to_the_last_one() -> None:
    first, nameless = Log(7), Log(None)
    assert sensed(Bounds, bound(first, "a"), bound(nameless, "b")) == ["a", "b", "end"]


def test_evidence_is_capped(log: Log) -> None:
    assert len(sensed(Bounds, *(bound(log, str(n)) for n in range(MOST + 5)))) == MOST


def test_nothing_is_sensed_where_no_sensor_was() -> None:
    assert Sensed().of(Bounds) == ()


def test_proof_is_in_the_order_of_the_log_and_names_a_line_once(log: Log) -> None:
    one, two = bound(log, "a"), bound(log, "b")
    proof = cite_all([(two, "second"), (None, "nothing"), (one, "first"), (one, "again")])
    assert [(cited.line, cited.says) for cited in proof] == [(1, "first"), (2, "second")]


def test_sensors_are_registered_once() -> None:
    assert len(set(SENSORS)) == len(SENSORS) == len({sensor.__module__ for sensor in SENSORS})


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("5m0s", 300 * S),
        ("1h", 3600 * S),
        ("90s", 90 * S),
        ("1.5s", 1_500_000),
        ("250ms", 250_000),
        ("1h2m3s", 3723 * S),
    ],
)
def test_durations_as_go_prints_them(text: str, us: int) -> None:
    assert duration_us(text) == us


@pytest.mark.parametrize("text", ["", "5", "5x", "m5", "5m 0s", "-5m", "5m0s!", "٥s", "9" * 400 + "s"])
def test_what_is_no_duration(text: str) -> None:
    assert duration_us(text) is None


def test_a_pod_deleted_after_its_failure_is_not_recreated_in_flight(log: Log) -> None:
    events = [
        log(ev.Popped, 1, pod="a"),
        log(ev.Attempting, 1, pod="a"),
        log(ev.AttemptFailed, 2, pod="a", error=False, err=""),
        log(ev.PodDeleted, 3, pod="a"),
        log(ev.PodAdded, 3, pod="a"),
    ]
    assert sensed(RecreatedPods, *events) == []


@pytest.mark.parametrize(("err", "late"), [('running PreBind plugin "X": no', True), ("no room", False)])
def test_recreated_pods_tell_where_the_attempt_failed(err: str, late: bool, log: Log) -> None:
    events = [
        log(ev.Popped, 1, pod="a"),
        log(ev.PodDeleted, 2, pod="a"),
        log(ev.PodAdded, 2, pod="a"),
        log(ev.AttemptFailed, 3, pod="a", error=True, err=err),
    ]
    (found,) = sensed(RecreatedPods, *events)
    assert found.after_permit is late
    assert found.refused is None


def ghosts(log: Log, *events: Any, started: bool = True) -> list[Any]:
    start = [log(ev.SchedulerStarted, 0, version="v1.32.2")] if started else []
    return sensed(InFlightGhosts, *start, *events)


def test_ghosts_need_the_start_of_the_log(log: Log) -> None:
    received = log(ev.EventReceived, 10, event="NodeAdd")
    assert ghosts(log, received, started=False) == []
    assert ghosts(log, received)[0].idle is received


def test_an_attempt_that_has_just_ended_may_still_be_counted(log: Log) -> None:
    attempt = [log(ev.Popped, 1, pod="a"), bound(log, "a", 2)]
    assert ghosts(log, *attempt, log(ev.EventReceived, 3.9, event="NodeAdd")) == []
    assert len(ghosts(log, *attempt, log(ev.EventReceived, 4.1, event="NodeAdd"))) == 1


def test_numbers_are_compared(log: Log) -> None:
    def checked(pods: int) -> list[Any]:
        failed = log(ev.AttemptFailed, 2, pod="a", error=False, err="")
        check = log(ev.InFlightEventsChecked, 2, pod="a", plugins=frozenset(), events_size=9, pods_size=pods)
        return ghosts(log, log(ev.Popped, 1, pod="a"), log(ev.Popped, 1, pod="b"), failed, check)

    assert checked(2) == []
    (found,) = checked(4)
    assert (found.excess, found.events, found.idle) == (2, 9, None)


def test_a_pop_in_the_middle_of_a_binding(log: Log) -> None:
    first, attempting = log(ev.Popped, 1, pod="a"), log(ev.Attempting, 1, pod="a")
    update = log(ev.Moved, 2, pod="a", event="PodUpdate", queue="Active")
    binding = log(ev.BindAttempted, 9, pod="a", node="n1")
    for later, moves in ((1.5, []), (8, [update])):
        second = log(ev.Popped, later, pod="a")
        (found,) = sensed(TrackedTwice, first, attempting, *moves, second, binding)
        assert (found.how, found.first, found.second) == ("popped", first, second)
    assert sensed(TrackedTwice, first, attempting, log(ev.Popped, 8, pod="a"), binding) == []


def test_a_pop_after_a_hand_back_whose_failure_line_was_lost(log: Log) -> None:
    first, attempting = log(ev.Popped, 1, pod="a"), log(ev.Attempting, 1, pod="a")
    back = log(ev.Moved, 1.1, pod="a", event="ScheduleAttemptFailure", queue="Unschedulable")
    again, binding = log(ev.Popped, 1.5, pod="a"), log(ev.BindAttempted, 9, pod="a", node="n1")
    assert sensed(TrackedTwice, first, attempting, back, again, binding) == []


def test_two_attempts_in_a_row_may_be_a_lost_line(log: Log) -> None:
    events = [log(kind, t, pod="a") for t in (1, 2) for kind in (ev.Popped, ev.Attempting)]
    assert sensed(TrackedTwice, *events, log(ev.BindAttempted, 3, pod="a", node="n1")) == []


def test_a_bound_pod_that_is_tried_again(log: Log) -> None:
    events = [bound(log, "a"), log(ev.Popped, 2, pod="a"), log(ev.AttemptFailed, 2, pod="a", error=False, err="")]
    (found,) = sensed(TrackedTwice, *events, log(ev.PodGone, 2, pod="a", reason="assigned"))
    assert (found.how, found.first) == ("assigned", events[1])
    assert sensed(TrackedTwice, *events, log(ev.PodGone, 2, pod="a", reason="not-in-informer")) == []


def test_an_end_without_a_beginning_clears_the_books(log: Log) -> None:
    received = log(ev.EventReceived, 10, event="NodeAdd")
    assert len(ghosts(log, received)) == 1
    assert ghosts(log, received, bound(log, "unseen", 11)) == []


def test_the_two_lines_of_one_pop_are_one_attempt(log: Log) -> None:
    assert sensed(TrackedTwice, log(ev.Popped, 1, pod="a"), log(ev.Attempting, 1, pod="a")) == []


def test_a_copied_line_is_no_second_attempt(log: Log) -> None:
    kinds = (ev.Popped, ev.Popped, ev.Attempting, ev.Attempting, ev.Popped)
    assert sensed(TrackedTwice, *(log(kind, 1, pod="a") for kind in kinds)) == []


def test_a_refusal_long_after_belongs_to_another_attempt(log: Log) -> None:
    events = [
        log(ev.Popped, 1, pod="a"),
        log(ev.AttemptFailed, 2, pod="a", error=False, err=""),
        log(ev.AttemptFailed, 3, pod="a", error=True, err="the old pod's"),
        log(ev.RequeueRefused, 3, pod="a", where="unschedulable", err=""),
    ]
    assert sensed(TrackedTwice, *events) == []


def wait(log: Log, *between: Any, flush: float = 330.0) -> list[Any]:
    fields = {"queue": "Active", "hint": None}
    return [
        log(ev.AttemptFailed, 1, pod="a", error=False, err="no room"),
        log(ev.Moved, 1, pod="a", event="ScheduleAttemptFailure", queue="Unschedulable"),
        *between,
        log(ev.Moved, flush, pod="a", event="UnschedulableTimeout", **fields),
        log(ev.Popped, flush, pod="a"),
        bound(log, "a", flush),
    ]


def test_many_preemptors_of_one_victim_cost_no_square(log: Log) -> None:
    events = []
    for n in range(20_000):
        events.append(log(ev.PreemptionLine, 1, pod=str(n), message="Start the preemption asynchronously"))
        events.append(log(ev.VictimPreempted, 1, preemptor=str(n), victim="low", node="n1"))
    events += [log(ev.PodDeleted, 2, pod=str(n)) for n in range(20_000)]
    started = time.process_time()
    sensed(Preemptions, *events)
    assert time.process_time() - started < 2


def test_rescue_by_the_flush(log: Log) -> None:
    asked = [log(ev.EventNotHelping, t, pod="a", event="NodeAdd") for t in (5, 6)]
    (found,) = sensed(FlushRescues, *wait(log, *asked))
    assert (found.waited_us, found.asked[0].count, found.asked[0].last) == (329 * S, 2, asked[1])


@pytest.mark.parametrize("queue", ["Active", "Backoff"])
def test_a_pod_that_an_event_moved_was_not_rescued(queue: str, log: Log) -> None:
    assert sensed(FlushRescues, *wait(log, log(ev.Moved, 5, pod="a", event="NodeAdd", queue=queue))) == []


def test_a_second_failure_after_the_flush_is_no_rescue(log: Log) -> None:
    events = wait(log)
    events.insert(-1, log(ev.AttemptFailed, 331, pod="a", error=False, err="no room"))
    assert sensed(FlushRescues, *events) == []


def test_a_deleted_pod_is_forgotten(log: Log) -> None:
    assert sensed(FlushRescues, *wait(log, log(ev.PodDeleted, 5, pod="a"))) == []


def test_silence_below_the_limit_is_nothing(log: Log) -> None:
    failed = log(ev.AttemptFailed, 1, pod="a", error=False, err="no room")
    assert sensed(FlushRescues, failed, bound(log, "a", 60.9)) == []
    (found,) = sensed(FlushRescues, failed, bound(log, "a", 61))
    assert (found.flush, found.off_tick_us) == (None, None)


def test_ticks_count_from_the_lease(log: Log) -> None:
    failed = log(ev.AttemptFailed, 1, pod="a", error=False, err="no room")
    lease = log(ev.LeaderElection, 0.5, what="acquired")
    (found,) = sensed(FlushRescues, lease, failed, bound(log, "a", 91))
    assert (found.ticks, found.off_tick_us) == (3, 500_000)


def test_nominations_that_ended(log: Log) -> None:
    nominated = log(ev.VictimPreempted, 1, preemptor="high", victim="low", node="n1")
    elsewhere = log(ev.Bound, 2, pod="high", node="n2")
    (found,) = sensed(Nominations, nominated, elsewhere)
    assert (found.how, found.node, found.event) == ("elsewhere", "n1", elsewhere)
    assert sensed(Nominations, nominated, log(ev.Bound, 2, pod="high", node="n1")) == []


def test_a_nominated_pod_that_is_being_bound_is_not_deleted(log: Log) -> None:
    nominated = log(ev.VictimPreempted, 1, preemptor="high", victim="low", node="n1")
    binding = log(ev.BindAttempted, 2, pod="high", node="n1")
    gone = log(ev.PodDeleted, 3, pod="high")
    assert sensed(Nominations, nominated, binding, gone) == []
    assert [each.how for each in sensed(Nominations, nominated, gone)] == ["deleted"]


def preemption(log: Log, *, victim_gone_at: float | None, woken_at: float | None) -> list[Any]:
    events = [
        log(ev.Moved, 1, pod="high", event="ScheduleAttemptFailure", queue="Unschedulable"),
        log(ev.PreemptionLine, 1, pod="high", message="Start the preemption asynchronously"),
        log(ev.Moved, 1, pod="high", event="ScheduleAttemptFailure", queue="Unschedulable"),
        log(ev.VictimPreempted, 2, preemptor="high", victim="low", node="n1"),
    ]
    gone = log(ev.AssignedPodDeleted, victim_gone_at or 0, pod="low")
    finish = log(ev.PreemptionLine, 3, pod="high", message="Async Preemption finished completely")
    events += [gone, finish] if victim_gone_at and victim_gone_at < 3 else [finish]
    if victim_gone_at and victim_gone_at >= 3:
        events.append(gone)
    if woken_at:
        events.append(log(ev.Moved, woken_at, pod="high", event="AssignedPodDelete", queue="Active"))
    return events


@pytest.mark.parametrize(
    ("victim_gone_at", "woken_at", "held"),
    [(2.5, 400, True), (2.5, 3.01, False), (50, 50, False), (None, 400, False)],
)
def test_only_a_preemptor_with_nothing_to_wait_for_is_held(
    victim_gone_at: float | None, woken_at: float, held: bool, log: Log
) -> None:
    """A slow victim is no bug: the preemptor waits for its deletion."""
    found = sensed(Preemptions, *preemption(log, victim_gone_at=victim_gone_at, woken_at=woken_at))
    assert [each.held is not None for each in found] == ([True] if held else [])
    if held:
        assert found[0].held.until_t - found[0].held.finish.t == 397 * S
