"""Deleted preemptors that go on holding room."""

from __future__ import annotations

import pytest

from klogreplay.events import types as ev
from klogreplay.rules.base import Case
from klogreplay.rules.queue.kr116_phantom_nomination import PhantomNomination
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.sensors.phantoms import Phantoms
from tests.rules.eventlog import Log
from tests.rules.queue.build import sensed

P, WEB = "a/urgent", "a/web"


def story(
    log: Log, *, pod: str | None = P, deleted: bool = True, late: float = 0.0, then: tuple[ev.SchedulerEvent, ...] = ()
) -> list[ev.SchedulerEvent]:
    told = [log(ev.Attempting, 1, pod=P)]
    if deleted:
        told.append(log(ev.PodDeleted, 1.1, pod=P))
    told.append(log(ev.PreemptorMissing, 1.2, pod=pod, err="not found"))
    told.append(
        log(ev.AttemptFailed, 1.3 + late, pod=P, error=False, err="0/1 nodes are available: 1 Insufficient cpu.")
    )
    return [*told, *then]


@pytest.fixture
def log() -> Log:
    return Log()


def test_a_preemptor_that_was_deleted_in_its_attempt(log: Log) -> None:
    (found,) = sensed(Phantoms, *story(log))
    assert (found.pod, found.rejections, found.dump) == (P, 0, None)
    (found,) = sensed(Phantoms, *story(Log(), pod=None))
    assert found.pod == P


def test_what_is_none(log: Log) -> None:
    assert sensed(Phantoms, *story(log, deleted=False)) == []
    assert sensed(Phantoms, *story(log, pod="a/other")) == []
    assert sensed(Phantoms, *story(log, late=5.0)) == []


def test_what_other_pods_are_short_of_since(log: Log) -> None:
    def failed(t: float, pod: str, reason: str) -> ev.SchedulerEvent:
        found: ev.SchedulerEvent = log(ev.AttemptFailed, t, pod=pod, error=False, err=f"1 {reason}")
        return found

    after = (failed(2, WEB, "Insufficient cpu"), failed(3, WEB, "Insufficient cpu"), failed(4, WEB, "Too many pods"))
    (found,) = sensed(Phantoms, *story(log, then=after))
    assert (found.rejected.t, found.rejections) == (2_000_000, 2)


def test_a_pod_of_the_same_name_starts_afresh(log: Log) -> None:
    assert sensed(Phantoms, *story(log, then=(log(ev.PodAdded, 2, pod=P),))) == []


@pytest.mark.parametrize(("nominated", "grade"), [((P,), "proven"), ((WEB,), None)])
@pytest.mark.parametrize(("release", "known"), [("1.20.2", True), ("1.20.15", False)])
def test_a_dump_of_the_cache_proves_it(
    nominated: tuple[str, ...], grade: str | None, release: str, known: bool, log: Log
) -> None:
    bank = SensorBank([Phantoms])
    for event in story(log, then=(log(ev.NodeDump, 9, nodes=1, placed=(), nominated=nominated),)):
        bank.feed(event)
    findings = list(PhantomNomination().check(Case(parkings=[], release=release, sensed=bank.finish())))
    assert [each.grade for each in findings] == ([grade] if grade and known else [])
