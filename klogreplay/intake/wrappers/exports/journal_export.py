"""`journalctl -o export`: the fields of each entry on lines of their own, an empty line behind each entry.

`MESSAGE=I0831 …`; a value that is not plain text follows its name on the next line, after its length in 8 bytes.
Source: systemd's Journal Export Format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from klogreplay.intake.batch import Batch
from klogreplay.intake.wrappers.base import Sample
from klogreplay.intake.wrappers.exports.base import Gathered, Growing, remaining_lines
from klogreplay.intake.wrappers.json_lines import stamp_of_millis

_BEGINS = re.compile(rb"(?:__CURSOR=[^\n]*\n)?__REALTIME_TIMESTAMP=[0-9]{10,20}\n")
_NAME = re.compile(rb"[A-Z0-9_]{1,64}\Z")
_LENGTH = 8


class JournalExport:
    """See the module."""

    name = "journald-export"
    title = "journalctl -o export"
    samples = (
        Sample(
            (
                b"__CURSOR=s=0f;i=1",
                b"__REALTIME_TIMESTAMP=1693512227184243",
                b"_PID=812",
                b'MESSAGE=I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b"",
                b"__CURSOR=s=0f;i=2",
                b"__REALTIME_TIMESTAMP=1693512227200000",
                b"MESSAGE",
                b"\x05\0\0\0\0\0\0\0a\n\x01\xffb",
                b"",
            ),
            (b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"', b"a", b"\x01\xffb"),
        ),
    )

    def open(self, head: bytes) -> JournalEntries | None:
        """See `Export`."""
        return JournalEntries() if _BEGINS.match(head.lstrip(b"\n")) else None


class JournalEntries:
    """Reads field by field."""

    def __init__(self) -> None:
        self.stamp: bytes | None = None
        self._at = 0
        self._number = 1
        self._offset = 0

    def batches(self, chunks: Iterable[bytes], limit: int) -> Iterator[Batch]:
        """See `Entries`."""
        gathered = Gathered()
        stream = iter(chunks)
        held = Growing()
        for chunk in stream:
            text = held.more(chunk)
            if text is None:
                continue
            sound = self._scan(text, gathered, limit)
            rest = text[self._at :]
            self._offset, self._at = self._offset + self._at, 0
            held.keep(rest)
            yield gathered.batch(self._number - 1)
            if not sound or len(rest) > limit + len(chunk):
                yield from remaining_lines(chain([rest], stream), self._number, self._offset, limit)
                return
        text = held.rest()
        self._scan(text, gathered, limit)
        yield gathered.batch(self._number - 1)
        yield from remaining_lines([text[self._at :]], self._number, self._offset + self._at, limit)

    def _scan(self, text: bytes, gathered: Gathered, limit: int) -> bool:
        """Go on through the text at hand; False where it is no such export."""
        while (end := text.find(b"\n", self._at)) >= 0:
            name, equals, value = text[self._at : end].partition(b"=")
            begin, breaks = self._at, 1
            if name and not _NAME.match(name):
                return False
            if name and not equals:
                data = end + 1 + _LENGTH
                size = int.from_bytes(text[end + 1 : data], "little")
                if len(text) < data or (size <= limit and len(text) <= data + size):
                    return True
                if size > limit or text[data + size : data + size + 1] != b"\n":
                    return False
                value, end = text[data : data + size], data + size
                breaks = text.count(b"\n", begin, end + 1)
            if name == b"MESSAGE":
                gathered.add(value, self._number, self._offset + begin)
            elif name == b"__REALTIME_TIMESTAMP" and self.stamp is None and value[:19].isdigit():
                self.stamp = stamp_of_millis(int(value[:19]) // 1000)
            self._number += breaks
            self._at = end + 1
        return True


EXPORT = JournalExport()
