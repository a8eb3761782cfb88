"""The shapes of klog text lines, by a header pattern that is good enough for the recorded logs."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from klogreplay.knowledge import Identifier

_HEADER = re.compile(r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ([^\s:]+\.go:\d+)\] (.*)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_START_UP = ("server.go", "flags.go", "feature_gate.go", "configfile.go", "options.go")


class Shape(NamedTuple):
    """The first line of a shape."""

    line: int
    text: str
    site: str
    message: str
    structured: bool


def shapes(path: Path) -> Iterator[Shape]:
    """Each shape of a log once, without the lines that a scheduler prints at its start."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", errors="surrogateescape", newline="\n") as lines:
        yield from shapes_of(lines)


def shapes_of(lines: Iterable[str]) -> Iterator[Shape]:
    """Each shape of these lines once, without the lines that a scheduler prints at its start."""
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line.rstrip("\n"))
        if header is None or header[1].startswith(_START_UP):
            continue
        quoted = _QUOTED.match(header[2])
        message = header[2] if quoted is None else re.sub(r"\\(.)", r"\1", quoted[1])
        if (header[1], message) not in seen:
            seen.add((header[1], message))
            yield Shape(number, header[0], header[1], message, quoted is not None)


def observed(path: Path) -> Identifier:
    """An identifier that has seen every shape of the log."""
    identifier = Identifier()
    for shape in shapes(path):
        identifier.observe(shape.site, shape.message, None, shape.structured, line=shape.line, text=shape.text)
    return identifier
