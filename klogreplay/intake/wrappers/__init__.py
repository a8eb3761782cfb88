"""The wrappers that are recognised, and how a stream's own are found."""

from __future__ import annotations

from collections.abc import Sequence

from klogreplay.intake.wrappers.base import Unwrapped, Wrapper
from klogreplay.intake.wrappers.cri import CriWrapper

WRAPPERS: tuple[Wrapper, ...] = (CriWrapper(),)

SAMPLE = 50
"""How many lines are looked at to tell a stream's wrappers."""

_DEEPEST = 4
_SHARE = 0.6

__all__ = ["SAMPLE", "WRAPPERS", "Unwrapped", "Wrapper", "recognise"]


def recognise(sample: Sequence[bytes]) -> tuple[Wrapper, ...]:
    """The wrappers around the lines of `sample`, outermost first: each that most of its lines have."""
    lines = [line for line in sample if line.strip(b"\0 \t\r")]
    found: list[Wrapper] = []
    while lines and len(found) < _DEEPEST:
        for wrapper in WRAPPERS:
            unwrapped = [wrapper.unwrap(line) for line in lines]
            inner = [line.payload for line in unwrapped if line is not None]
            if len(inner) > _SHARE * len(lines):
                break
        else:
            break
        found.append(wrapper)
        lines = inner
    return tuple(found)
