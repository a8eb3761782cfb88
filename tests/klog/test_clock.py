"""The log's own clock."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.klog.clock import DAY_US, Clock
from klogreplay.klog.record import Header

SECOND = 1_000_000


def header(month: int, day: int, time: str = "00:00:00.000000") -> Header:
    return Header("I", "a.go", 1, month, day, time, 1)


def at(clock: Clock, month: int, day: int, time: str = "00:00:00.000000") -> str:
    return clock.text(clock.micros(header(month, day, time)))


@given(st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2200, 1, 1)))
def test_a_known_year_counts_from_1970(moment: datetime.datetime) -> None:
    clock = Clock(moment.year)
    micros = clock.micros(header(moment.month, moment.day, moment.strftime("%H:%M:%S.%f")))
    assert micros == (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
    assert clock.text(micros) == moment.isoformat(timespec="microseconds")
    assert Clock(moment.year).micros_text(moment.strftime("%m%d %H:%M:%S.%f")) == micros


@given(st.dates(datetime.date(2000, 1, 1), datetime.date(2000, 12, 31)), st.times())
def test_without_a_year_text_has_none(date: datetime.date, time: datetime.time) -> None:
    printed = f"{time.isoformat(timespec='microseconds')}"
    assert at(Clock(), date.month, date.day, printed) == f"{date.month:02}-{date.day:02}T{printed}"


def test_new_year_moves_on() -> None:
    clock = Clock(2023)
    assert at(clock, 12, 31, "23:59:59.999999") == "2023-12-31T23:59:59.999999"
    assert at(clock, 1, 1) == "2024-01-01T00:00:00.000000"
    assert at(clock, 12, 31, "23:59:59.999999") == "2023-12-31T23:59:59.999999"
    assert at(clock, 1, 2) == "2024-01-02T00:00:00.000000"


def test_new_year_moves_on_without_a_year() -> None:
    clock = Clock()
    before = clock.micros(header(12, 31, "23:59:59.000000"))
    assert clock.micros(header(1, 1)) - before == SECOND
    assert clock.text(before + SECOND) == "01-01T00:00:00.000000"
    assert clock.year_known is False


@pytest.mark.parametrize("text", [False, True])
def test_the_whole_year_without_a_year(text: bool) -> None:
    clock, last = Clock(), -DAY_US
    for day in range(800):
        date = datetime.date(2021, 1, 1) + datetime.timedelta(days=day)
        micros = (
            clock.micros_text(date.strftime("%m%d 00:00:00.000000"))
            if text
            else clock.micros(header(date.month, date.day))
        )
        assert micros - last == DAY_US
        assert clock.text(micros) == date.strftime("%m-%dT00:00:00.000000")
        last = micros


def test_29_february_without_a_year() -> None:
    clock = Clock()
    first = clock.micros(header(2, 28))
    leap = clock.micros(header(2, 29))
    march = clock.micros(header(3, 1))
    assert (leap - first, march - leap) == (DAY_US, DAY_US)
    assert [clock.text(micros) for micros in (first, leap, march)] == [
        "02-28T00:00:00.000000",
        "02-29T00:00:00.000000",
        "03-01T00:00:00.000000",
    ]


def test_29_february_in_a_year_without_one_is_told() -> None:
    clock = Clock(2023)
    assert at(clock, 2, 29) == "2023-03-01T00:00:00.000000"
    assert clock.warnings == ["the log has a 29 February, which 2023 has not: check the year"]


def test_dates_that_no_year_has_are_told() -> None:
    clock = Clock()
    for day in (28, 30, 31, 30):
        clock.micros(header(2, day))
    clock.micros(header(4, 31))
    assert clock.warnings == [
        "3 dates in the log that no year has (0230, 0231, 0431): "
        "headers are damaged, and what rests on their times may be wrong"
    ]


def test_a_file_preamble_gives_the_year_and_the_next_one_corrects_it() -> None:
    clock = Clock()
    clock.created(2022, 12, 31)
    assert at(clock, 1, 1) == "2023-01-01T00:00:00.000000"
    clock.created_text("2025/03/01 10:00:00")
    assert at(clock, 3, 2) == "2025-03-02T00:00:00.000000"


def test_a_wrapper_in_utc_may_be_in_another_year() -> None:
    clock = Clock()
    clock.created_text("2024-01-01T01:00:00Z")
    assert at(clock, 12, 31, "20:00:00.000000") == "2023-12-31T20:00:00.000000"
    assert at(clock, 1, 1) == "2024-01-01T00:00:00.000000"


def test_a_given_year_stays() -> None:
    clock = Clock(2020)
    clock.created(2022, 5, 1)
    assert at(clock, 5, 1) == "2020-05-01T00:00:00.000000"


@pytest.mark.parametrize("stamp", ["", "2023-13-01", "0000-01-01", "yesterday", "99999-01-01", "２０２３-01-01"])
def test_a_stamp_that_is_no_date_gives_no_year(stamp: str) -> None:
    clock = Clock()
    clock.created_text(stamp)
    assert clock.year_known is False


def test_a_date_that_comes_after_records_without_a_year_changes_nothing() -> None:
    clock = Clock()
    first = clock.micros(header(8, 31))
    clock.created(2023, 8, 31)
    assert clock.micros(header(8, 31)) == first
    assert clock.text(first) == "08-31T00:00:00.000000"


def test_json_times_are_utc() -> None:
    clock = Clock()
    micros = clock.micros(Header("I", "a.go", 1, tsMillis=1693512227184.243))
    assert micros == 1693512227184243
    assert clock.text(micros) == "2023-08-31T20:03:47.184243"
    assert at(clock, 8, 31, "20:03:48.000000") == "2023-08-31T20:03:48.000000"


def test_json_times_between_records_without_a_year_stay_on_their_axis() -> None:
    clock = Clock()
    first = clock.micros(header(8, 31, "20:03:46.184243"))
    assert clock.micros(Header("I", "a.go", 1, tsMillis=1693512227184.243)) - first == SECOND


@pytest.mark.parametrize("millis", [-2e14, 2e14])
def test_json_times_at_the_ends_of_the_calendar_do_not_fail(millis: float) -> None:
    clock = Clock()
    assert len(clock.text(clock.micros(Header("I", "a.go", 1, tsMillis=millis)))) == 26
    assert at(clock, 1, 1) is not None


def test_a_header_without_a_time_is_an_error() -> None:
    with pytest.raises(ValueError, match="without a time"):
        Clock().micros(Header("I", "a.go", 1))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 31)), max_size=30), st.none() | st.integers(1970, 2100))
def test_any_order_of_dates_is_taken(dates: list[tuple[int, int]], year: int | None) -> None:
    clock = Clock(year)
    for month, day in dates:
        assert clock.text(clock.micros(header(month, day)))
