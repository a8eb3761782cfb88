"""`klogreplay analyze --follow`: what can be said of a log while it is written, and the report at its end.

A finding is told once, as soon as it can be decided. Ctrl-C, or the end of a pipe, ends the log; the report is that of
what was read until then.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import FrameType

import msgspec

from klogreplay.claims.reading import read_objects
from klogreplay.cli import output as out
from klogreplay.cli.plugin_tables import read as read_plugins
from klogreplay.cli.reading import Reading, limits
from klogreplay.cli.run import Given, Listeners, Request, listeners_of, options_of, report
from klogreplay.intake import Tail, follow_source
from klogreplay.replay.analyze import Replay
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.types import Parking
from klogreplay.report.build import build
from klogreplay.report.formats import Options as Rendering
from klogreplay.report.formats import json as as_json
from klogreplay.report.formats import pieces
from klogreplay.report.lines import place
from klogreplay.report.model import Analysis, Input, Kubernetes, LineCounts, Log
from klogreplay.report.sanitize import readable, sanitize_terminal
from klogreplay.rules.base import Case
from klogreplay.rules.registry import run_rules
from klogreplay.rules.types import Finding

LOOK_EVERY_S = 1.0
"""Seconds between two looks for what has become decidable, while lines keep coming."""

STILL_S = 1.0
"""A record is complete when so long nothing follows: klog writes each at once."""


class Follow(msgspec.Struct):
    """What to follow, how to tell it, and where the report goes (None: standard output)."""

    request: Request
    form: str
    rendering: Rendering
    target: Path | None = None


def follow(task: Follow, code: Callable[[Analysis], int]) -> int:
    """Follow the one log of the request until Ctrl-C or its end; gives the exit code of its report, by `code`.

    Raises IntakeError, ObjectsError and Stop as `analyse` does.
    """
    request = task.request
    objects, table = read_objects(request.objects), read_plugins(request.plugins)
    heard = listeners_of(request)
    watcher = _Watcher(task, heard)
    tail = Tail(request.paths[0], watcher.stands_still)
    source = follow_source(tail, limits(request.no_limits))
    with Reading(request.paths, request.year, source=source) as reading, _ended_by_signals(tail):
        result = watcher.run(reading, Replay(options_of(request, reading, table)))
    analysis = report(request, reading, result, heard, Given(objects, table))
    if task.form == "json":
        out.write_chunks(chain(['{"report": '], as_json.pieces(analysis, as_json.ONE_LINE), ["}\n"]), task.target)
    else:
        out.write_chunks(pieces(task.form, analysis, task.rendering), task.target)
    return code(analysis)


class _Watcher:
    """Feeds the replay and tells what can be said on the way."""

    def __init__(self, task: Follow, heard: Listeners) -> None:
        self._task = task
        self._heard = heard
        self._wanted = frozenset(task.request.pods)
        self._pair: tuple[Reading, Replay] | None = None
        self._looked = 0.0
        self._is_news = False

    def run(self, reading: Reading, replay: Replay) -> ReplayResult:
        """Read to the end; gives the replay's result."""
        self._pair = reading, replay
        for event in self._heard.passing(reading.events()):
            replay.feed(event)
            self._is_news = True
            if time.monotonic() - self._looked >= LOOK_EVERY_S:
                self._look(reading, replay)
        self._look(reading, replay)
        return replay.finish()

    def stands_still(self, seconds: float) -> None:
        """Nothing was written for so long: what there is is complete."""
        if self._pair is None or seconds < STILL_S:
            return
        reading, replay = self._pair
        for event in self._heard.passing(reading.flush()):
            replay.feed(event)
            self._is_news = True
        if self._is_news:
            self._look(reading, replay)

    def _look(self, reading: Reading, replay: Replay) -> None:
        self._looked, self._is_news = time.monotonic(), False
        found = [parking for parking in replay.decided() if not self._wanted or parking.pod in self._wanted]
        if found:
            self._tell("".join(self._lines(reading, found)))

    def _lines(self, reading: Reading, parkings: Sequence[Parking]) -> Iterator[str]:
        """A line for each finding about one of the parkings."""
        findings = [
            finding
            for finding in run_rules(Case(parkings=parkings, attempts=1, candidates=reading.candidates()))
            if finding.parking is not None and not finding.observation
        ]
        part = _part(reading, parkings, findings)
        for finding in part.findings:
            parking = part.parkings[finding.parking or 0]
            if self._task.form == "json":
                told = as_json.finding_json(finding, placed=True, indexed=False)
                yield f'{{"finding": {told}, "parking": {as_json.parking_json(parking, placed=True)}}}\n'
                continue
            where = place(part, parking.line, parking.input)
            head = f"{parking.time} {finding.code} {finding.name} {finding.grade} {finding.pod} {where}"
            yield sanitize_terminal(f"{head}: {finding.summary}") + "\n"

    def _tell(self, text: str) -> None:
        """To standard output, but beside a Markdown report, which it would damage, to standard error."""
        if self._task.form == "markdown" and self._task.target is None:
            out.note(text)
        else:
            out.write(text)


def _part(reading: Reading, parkings: Sequence[Parking], findings: Sequence[Finding]) -> Analysis:
    """The report's form of some parkings and findings."""
    return build(
        inputs=[Input(name=readable(each.title), bytes=0, lines=0, sha256="") for each in reading.source.inputs],
        log=Log(
            format="", processes=[], lines=LineCounts(total=0, understood=0, irrelevant=0, unknown=0), verbosity=None
        ),
        kubernetes=Kubernetes(version=None, candidates=[], gates={}),
        parkings=parkings,
        findings=findings,
        clock=reading.clock.text,
    )


@contextmanager
def _ended_by_signals(tail: Tail) -> Iterator[None]:
    """Ctrl-C and a polite kill end the log, and the report follows; the second time they end the program."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def end(_number: int, _frame: FrameType | None) -> None:
        tail.stop()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        restore()
