"""The report's parkings are made when they are asked for, and say the same in each way that they are made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from klogreplay.cli.run import Request, analyse
from klogreplay.replay.parkings import ParkingStore
from klogreplay.replay.types import ConcurrentEvent, Parking, WakeUp
from klogreplay.report.formats import FORMATS, render
from klogreplay.report.formats.json import ONE_LINE, parking_json, pieces
from klogreplay.report.model import Analysis, ParkingOut
from klogreplay.report.rows import Rows, counts_of, needs_of, summary_of
from tests.replay.test_parkings import parkings
from tests.report.test_sanitize import ATTACKS
from tests.samples import S, analysis, clock, missed, parking, right, undecided


def same(rows: Rows) -> None:
    """The rows written by hand are those of the models, byte for byte."""
    for placed in (False, True):
        written = list(rows.json(placed=placed))
        assert written == [parking_json(row, placed=placed) for row in rows]
    for line, row in zip(written, rows, strict=True):
        assert line.isascii()
        assert ParkingOut.model_validate_json(line) == row


@settings(deadline=None)
@given(parkings())
def test_any_parking_is_written_as_its_model(one: Parking) -> None:
    same(Rows(ParkingStore([one]), lambda t: clock(t % (86_400 * S))))


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_in_every_place(attack: str) -> None:
    event = ConcurrentEvent(attack, attack, None, None, "unknown", "unknown", attack, 1)
    hostile = parking(
        pod=attack, process=attack, error=attack, stale_plugins=(attack, "A"), rejector_plugins=(attack, "A"),
        concurrent_events=[event, event], wake_up=WakeUp(attack, 9, 430 * S, attack), needs=[attack],
    )  # fmt: skip
    bare = right(rejector_plugins=None, cycle=None, parked_us=None, wake_up=None, timed=False, expected_queue=None)
    same(Rows(ParkingStore([hostile, bare, missed(parked_us=1, lost_us=0), undecided(), hostile]), clock))


def test_the_recorded_logs_here(fixtures: Path) -> None:
    logs = sorted((fixtures / "analyze").glob("*.log"))[:12]
    told = [analyse(Request(paths=[str(log)])) for log in logs]
    for each in told:
        assert isinstance(each.parkings, Rows)
        same(each.parkings)
    assert sum(len(each.parkings) for each in told) > 20


@pytest.mark.recorded
@pytest.mark.slow
def test_the_recorded_logs(recorded: Path) -> None:
    logs = sorted((recorded / "sched-logs").glob("*/S1*/seed1-v5/scheduler.log*"))
    assert len(logs) > 20
    for log in logs:
        told = analyse(Request(paths=[str(log)]))
        assert isinstance(told.parkings, Rows)
        same(told.parkings)


@pytest.mark.parametrize("inputs", [1, 2])
@pytest.mark.parametrize("name", FORMATS)
def test_a_report_read_back_says_the_same(name: str, inputs: int) -> None:
    made = analysis(parking(), right(), missed(), undecided(), undecided(needs=["a", "b"]), inputs=inputs)
    read_back = Analysis.model_validate(made.model_dump(mode="json", by_alias=True))
    assert isinstance(read_back.parkings, list)
    assert list(made.parkings) == read_back.parkings
    assert render(name, read_back) == render(name, made)
    assert summary_of(read_back.parkings) == summary_of(made.parkings)
    assert needs_of(read_back.parkings) == needs_of(made.parkings)
    assert counts_of(read_back.parkings) == {"wrong": 2, "right": 1, "undecided": 2}


def test_on_one_line_for_a_stream_of_objects() -> None:
    made = analysis(parking(), right(), undecided())
    line = "".join(pieces(made, ONE_LINE))
    assert "\n" not in line
    assert line == json.dumps(json.loads(line)) == json.dumps(json.loads(render("json", made)))


def test_rows_are_a_sequence() -> None:
    rows = Rows(ParkingStore([right(line=n) for n in range(5)]), clock)
    assert [row.line for row in rows[1:4]] == [1, 2, 3]
    assert rows[-1].line == 4
    with pytest.raises(IndexError):
        rows[5]
