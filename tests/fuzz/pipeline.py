"""One input's way through the whole program, and what has to hold of it whatever the input is."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import NamedTuple
from unittest import mock

import jsonschema
import typer

from klogreplay.cli import main
from klogreplay.cli.analyze import FailOn, exit_code
from klogreplay.cli.exits import CLEAN, FINDINGS, UNREADABLE, USAGE, Stop
from klogreplay.cli.reading import Reading
from klogreplay.cli.run import Request, analyse
from klogreplay.events.jsonlines import json_line as event_line
from klogreplay.intake import IntakeError, Limits, open_source
from klogreplay.klog.jsonlines import json_line as record_line
from klogreplay.report.formats import FORMATS, Options, render
from klogreplay.report.schema import analysis_schema

CODES = frozenset({CLEAN, FINDINGS, USAGE, UNREADABLE})
"""What a run over any input may end with."""
MOST_S = 5.0
"""CPU seconds that one small input may take through everything, on a busy machine."""
REFUSALS = (IntakeError, Stop)
"""What the documentation says is raised for an input that cannot be used."""

_get_command = cache(typer.main.get_command)
"""Building the commands takes longer than most cases do."""
_VALIDATOR = jsonschema.Draft202012Validator(analysis_schema())


class TooSlow(BaseException):
    """An input that took longer than any of its size may; no `except Exception` swallows it."""


class Went(NamedTuple):
    """What came of an input: the exit code, and the reports by their format."""

    code: int
    reports: dict[str, str]


class Ran(NamedTuple):
    """What a run of the command line gave."""

    code: int
    out: bytes
    err: str


@contextmanager
def bounded(seconds: float = MOST_S) -> Iterator[None]:
    """Raise TooSlow where what is inside takes more CPU time than that."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def through(path: Path) -> Went:
    """Take an input through analyze (to every format), parse and events, and hold them to what they promise."""
    with bounded():
        went = _analyzed(path)
        _parsed(path)
        _told(path)
    return went


def _analyzed(path: Path) -> Went:
    try:
        analysis = analyse(Request(paths=[str(path)]))
    except REFUSALS:
        return Went(UNREADABLE, {})
    lines = analysis.log.lines
    assert lines.understood + lines.irrelevant + lines.unknown == lines.total
    if len(analysis.inputs) == 1:
        assert lines.total == analysis.inputs[0].lines
    reports = {name: render(name, analysis, Options(details=True)) for name in FORMATS}
    assert reports["json"].isascii()
    for report in reports.values():
        report.encode()
    code = exit_code(analysis, FailOn.wrong)
    assert code in CODES
    return Went(code, reports)


def _parsed(path: Path) -> None:
    try:
        with Reading([str(path)]) as reading:
            for record in reading.records():
                strict_json(record_line(record))
    except REFUSALS:
        return
    _all_counted(reading)


def _told(path: Path) -> None:
    try:
        with Reading([str(path)]) as reading:
            for event in reading.events():
                strict_json(event_line(event, reading.clock.text(event.t)))
    except REFUSALS:
        return
    _all_counted(reading)


def _all_counted(reading: Reading) -> None:
    counts, inputs = reading.counts, reading.source.inputs
    assert counts.records + counts.framing + counts.unknown == counts.total
    framing, copied = sum(each.framing for each in inputs), sum(each.copied for each in inputs)
    left_out = any("left out" in warning for each in inputs for warning in each.warnings)
    assert left_out or counts.total + framing + copied == sum(each.lines for each in inputs)


def pieces_are_the_input(data: bytes, path: Path, limits: Limits | None = None) -> None:
    """The lines of a plain input, joined, are the input."""
    got: list[bytes] = []
    try:
        with open_source([str(path)], limits) as source:
            for _, batch in source.batches():
                got += batch.raw or batch.lines
    except IntakeError:
        return
    stats = source.inputs[0]
    if (
        stats.form != "plain"
        or stats.warnings
        or stats.framing
        or stats.cut
        or stats.compression
        or stats.name != str(path)
    ):
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in data[:8] or data.lstrip()[:1] in (b"{", b"["):
        return  # UTF-16, and documents whose entries are the lines
    assert stats.bytes == len(data)
    joined = b"\n".join(got)
    assert joined + b"\n" * data.endswith(b"\n") == data.removeprefix(b"\xef\xbb\xbf")
    assert stats.lines == len(got)


def command(*arguments: str) -> Ran:
    """Run the command line in this process, with an output of its own. An internal error is raised as it is."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with bounded(), mock.patch.object(typer.main, "get_command", _get_command):
            code = main(list(arguments))
        out.flush()
        err.flush()
        return Ran(code, out.buffer.getvalue(), err.buffer.getvalue().decode())
    finally:
        sys.stdout, sys.stderr = before


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("analyze", "-f", "json"),
    ("analyze", "-f", "markdown", "--fail-on", "undecided"),
    ("analyze", "-f", "text", "-o", "report", "--pod", "default/a"),
    ("parse",),
    ("events",),
    ("identify",),
    ("claims",),
)
"""Ways to ask; a file name stands behind -o."""


def by_command(path: Path, folder: Path, arguments: tuple[str, ...]) -> None:
    """The same by the command line, twice: the exit code, one line for each message, the same bytes."""
    target = folder / "report"
    asked = [str(target) if argument == "report" else argument for argument in (*arguments, str(path))]
    target.write_bytes(b"")
    first = command(*asked)
    told = target.read_bytes()
    assert first.code in CODES, (arguments, first)
    assert command(*asked) == first
    assert target.read_bytes() == told
    assert all(line.startswith("klogreplay: ") for line in first.err.splitlines()), first.err
    if first.code in (USAGE, UNREADABLE):
        assert first.err
    (first.out + told).decode()
    if arguments[0] in ("parse", "events"):
        for line in first.out.splitlines():
            strict_json(line.decode())
    if "json" in arguments and first.code not in (USAGE, UNREADABLE):
        valid_report(first.out.decode())


def valid_report(text: str) -> None:
    """A JSON report holds to the schema."""
    _VALIDATOR.validate(strict_json(text))


def strict_json(text: str) -> object:
    """JSON as the RFC has it: no NaN, no Infinity."""
    return json.loads(text, parse_constant=_refused)


def _refused(name: str) -> object:
    raise AssertionError(f"{name} is no JSON")
