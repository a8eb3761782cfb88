"""What is left of a log at a lower verbosity, or when a shipper lost some of it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

AS_RECORDED = "as recorded"
CUTS = {f"-v=5 cut to -v={level}": level for level in (2, 3, 4)}
Levels = dict[tuple[str, int], int]

_SITE = re.compile(r"([IWEF])\d{4} [\d:.]+ +\d+ ([^:\]]+):(\d+)\]", re.ASCII)
_FLAG = re.compile(r'FLAG: --v="\d+"')
_START_UP = ("server.go", "flags.go", "feature_gate.go", "configfile.go", "options.go")


@cache
def levels(recorded: Path) -> dict[str, Levels]:
    """The least -v that prints each call site, by release."""
    versions = json.loads((recorded / "catalog" / "callsites.json").read_text())["versions"]
    found: dict[str, Levels] = {}
    for release, sites in versions.items():
        own = found[release] = {}
        for site in sites:
            key = (site["file"].rpartition("/")[2], site["line"])
            own[key] = min(own.get(key, 99), site.get("minLevel") or 0)
    return found


def at_level(text: str, level: int, known: Levels) -> str:
    """What the scheduler would have printed at a lower -v."""
    kept, on = [], True
    for line in _FLAG.sub(f'FLAG: --v="{level}"', text).split("\n"):
        site = _SITE.match(line)
        if site is not None:
            on = site[1] != "I" or known.get((site[2], int(site[3])), 0) <= level
        if on:
            kept.append(line)
    return "\n".join(kept)


HOLES, HOLE_S = 4, 1.15


def thinned(text: str, share: float) -> str:
    """Without that share of its lines, taken by chance; a line that begins no record goes with the one before."""
    dice = random.Random(len(text))
    kept, on = [], True
    for line in text.split("\n"):
        if _SITE.match(line) is not None:
            on = any(name in line[:60] for name in _START_UP) or dice.random() >= share
        if on:
            kept.append(line)
    return "\n".join(kept)


def with_gap(text: str) -> str:
    """Without a sixth of its lines, in the middle."""
    lines = text.split("\n")
    return "\n".join(lines[: len(lines) // 3] + lines[len(lines) // 2 :])


def with_holes(text: str) -> str:
    """Without what was printed in some moments, each a little longer than a pod's backoff; taken by chance."""
    lines = text.split("\n")
    headed = [number for number, line in enumerate(lines) if _SITE.match(line) is not None]
    for begin in sorted(random.Random(len(text)).sample(headed, min(HOLES, len(headed))), reverse=True):
        end, until = begin + 1, _second_of(lines[begin]) + HOLE_S
        while end < len(lines) and (_SITE.match(lines[end]) is None or _second_of(lines[end]) < until):
            end += 1
        del lines[begin:end]
    return "\n".join(lines)


def _second_of(line: str) -> float:
    hour, minute, second = line[6:21].split(":")
    return 3600 * int(hour) + 60 * int(minute) + float(second)


def without_head(text: str) -> str:
    """Without the first third of its lines, the start-up lines among them."""
    lines = text.split("\n")
    return "\n".join(lines[len(lines) // 3 :])


def without_start_up(text: str) -> str:
    """Without the lines that name the release, its flags and its gates."""
    return "\n".join(line for line in text.split("\n") if not any(name in line[:60] for name in _START_UP))


HOLED = "-v=5, four holes of a second"
"""Lines cut out without any sign, for so long that a pod may have been tried meanwhile. That cannot be told from
silence, and what rests on silence can be wrong."""

DAMAGES: dict[str, Callable[[str], str]] = {
    "-v=5, one line in twenty lost": lambda text: thinned(text, 0.05),
    "-v=5, one line in a hundred lost": lambda text: thinned(text, 0.01),
    "-v=5, a gap of a sixth": with_gap,
    HOLED: with_holes,
    "-v=5, the first third lost": without_head,
    "-v=5, no start-up lines": without_start_up,
}
