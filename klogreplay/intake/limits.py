"""How much of an input is taken in."""

from __future__ import annotations

import msgspec

from klogreplay.intake.errors import InputTooLargeError

CHUNK = 1 << 16
"""Bytes read at a time."""


class Limits(msgspec.Struct, frozen=True):
    """Limits against inputs that are made to exhaust memory or time.

    `line_bytes`: what a line has beyond is skipped, and the line counted as cut. `ratio`: compressed data must not grow
    beyond this many times its size, once it gave `ratio_from_bytes`; klog text compresses 10 to 40 times. `bytes`: nor
    beyond this, whatever its size. `files`: the most files read from one directory or archive. `reorder_bytes`: the
    most of a log that is held to turn it round, where its newest line comes first.
    """

    line_bytes: int = 1 << 20
    ratio: int = 400
    ratio_from_bytes: int = 1 << 28
    bytes: int = 1 << 36
    files: int = 10_000
    reorder_bytes: int = 1 << 28

    def check_growth(self, what: str, grown: int, size: int) -> None:
        """Check data that grew to `grown` bytes from `size`. Raises InputTooLargeError, naming it as `what`."""
        if grown > self.ratio_from_bytes and grown > self.ratio * max(size, 1):
            raise InputTooLargeError(f"{what} data grows to more than {self.ratio} times its size")
        if grown > self.bytes:
            raise InputTooLargeError(f"{what} data grows to more than {self.bytes} bytes")


NO_GROWTH_LIMITS = Limits(ratio=1 << 62, bytes=1 << 62)
"""For compressed data that somebody trusts, however large it grows."""
