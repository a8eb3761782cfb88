"""No line makes an expression go quadratic: twice the text takes about twice the time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import pytest

from klogreplay.intake import InputStats, Limits
from klogreplay.intake.lines import LogLines
from klogreplay.intake.probe import look
from klogreplay.intake.repairs import Known, elision, headers, torn
from klogreplay.intake.wrappers import WRAPPERS
from klogreplay.intake.wrappers.exports import EXPORTS

HEADER = b'I0831 20:03:47.184243       1 a.go:1] "m" k="v"'
UNITS = {
    "quotes": b'"',
    "escapes": b'\\"',
    "braces": b"{",
    "brackets": b"[",
    "empty objects": b"{},",
    "nested": b'{"a":[',
    "quoted marks": b"> ",
    "blanks": b" ",
    "tabs": b"\t",
    "digits": b"1",
    "colons": b"a:",
    "dashes": b"a-1-",
    "words": b"a ",
    "dots": b".",
    "dates": b"2023-08-31T",
    "headers": b"I0831 20:03:47.184243       1 a.go:1] ",
    "torn": b'I0831 20:03:47.184243       1 a.go:1] "m" k="',
    "callers": b"a.go:1: ",
    "pairs": b' k="v"',
    "escape sequences": b"\x1b[0",
    "operating system commands": b"\x1b]0",
    "bars": "│".encode(),
    "data": b'[a b="c" ',
    "labels": b'2023-08-31T20:03:47Z {a="b",',
    "priorities": b"<30>1 ",
    "cells": b'","',
    "fields": b"MESSAGE=",
    "sections": b"==> ",
    "fences": b"```",
    "nul": b"\0",
    "invalid": b"\xff",
}
SMALL = 1 << 18
MOST = 2.3
ENOUGH_S = 0.002


def text_readers() -> Iterator[tuple[str, Callable[[bytes], object]]]:
    yield "look", look
    known = Known("0831", 1)
    yield "headers", lambda line: headers.mend(line.decode("utf-8", "replace"), known)
    yield "elision", lambda line: elision.mend(line.decode("utf-8", "replace"))
    yield "torn", lambda line: torn.part(line.decode("utf-8", "replace"))
    for number, wrapper in enumerate(WRAPPERS):
        yield f"{wrapper.name}-{number}", wrapper.unwrap
        yield f"{wrapper.name}-{number} at once", lambda line, wrapper=wrapper: wrapper.take([line, line])
    for export in EXPORTS:
        for sample in export.samples:
            head = b"\n".join(sample.text[: max(1, len(sample.text) // 2)])
            yield f"{export.title}", lambda line, head=head: read(head + line)


def read(data: bytes) -> int:
    stats = InputStats("x")
    chunks = [data[at : at + (1 << 13)] for at in range(0, len(data), 1 << 13)]
    return sum(len(batch.lines) for batch in LogLines(Limits(line_bytes=1 << 22), stats).batches(chunks))


def seconds(call: Callable[[bytes], object], data: bytes) -> float:
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        call(data)
        best = min(best, time.process_time() - begin)
    return best


def grows_by(call: Callable[[bytes], object], prefix: bytes, unit: bytes) -> float:
    """The mean factor of two doublings; 1 where so little time is taken that it cannot be much."""
    times = []
    for size in (SMALL, 4 * SMALL):
        times.append(seconds(call, prefix + unit * (size // len(unit))))
        if times[0] < ENOUGH_S:
            return 1.0
    return math.sqrt(times[1] / times[0])


def check(call: Callable[[bytes], object], prefix: bytes, unit: bytes) -> None:
    for _ in range(5):  # a busy machine may have to be asked again
        factor = grows_by(call, prefix, unit)
        if factor <= MOST:
            return
    raise AssertionError(f"{factor:.1f} times the time per doubling of {unit!r} behind {prefix!r}")


@pytest.mark.parametrize(("name", "call"), [pytest.param(*reader, id=reader[0]) for reader in text_readers()])
def test_twice_the_line_takes_twice_the_time(name: str, call: Callable[[bytes], object]) -> None:
    own = [sample.text[0][:60] for wrapper in WRAPPERS if wrapper.name in name for sample in wrapper.samples]
    for unit in UNITS.values():
        for prefix in (b"", HEADER, *own):
            check(call, prefix, unit)


@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_lines_take_twice_the_time(unit: str) -> None:
    """The same in many lines, through everything."""
    line = UNITS[unit] * (200 // len(UNITS[unit])) + b"\n"
    for lines in (line, HEADER + b"\n" + line, line + HEADER + b"\n"):
        check(read, b"", lines)
