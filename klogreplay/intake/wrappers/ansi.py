"""Colours and other control sequences of terminals (ECMA-48): what `--color=always`, `script` and a saved screen leave.

The carriage returns in front of a line break are taken as such by the dialects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from klogreplay.intake.wrappers.base import Sample, Unwrapped

_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]{0,64}+[ -/]{0,8}+[@-~]|\][^\x07\x1b\n]{0,2048}+(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78cDEHM])"
)


class AnsiWrapper:
    """Control sequences anywhere in a line; a line without them is as it is."""

    name = "ansi"
    title = "terminal colours"
    certain = False
    strips = False
    tells_log = False
    samples: Sequence[Sample] = (
        Sample(
            (
                b'\x1b[33mI0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"\x1b[0m',
                b'\x1b[1;38;5;12m\x1b[KI0831 20:03:47.200000\x1b(B\x1b[m       1 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
    )

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        return Unwrapped(_SEQUENCE.sub(b"", line) if b"\x1b" in line else line)

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """See `Wrapper`."""
        return _SEQUENCE.sub(b"", b"\n".join(lines)).split(b"\n")


WRAPPER = AnsiWrapper()
