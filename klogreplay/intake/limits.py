"""How much of an input is taken in."""

from __future__ import annotations

import msgspec

CHUNK = 1 << 16
"""Bytes read at a time."""


class Limits(msgspec.Struct, frozen=True):
    """Limits against inputs that are made to exhaust memory or time.

    `line_bytes`: what a line has beyond is skipped, and the line counted as cut. `ratio`: compressed data must not grow
    beyond this many times its size, once it gave `ratio_from_bytes`; klog text compresses 10 to 40 times.
    `files`: the most files read from one directory or archive.
    """

    line_bytes: int = 1 << 20
    ratio: int = 400
    ratio_from_bytes: int = 1 << 28
    files: int = 10_000
