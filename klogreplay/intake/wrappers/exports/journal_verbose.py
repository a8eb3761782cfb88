"""`journalctl -o verbose`: a line with time and cursor for each entry, its fields indented below.

`Thu 2023-08-31 20:03:47.184243 UTC [s=0f…;i=1;…]`, then `    MESSAGE=I0831 …`; a further line of a value is indented by
the width of the name as well. Source: journalctl(1), systemd's logs-show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from klogreplay.intake.batch import Batch, split_lines
from klogreplay.intake.wrappers.base import Sample, stamp_in
from klogreplay.intake.wrappers.exports.base import Gathered

_ENTRY = re.compile(
    rb"[A-Z][a-z]{2} [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} [A-Z0-9+:-]{1,8} "
    rb"\[s=[0-9a-f]{1,64};"
)
_FIELD = re.compile(rb"    _{0,2}+[A-Z][A-Z0-9_]{0,63}=")
_MESSAGE = b"    MESSAGE="
_FURTHER = b" " * len(_MESSAGE)
_MOST_LINES = 10_000


class JournalVerbose:
    """See the module."""

    name = "journald-verbose"
    title = "journalctl -o verbose"
    samples = (
        Sample(
            (
                b"-- Logs begin at Thu 2023-08-31 19:00:01 UTC, end at Thu 2023-08-31 20:10:00 UTC. --",
                b"Thu 2023-08-31 20:03:47.184243 UTC [s=0f1e;i=1;b=2d;m=3c;t=4b;x=5a]",
                b"    _PID=812",
                b'    MESSAGE=I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b"            a second line",
                b"    _HOSTNAME=node-1",
            ),
            (b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"', b"a second line"),
        ),
    )

    def open(self, head: bytes) -> VerboseEntries | None:
        """See `Export`."""
        lines = [line for line in head.split(b"\n", 4) if line and not line.startswith(b"-- ")]
        return VerboseEntries() if lines and _ENTRY.match(lines[0]) else None


class VerboseEntries:
    """Reads line by line."""

    def __init__(self) -> None:
        self.stamp: bytes | None = None

    def batches(self, chunks: Iterable[bytes], limit: int) -> Iterator[Batch]:
        """See `Entries`."""
        gathered = Gathered()
        message: list[bytes] = []
        number = offset = physical = 0
        for batch in split_lines(chunks, limit):
            at = batch.offset
            for line in batch.lines:
                physical += 1
                if message and line.startswith(_FURTHER) and len(message) < _MOST_LINES:
                    message.append(line[len(_FURTHER) :])
                else:
                    if message:
                        gathered.add(b"\n".join(message)[:limit], number, offset)
                        message = []
                    if line.startswith(_MESSAGE):
                        message, number, offset = [line[len(_MESSAGE) :]], physical, at
                    elif _ENTRY.match(line):
                        self.stamp = self.stamp or stamp_in(line)
                    elif not _FIELD.match(line) and not line.startswith((b"        ", b"-- ")) and line.strip():
                        gathered.add(line, physical, at)
                at += len(line) + 1
            yield gathered.batch(physical)
        if message:
            gathered.add(b"\n".join(message)[:limit], number, offset)
        yield gathered.batch(physical)


EXPORT = JournalVerbose()
