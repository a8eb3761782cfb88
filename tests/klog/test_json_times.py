"""The time of a JSON record: milliseconds, as klog writes it, seconds, or RFC 3339."""

from __future__ import annotations

import json

import pytest

from klogreplay.intake.order_times import moment
from klogreplay.intake.probe import Look, look
from klogreplay.klog.dialects.json import JsonDialect

MILLIS = 1693512227184.243
MOMENT = moment(b'I0831 20:03:47.184243       1 a.go:1] "m"')


def line(ts: object) -> str:
    return json.dumps({"ts": ts, "caller": "a.go:1", "msg": "m", "v": 2}, separators=(",", ":"))


@pytest.mark.parametrize(
    "ts",
    [
        MILLIS,
        1693512227.184243,
        "2023-08-31T20:03:47.184243Z",
        "2023-08-31T22:03:47.184243+02:00",
        "2023-08-31T20:03:47.184243911Z",
        "2023-08-31T20:03:47.184243",
    ],
)
def test_every_form_is_the_same_time(ts: object) -> None:
    dialect = JsonDialect()
    text = line(ts)
    assert dialect.starts(text)
    header = dialect.parse([text], 1).header
    assert header is not None
    assert header.tsMillis == pytest.approx(MILLIS, abs=0.001)
    assert look(text.encode()) is Look.RECORD
    told = moment(text.encode())
    assert told is not None
    assert MOMENT is not None
    # Milliseconds are read to the third digit where only the order is asked for.
    assert abs(told - MOMENT) <= 1


@pytest.mark.parametrize("ts", [None, [], {}, "", "now", "2023-08-31", "2023-13-31T20:03:47Z", "9" * 40, 1e300])
def test_what_is_no_time_makes_no_record(ts: object) -> None:
    assert not JsonDialect().starts(line(ts))


def test_a_small_number_stays_milliseconds() -> None:
    header = JsonDialect().parse([line(12.5)], 1).header
    assert header is not None
    assert header.tsMillis == 12.5
