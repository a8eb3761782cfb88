"""What log lines look like from outside: enough to tell a line from what something put around it.

This only guides the choice of wrappers and repairs; what a line says is read in `klogreplay.klog`.
"""

from __future__ import annotations

import re
from enum import IntEnum

import msgspec

DATE = rb"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
TIME = rb"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}"
CALLER = rb"[^ :\]\t\n]{1,255}:[0-9]{1,9}"
HEADER = rb"[IWEF]" + DATE + rb" " + TIME + rb" {1,7}[0-9]{1,7} " + CALLER + rb"\](?: |$)"
"""A klog text header, as an expression over bytes (with `re.MULTILINE`); a test holds it equal to the dialect's."""

_SURE = re.compile(HEADER + rb"|[ \t]*+" + CALLER + rb": [IE]" + DATE + rb" " + TIME + rb"\](?: |$)", re.MULTILINE)
_DAMAGED = re.compile(
    rb"[IWEF]?(?:[0-9]{0,4} )?(?:[0-9:]{0,9}\.[0-9]{1,6} +)?(?:[0-9]{1,7} )?"
    rb"[A-Za-z_][A-Za-z0-9_./-]{0,254}\.go:[0-9]{1,9}\] "
)
_BODY = re.compile(rb'"(?>[^"\\\n]++|\\.)*+"(?: [^ ="\n]{1,64}=|\r?$)', re.MULTILINE)
_FRAMING = (
    b"Log file created at: ",
    b"Log line format: [IWEF]",
    b"=== RUN ",
    b"=== PAUSE ",
    b"=== CONT ",
    b"=== NAME ",
)


class Look(IntEnum):
    """How much a line looks like a record's first; the numbers add up to the score of a reading."""

    NOTHING = 0
    PERHAPS = 1
    """A body without a header, a damaged header, or a line that frames a log file or a test run."""
    RECORD = 2


class _JsonRecord(msgspec.Struct):
    ts: float | str
    msg: str


_JSON = msgspec.json.Decoder(_JsonRecord)


def look(line: bytes) -> Look:
    """What a line, without its line break, looks like."""
    if _SURE.match(line):
        return Look.RECORD
    if line.startswith(b"{"):
        return Look.RECORD if _is_json_record(line) else Look.NOTHING
    if line.startswith(_FRAMING) or _DAMAGED.match(line) or _BODY.match(line):
        return Look.PERHAPS
    return Look.NOTHING


def _is_json_record(line: bytes) -> bool:
    try:
        ts = _JSON.decode(line).ts
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return not isinstance(ts, str) or (ts[:4].isdecimal() and ts[4:5] == "-" and ts[10:11] == "T")
