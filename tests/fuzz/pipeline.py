"""One input's way through the whole program, and what has to hold of it whatever the input is."""

from __future__ import annotations

import io
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import jsonschema

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
    except REFUSALS as refusal:
        assert str(refusal)
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
    assert counts.total + framing + copied == sum(each.lines for each in inputs)


def pieces_are_the_input(data: bytes, path: Path, limits: Limits | None = None) -> None:
    """The lines of a plain input, joined, are the input; of any other each is at its place, and all are counted."""
    got: list[bytes] = []
    try:
        with open_source([str(path)], limits) as source:
            for _, batch in source.batches():
                got += batch.raw or batch.lines
    except IntakeError:
        return
    stats = source.inputs[0]
    assert stats.bytes == len(data)
    if stats.form != "plain" or stats.warnings or stats.framing or stats.cut or stats.compression:
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in data[:8]:
        return
    joined = b"\n".join(got)
    assert joined + b"\n" * data.endswith(b"\n") == data.removeprefix(b"\xef\xbb\xbf")
    assert stats.lines == len(got)


def command(*arguments: str) -> Ran:
    """Run the command line in this process, with an output of its own. An internal error is raised as it is."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with bounded():
            code = main(list(arguments))
        out.flush()
        err.flush()
        return Ran(code, out.buffer.getvalue(), err.buffer.getvalue().decode())
    finally:
        sys.stdout, sys.stderr = before


def by_command(path: Path, folder: Path) -> None:
    """The same by the command line, each command twice: exit codes, one line for a refusal, the same bytes."""
    target = folder / "report"
    for arguments in (
        ("analyze", "-f", "json", str(path)),
        ("analyze", "-f", "markdown", str(path)),
        ("analyze", "-f", "text", "-o", str(target), str(path)),
        ("parse", str(path)),
        ("events", str(path)),
        ("identify", str(path)),
        ("claims", str(path)),
    ):
        target.write_bytes(b"")
        first = command(*arguments)
        told = target.read_bytes()
        assert first.code in CODES, (arguments, first)
        assert command(*arguments) == first, arguments
        assert target.read_bytes() == told
        if first.code in (USAGE, UNREADABLE):
            assert first.err.startswith("klogreplay: ")
        assert all(line.startswith("klogreplay: ") for line in first.err.splitlines()), first.err
        (first.out + told).decode()
        if first.out and arguments[0] in ("parse", "events"):
            for line in first.out.splitlines():
                strict_json(line.decode())
        if first.out and "json" in arguments:
            valid_report(first.out.decode())


def valid_report(text: str) -> None:
    """A JSON report holds to the schema."""
    _VALIDATOR.validate(strict_json(text))


def strict_json(text: str) -> object:
    """JSON as the RFC has it: no NaN, no Infinity."""
    return json.loads(text, parse_constant=_refused)


def _refused(name: str) -> object:
    raise AssertionError(f"{name} is no JSON")


def timed(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin
