"""What a reader of records asks of those who use it, and what it offers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from klogreplay.klog.record import KlogRecord

T = TypeVar("T")

KEEP = "keep"
"""The label of records that are wanted."""

Decide = Callable[[KlogRecord], str]
"""Says `KEEP`, or the label under which a record is counted and dropped.

Asked once for each call site and message, so it must not look at anything else of a record; of printf records the
message is all their text, and of long ones it is asked each time. A line that starts as those of a dropped message do
is dropped with them, whatever its end is.
"""

Build = Callable[[str, int, int, tuple[str, ...], int], T | None]
"""Makes something else than a record of a line.

From its text, its number, its source, the raw texts of its values, and what `seconds` gives for it. The text may end in
a "\\r". None where it cannot; the line's record is given then.
"""

Seconds = Callable[[str], int]
"""Gives for a line that begins with a klog header what its second is on the reader's own axis."""

ReadRecord = Callable[[str, int, int, tuple[str, ...]], KlogRecord | None]
"""Makes the record of such a line; None where a value turns out to be of another kind."""

Compile = Callable[[KlogRecord, tuple[str, ...], ReadRecord], Build[T] | None]
"""Offers a `Build` for all lines that look like the one of this record: same call site, process, message and keys.

The raw texts come in the order of these keys: of a quoted value what stands between the quotes, and there is nothing
escaped in it; of an unquoted one its text. The record's `forms` tell which is which.
"""

Convert = Callable[[KlogRecord], T | None]
"""What becomes of a kept record that no `Build` has made something of; None where nothing does."""


class Nothing:
    """Stands for what is made of a record that tells nothing."""


NOTHING = Nothing()
