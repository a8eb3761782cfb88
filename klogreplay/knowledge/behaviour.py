"""What the queue of each release does, and at which level it prints each line."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from klogreplay.knowledge.release import CACHED, nearest_release, normalise_release, table
from klogreplay.knowledge.types import Behaviours, LineLevel


@lru_cache(maxsize=CACHED)
def behaviours(release: str) -> Behaviours:
    """The behaviours of `release`, or of the nearest known one (then `assumed`, with `release` saying which).

    ValueError where `release` names no Kubernetes release.
    """
    known = nearest_release(release)
    row = table().behaviours[known] | {"release": known, "assumed": known != normalise_release(release)}
    return msgspec.convert(row, Behaviours)


def line_level(release: str, line_name: str) -> LineLevel | None:
    """The smallest -v at which `release` prints the line, "E" for an error line, None where it has no such line.

    The names are those of `behaviours(release).line_levels`; KeyError for another one.
    """
    return behaviours(release).line_levels[line_name]


def leftover_limit_seconds(release: str) -> int:
    """How long a pod may sit in unschedulablePods before the flush moves it, in seconds.

    podMaxInUnschedulablePodsDuration: 60 up to 1.23, 300 from 1.24 (kubernetes#108761), where a flag can set it.
    """
    return behaviours(release).leftover_limit_seconds


def leftover_every_seconds(release: str) -> int:
    """How often the queue looks for pods over that limit, in seconds."""
    return behaviours(release).leftover_every_seconds
