"""KR203: how sure it is that one pod was in flight twice."""

from __future__ import annotations

import pytest

from klogreplay.events import types as ev
from klogreplay.replay.types import Grade
from klogreplay.rules.base import Case
from klogreplay.rules.queue.kr203_pod_tracked_twice import POP_FROM_BACKOFF, PodTrackedTwice
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.sensors.tracked_twice import TrackedTwice
from tests.rules.eventlog import Log


def grades(events: list[ev.SchedulerEvent], gates: dict[str, bool | None]) -> list[str]:
    bank = SensorBank([TrackedTwice])
    for event in events:
        bank.feed(event)
    case = Case(parkings=[], release="1.28.0", gates=gates, sensed=bank.finish())
    return [each.grade for each in PodTrackedTwice().check(case)]


@pytest.mark.parametrize(
    ("gates", "grade"),
    [({}, "likely"), ({POP_FROM_BACKOFF: False}, "likely"), ({POP_FROM_BACKOFF: True}, "suspected"),
     ({POP_FROM_BACKOFF: None}, "suspected")],
)  # fmt: skip
def test_a_second_pop_may_be_a_second_attempt_where_backoff_is_no_bar(
    gates: dict[str, bool | None], grade: Grade
) -> None:
    log = Log()
    events = [log(ev.Popped, 1, pod="a"), log(ev.Attempting, 1, pod="a"), log(ev.Popped, 1.5, pod="a")]
    assert grades([*events, log(ev.BindAttempted, 2, pod="a", node="n1")], gates) == [grade]


def test_what_the_scheduler_says_itself_is_proven() -> None:
    log = Log()
    assert grades([log(ev.DuplicateDiscarded, 1, pod="a")], {POP_FROM_BACKOFF: True}) == ["proven"]
