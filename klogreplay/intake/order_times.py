"""When a line was logged, as far as the order of files asks: read from the line's own header, in whatever dialect.

klog prints no year. Times are microseconds from the start of a leap year; where the logs' years are all known, whole
years are added, else a set of logs is taken to begin behind the longest time of the year without any.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
YEAR_US = 366 * DAY_US

_BEFORE = tuple(accumulate((31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30), initial=0))
_TEXT = re.compile(
    rb"(?<![0-9A-Za-z])[IWEF](0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]) "
    rb"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])\.([0-9]{1,6})[ \]]"
)
_JSON = re.compile(rb'\{"ts":([0-9]{9,16})(?:\.([0-9]{1,9}))?[,}]')
_JSON_TEXT = re.compile(rb'\{"ts":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[-+0-9:.Z]{8,24})"')
_SECONDS_DIGITS = 11
"""A time in JSON with so many digits or less is in seconds, not in milliseconds."""
_BEGINS = re.compile(
    rb"[IWEF](?:0[1-9]|1[0-2])[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{6} "
    rb"|\s*[^ :\]]{1,255}:[0-9]{1,9}: [IE][01]|\{"
)
_LONGEST_PREFIX = 512
_LOOKED_AT = 400
"""A file may end inside a block: the component config, the longest that is recorded, has some 200 lines."""


def moment(line: bytes) -> int | None:
    """When the line was logged, from the start of the year; None of a line without a time."""
    match = _TEXT.search(line, 0, _LONGEST_PREFIX)
    if match is not None:
        month, day, hours, minutes, seconds, fraction = match.groups()
        within = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
        return _day(int(month), int(day)) + within * SECOND_US + int(fraction.ljust(6, b"0"))
    json = _JSON.match(line)
    if json is not None:
        power = 6 if len(json[1]) <= _SECONDS_DIGITS else 3
        return _of_epoch(int(json[1]) * 10**power + int((json[2] or b"").ljust(power, b"0")[:power]))
    written = _JSON_TEXT.match(line)
    return None if written is None else _of_text(written[1].decode())


def begins_record(line: bytes) -> bool:
    """Whether the line looks like the first of a record."""
    return _BEGINS.match(line) is not None


def _day(month: int, day: int) -> int:
    return (_BEFORE[month - 1] + day - 1) * DAY_US


def _of_epoch(micros: int) -> int | None:
    try:
        date = datetime.datetime.fromtimestamp(micros // SECOND_US, tz=datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return _day(date.month, date.day) + micros % DAY_US


def _of_text(text: str) -> int | None:
    try:
        date = datetime.datetime.fromisoformat(text)
        date = date.astimezone(datetime.UTC) if date.tzinfo else date
    except (ValueError, OverflowError):
        return None
    seconds = (date.hour * 60 + date.minute) * 60 + date.second
    return _day(date.month, date.day) + seconds * SECOND_US + date.microsecond


def last_moment(lines: Sequence[bytes]) -> int | None:
    """When the last line that tells it was logged, among the last few."""
    for line in reversed(lines[-_LOOKED_AT:]):
        found = moment(line) if begins_record(line) else None
        if found is not None:
            return found
    return None


class Axis:
    """One axis for the times of several logs. `years` are theirs, where known, in the order of `firsts`."""

    def __init__(self, firsts: Sequence[int | None], years: Sequence[int | None]) -> None:
        self._begin = 0
        known = [(first, year) for first, year in zip(firsts, years, strict=True) if first is not None]
        self._absolute = bool(known) and all(year is not None for _, year in known)
        if not self._absolute:
            self._begin = _behind_the_longest_gap([first for first, _ in known])

    def at(self, time: int, year: int | None, near: int | None = None) -> int:
        """The time on the axis. `near` is a time on the axis that it is close to, in a log that began in `year`."""
        place = year * YEAR_US + time if self._absolute and year is not None else (time - self._begin) % YEAR_US
        if near is not None:
            # A log that goes on past New Year; a few records may be out of order there.
            place += (near - place + YEAR_US // 2) // YEAR_US * YEAR_US
        return place


def _behind_the_longest_gap(times: Iterable[int]) -> int:
    ordered = sorted(set(times))
    if not ordered:
        return 0
    gaps = [
        (later - earlier, -later) for earlier, later in zip(ordered, [*ordered[1:], ordered[0] + YEAR_US], strict=True)
    ]
    return -max(gaps)[1] % YEAR_US


def between(earlier: int, later: int) -> int:
    """Microseconds from one time on an axis to another, where 29 February may or may not have been between them."""
    gap = later - earlier
    leap_day = _day(2, 29)
    if earlier % YEAR_US < leap_day and (later % YEAR_US) >= leap_day + DAY_US and gap >= DAY_US:
        return gap - DAY_US
    return gap
