"""What the klog grammar gives: one record, whatever dialect it was written in."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ValueForm = Literal["quoted", "json", "bare", "block", "bytes", "quoted-unescaped"]
Dialect = Literal["klog-text", "ktesting", "json"]


class Header(msgspec.Struct, gc=False, omit_defaults=True):
    """A klog header.

    Text dialects give month, day, time ("hh:mm:ss.uuuuuu", the log's own clock) and, but for ktesting, threadid
    (the process id). JSON gives `tsMillis` (milliseconds since the epoch) and the verbosity of info records.
    `file` is the name as printed (with `--add_dir_header` it holds a slash).
    """

    severity: str
    file: str
    line: int | None
    month: int | None = None
    day: int | None = None
    time: str | None = None
    threadid: int | None = None
    tsMillis: float | None = None  # noqa: N815 - the field is called so where it is documented
    verbosity: int | None = None


class KlogRecord(msgspec.Struct, gc=False):
    """One record: header, logger name, message, and the key/value pairs in printed order.

    `header` is None for a record printed with `--skip_headers`. `values` keeps, of a key given twice, the last value
    at the first position. `forms` says per key how the value was written. `structured` is False for printf records,
    which have no keys. `text` is the first physical line as it stood (without a wrapper), `lines` how many physical
    lines the record took.
    """

    line: int
    header: Header | None
    logger: str | None
    msg: str
    values: dict[str, Any]
    forms: dict[str, ValueForm]
    structured: bool
    dialect: Dialect
    text: str
    lines: int = 1
    source: int = 0
