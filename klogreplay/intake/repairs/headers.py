"""Headers that lost something: the severity, the date, the process id, or all but the end.

A copy may begin a column too late, an export may keep the time in a column of its own. What is left tells that a record
begins; the rest is known from the records before. klog prints an error's text as the first pair, which tells an error.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from klogreplay.intake.probe import CALLER, DATE, TIME

COMPLETED = "headers without {missing} were completed"
WITHOUT_TIME = "headers are cut off: their records were read without a time"
NO_DATE = "headers have no date: it was taken for 1 January"

_LEFT = re.compile(
    rf"(?:(?P<severity>[IWEF])?(?P<date>{DATE.decode()}) )?"
    rf"(?:(?P<time>{TIME.decode()}) | ?[0-9:.]{{1,14}} )?"
    rf" {{0,7}}(?:(?P<process>[0-9]{{1,7}}) )?(?P<caller>{CALLER.decode()})\] "
)
_ENDS_NEAR = 80
_IS_ERROR = re.compile(r'"(?:[^"\\]++|\\.)*+" err=')


class Mended(NamedTuple):
    """A line as it has to be read, and what was wrong with it. An empty text: it is no line of the log."""

    text: str
    damage: str


class Known(NamedTuple):
    """What the last whole header of the log tells: month and day as klog prints them, the process id."""

    date: str | None = None
    process: int | None = None


def mend(line: str, known: Known) -> Mended | None:
    """The line with a whole header, or without any where the time is lost; None where it has no remains of one."""
    if ".go:" not in line[:_ENDS_NEAR]:
        return None
    left = _LEFT.match(line)
    if left is None:
        return None
    body = line[left.end() :]
    time = left["time"]
    if time is None:
        return Mended(body, WITHOUT_TIME) if body.startswith('"') else None
    date = left["date"] or known.date
    missing = [
        name
        for name, there in (("severity", left["severity"]), ("date", left["date"]), ("process id", left["process"]))
        if not there
    ]
    severity = left["severity"] or ("E" if _IS_ERROR.match(body) else "I")
    process = left["process"] or str(known.process or 1)
    header = f"{severity}{date or '0101'} {time} {process:>7} {left['caller']}] "
    damage = NO_DATE if date is None else COMPLETED.format(missing=" and ".join(missing))
    return Mended(header + body, damage)
