"""The log's own clock: from headers to microseconds, and back to text.

klog prints month, day and local time, neither year nor zone. The clock counts microseconds from the start of 1970 where
the year is known, else from the start of the year in which the log begins.
"""

from __future__ import annotations

import calendar
import datetime
from itertools import accumulate

from klogreplay.klog.record import Header

DAY_US = 86_400_000_000
_HALF_YEAR_DAYS = 183
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = tuple(accumulate(_LENGTHS, initial=0))
_BEFORE_LEAP = tuple(accumulate((31, 29, *_LENGTHS[2:]), initial=0))
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_FEBRUARY = 2
_MOST_NAMED = 5
_FIRST_YEAR = 1970
_LAST_YEAR = 9000


class Clock:
    """Turns headers, in log order, into microseconds on one axis.

    `year` is the year of the first record; without it the years are counted from 0 and never printed. A date that jumps
    back by more than half a year is in the next year; one that jumps ahead by more (records a little out of order at
    New Year) in the last.
    """

    def __init__(self, year: int | None = None) -> None:
        self.year_known = year is not None
        self._no_leap_year: int | None = None
        self._impossible: set[tuple[int, int]] = set()
        self._year = year if year is not None else 0
        self._year_given = year is not None
        self._leap_years: set[int] = set()
        self._last_day: int | None = None
        self._used = False
        self._minute: tuple[int, int, str] | None = None
        self._minute_text = ""
        self._minute_us = 0
        self._second_text = ""
        self._second_us = 0
        self._told: tuple[int, bool, int] | None = None
        self._told_date = ""

    @property
    def warnings(self) -> list[str]:
        """What does not fit a calendar."""
        told: list[str] = []
        if self._no_leap_year is not None:
            told.append(f"the log has a 29 February, which {self._no_leap_year} has not: check the year")
        if self._impossible:
            days = sorted(self._impossible)
            named = ", ".join(f"{month:02}{day:02}" for month, day in days[:_MOST_NAMED])
            more = ", …" if len(days) > _MOST_NAMED else ""
            told.append(
                f"{len(days)} date{'s' if len(days) > 1 else ''} in the log that no year has ({named}{more}): "
                "headers are damaged, and what rests on their times may be wrong"
            )
        return told

    # --- the year -----------------------------------------------------------------------------------------------------

    def created(self, year: int, month: int, day: int) -> None:
        """A date with its year, from a klog preamble or a wrapper: the records that follow are close to it.

        A year given to the constructor stays as it is.
        """
        if self._year_given or not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= 31):
            return
        if self._used and not self.year_known:
            return
        self.year_known = True
        self._year = year
        self._last_day = self._day(year, month, day)
        self._forget_minute()

    def created_text(self, stamp: str) -> None:
        """The same from a text that begins with YYYY-MM-DD or YYYY/MM/DD; any other text says nothing."""
        date = stamp[:10].replace("/", "-")
        try:
            parsed = datetime.date.fromisoformat(date)
        except ValueError:
            return
        self.created(parsed.year, parsed.month, parsed.day)

    # --- from headers -------------------------------------------------------------------------------------------------

    def micros(self, header: Header) -> int:
        """The record's time in microseconds; also moves the clock on."""
        time, month, day = header.time, header.month, header.day
        if time is None or month is None or day is None:
            if header.tsMillis is not None:
                return self._micros_of_millis(header.tsMillis)
            raise ValueError("a header without a time")
        if (month, day, time[:5]) != self._minute:
            self._start_minute(month, day, time[:5])
        return self._minute_us + int(time[6:8]) * 1_000_000 + int(time[9:15])

    def micros_text(self, text: str) -> int:
        """The same for "MMDD hh:mm:ss.uuuuuu", the form in which klog prints it."""
        if text[:10] != self._minute_text:
            self._start_minute(int(text[:2]), int(text[2:4]), text[5:10])
            self._minute_text = text[:10]
        return self._minute_us + int(text[11:13]) * 1_000_000 + int(text[14:20])

    def second_of_line(self, line: str) -> int:
        """The same for the second in which a line begins that begins with a klog header."""
        if line[1:15] != self._second_text:
            minute = (int(line[1:3]), int(line[3:5]), line[6:11])
            if minute != self._minute:
                self._start_minute(*minute)
            self._second_us = self._minute_us + int(line[12:14]) * 1_000_000
            self._second_text = line[1:15]
        return self._second_us

    def micros_of_json_line(self, line: str) -> int:
        """The same for a line of JSON that begins with its time in milliseconds, a plain decimal number."""
        millis = float(line[6 : line.index(",", 6)])
        micros = round(millis * 1000)
        if self._used and self.year_known and micros // DAY_US == self._last_day:
            return micros
        return self._micros_of_millis(millis)

    def _start_minute(self, month: int, day: int, time: str) -> None:
        """Remember when the minute "hh:mm" of that day begins: most records are of the same minute as the last."""
        self._minute_us = self._at(month, day) * DAY_US + (int(time[:2]) * 60 + int(time[3:])) * 60_000_000
        self._minute = (month, day, time)

    def _forget_minute(self) -> None:
        self._minute, self._minute_text, self._second_text = None, "", ""

    def _micros_of_millis(self, millis: float) -> int:
        micros = round(millis * 1000)
        if self.year_known or not self._used:
            if not self.year_known:
                self.year_known = True
            self._forget_minute()
            moment = _date(micros // DAY_US)
            self._year, self._last_day, self._used = moment.year, micros // DAY_US, True
            return micros
        moment = _date(micros // DAY_US)
        return self._at(moment.month, moment.day) * DAY_US + micros % DAY_US

    def _at(self, month: int, day: int) -> int:
        """The day's number on the axis, in the year that fits the records so far."""
        self._used = True
        self._forget_minute()
        if (month, day) == (_FEBRUARY, 29):
            self._leap_day()
        elif day > _LENGTHS[month - 1]:
            self._impossible.add((month, day))
        number = self._day(self._year, month, day)
        if self._last_day is not None:
            if number < self._last_day - _HALF_YEAR_DAYS:
                self._year += 1
                number = self._day(self._year, month, day)
            elif number > self._last_day + _HALF_YEAR_DAYS:
                return self._day(self._year - 1, month, day)
        self._last_day = number
        return number

    def _leap_day(self) -> None:
        if not self.year_known:
            self._leap_years.add(self._year)
        elif not calendar.isleap(self._year) and self._no_leap_year is None:
            self._no_leap_year = self._year

    def _day(self, year: int, month: int, day: int) -> int:
        return self._year_start(year) + (_BEFORE_LEAP if self._is_leap(year) else _BEFORE)[month - 1] + day - 1

    def _is_leap(self, year: int) -> bool:
        return calendar.isleap(year) if self.year_known else year in self._leap_years

    def _year_start(self, year: int) -> int:
        if self.year_known:
            within = min(max(year, datetime.MINYEAR), datetime.MAXYEAR)
            return datetime.date(within, 1, 1).toordinal() - _EPOCH
        return 365 * year + sum(leap < year for leap in self._leap_years)

    # --- to text ------------------------------------------------------------------------------------------------------

    def text(self, micros: int) -> str:
        """ "YYYY-MM-DDThh:mm:ss.uuuuuu", or "MM-DDThh:mm:ss.uuuuuu" where the year is not known."""
        day, rest = divmod(micros, DAY_US)
        told = day, self.year_known, len(self._leap_years)
        if told != self._told:
            self._told = told
            self._told_date = _date(day).isoformat() if self.year_known else self._date_without_year(day)
        date = self._told_date
        seconds, fraction = divmod(rest, 1_000_000)
        return f"{date}T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction:06}"

    def _date_without_year(self, day: int) -> str:
        year = day // 365
        while self._year_start(year) > day:
            year -= 1
        before = _BEFORE_LEAP if self._is_leap(year) else _BEFORE
        within = day - self._year_start(year)
        month = next(month for month in range(12, 0, -1) if before[month - 1] <= within)
        return f"{month:02}-{within - before[month - 1] + 1:02}"


def _date(day: int) -> datetime.date:
    return datetime.date.fromordinal(min(max(day + _EPOCH, 1), datetime.date.max.toordinal()))
