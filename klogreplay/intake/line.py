"""The unit that intake hands on: one physical line with the place it came from."""

from __future__ import annotations

import msgspec


class LogLine(msgspec.Struct, gc=False):
    """One physical line of an input.

    `text` has no "\\n" at its end and, where a wrapper (a container runtime, journald …) was recognised, no wrapper
    prefix. A "\\r" before the "\\n" is kept: only the record tells whether it belongs to the line break or to a value.
    Bytes that are not UTF-8 are kept as surrogates (`surrogateescape`).
    `number` counts from 1 within the input; `offset` is the byte offset of the physical line's start in the
    decompressed input; `source` is the index of the input among those of the run. `physical` is how many physical lines
    it was joined from: a container runtime splits long ones.
    """

    text: str
    number: int
    offset: int = 0
    source: int = 0
    physical: int = 1
