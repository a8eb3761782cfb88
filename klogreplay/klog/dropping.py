"""Lines that are dropped without being read, and how many of them."""

from __future__ import annotations

import msgspec

from klogreplay.klog.headers import HEADER_FIXED, TEXT_HEADER
from klogreplay.klog.record import KlogRecord

_MOST_LINES = 4096
_LONGEST_LINE = 512


class Dropped(msgspec.Struct):
    """Lines that nobody wants: how many were dropped with a label and are not counted yet."""

    dropped: int = 0


class Labels:
    """The lines that were dropped, by label."""

    def __init__(self) -> None:
        self._by_label: dict[str, Dropped] = {}

    def of(self, label: str) -> Dropped:
        """Those with this label."""
        return self._by_label.setdefault(label, Dropped())

    def taken(self) -> dict[str, int]:
        """How many there are, to be counted elsewhere from now on."""
        counted = {label: lines.dropped for label, lines in self._by_label.items() if lines.dropped}
        for lines in self._by_label.values():
            lines.dropped = 0
        return counted


def whole_line(record: KlogRecord) -> bytes | None:
    """What stands behind the time of a record that is a single line with a header.

    None of others, of long ones, and of one that is no text but a damaged record: such a line is noted each time.
    """
    text = record.text
    if record.lines != 1 or record.dialect != "klog-text" or not HEADER_FIXED < len(text) <= _LONGEST_LINE:
        return None
    if TEXT_HEADER.match(text) is None or (not record.structured and record.msg.startswith('"')):
        return None
    return text[HEADER_FIXED:].encode("utf-8", "surrogateescape")


class WholeLines:
    """Lines that come again to the letter, but for their time: printf text, and messages without values.

    What becomes of a formatted text only all of it tells, so the whole of a line is looked up.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, Dropped] = {}
        self._labels = Labels()
        self.get = self._known.get
        """Those that have this behind their time; None where such a line was not seen, or is wanted."""

    def note(self, record: KlogRecord, label: str) -> None:
        """A record that was dropped: where it is of a single line, with a header, that line need not be read again."""
        line = whole_line(record)
        if line is None:
            return
        if len(self._known) >= _MOST_LINES:
            self._known.clear()
        for end in (b"", b"\r"):
            self._known[line + end] = self._labels.of(label)

    def forget(self) -> dict[str, int]:
        """Forget all; how many lines were dropped, by label."""
        self._known.clear()
        return self._labels.taken()
