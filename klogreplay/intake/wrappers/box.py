"""Text in a box of a terminal: bars left and right of each line, `│ I0831 …   │`, and a frame around."""

from __future__ import annotations

import re
from collections.abc import Sequence

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped

_BARS = tuple(bar.encode() for bar in ("│", "┃", "║", "▏", "▕", "|"))
_FRAME = re.compile("[ \\t─━═╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╠╣│┃║+|-]{3,}\\r?")


class BoxWrapper:
    """Bars around each line. What fills the line up to the right bar goes with it."""

    name = "box"
    title = "terminal boxes"
    certain = False
    strips = False
    tells_log = False
    samples: Sequence[Sample] = (
        Sample(
            tuple(
                line.encode()
                for line in (
                    "╭────────────────────────────────────────────────────────────╮",
                    '│ I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"      │',
                    "╰────────────────────────────────────────────────────────────╯",
                )
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (b'| I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a" |',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    )

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        text = line.strip(b" \r")
        left = next((bar for bar in _BARS if text.startswith(bar)), None)
        if left is None:
            return OWN if _FRAME.fullmatch(line.decode("utf-8", "replace")) else None
        right = next((bar for bar in _BARS if len(text) > len(left) and text.endswith(bar)), b"")
        inside = text[len(left) : len(text) - len(right)].rstrip(b" ") if right else text[len(left) :]
        body = inside.lstrip(b" ")
        if not body and _FRAME.fullmatch(line.decode("utf-8", "replace")) and right:
            return Unwrapped(b"")
        return Unwrapped(b" " + body if body.startswith(b">") else body)

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """See `Wrapper`."""
        return None


WRAPPER = BoxWrapper()
