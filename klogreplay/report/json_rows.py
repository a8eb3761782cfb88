"""A parking as a line of the JSON report, put together by hand: a long log has many, and the models cost 100 µs each.

`ParkingOut` says what a line holds, and a test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from json.encoder import encode_basestring_ascii
from typing import ParamSpec

from klogreplay.replay.types import ConcurrentEvent, Judged, WakeUp
from klogreplay.report.sanitize import readable

_MEMO = 1024
_BRIEF = 200
"""Characters of what is kept to be used again: of long texts no two need be alike, and the log may be full of them."""
_SECONDS = 4096


def _text(text: str) -> str:
    return encode_basestring_ascii(text if text.isascii() else readable(text))


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _number(number: int | None) -> str:
    return "null" if number is None else str(number)


def _seconds(microseconds: int | None) -> str:
    return "null" if microseconds is None else repr(microseconds / 1_000_000)


def _went(process: str, destination: str, evidence: str) -> str:
    return f'"process": {_text(process)}, "destination": {{"value": "{destination}", "evidence": "{evidence}"}}, '


def _plugins(rejectors: tuple[str, ...] | None, evidence: str, stale: tuple[str, ...]) -> str:
    named = "null" if rejectors is None else _list(sorted(map(readable, rejectors)))
    return (
        f'"rejector_plugins": {{"value": {named}, "evidence": "{evidence}"}}, '
        f'"stale_plugins": {_list(sorted(map(readable, stale)))}, '
    )


def _judged(verdict: str, grade: str, causes: tuple[str, ...], queue: str | None) -> str:
    due = "null" if queue is None else _text(queue)
    return f'"verdict": "{verdict}", "grade": "{grade}", "causes": {_list(causes)}, "expected_queue": {due}, '


_Args = ParamSpec("_Args")


def _kept(make: Callable[_Args, str]) -> Callable[_Args, str]:
    """The pieces of which a log has few are made once, unless they are long."""
    made: dict[object, str] = {}

    def kept(*args: _Args.args, **kwargs: _Args.kwargs) -> str:
        piece = made.get(args)
        if piece is None:
            piece = make(*args, **kwargs)
            if len(piece) <= _BRIEF:
                if len(made) >= _MEMO:
                    made.clear()
                made[args] = piece
        return piece

    return kept


class JsonRows:
    """Writes parkings. `placed`: with the inputs that lines are in.

    `clock` formats the log's microseconds; the text ends with the six digits below the second.
    """

    def __init__(self, clock: Callable[[int], str], *, placed: bool) -> None:
        self._clock = clock
        self._placed = placed
        self._seconds: dict[int, str] = {}
        self._word = _kept(_text)
        self._went = _kept(_went)
        self._plugins = _kept(_plugins)
        self._judged = _kept(_judged)

    def row(self, p: Judged) -> str:
        """The parking as JSON, ASCII only, on one line."""
        wake_up, events = p.wake_up, p.concurrent_events
        causes = tuple([cause.code for cause in p.causes]) if p.causes else ()
        return (
            f'{{"pod": {_text(p.pod)}, {self._went(p.process, p.destination, p.destination_evidence)}'
            f'"time": {self._time(p.t) if p.timed else "null"}, "line": {p.line}, "attempt": {p.attempt}, '
            f'"cycle": {_number(p.cycle)}, "error": {_text(p.error)}, '
            f"{self._plugins(p.rejector_plugins, p.rejector_evidence, p.stale_plugins)}"
            f'"concurrent_events": [{", ".join(map(self._event, events)) if events else ""}], '
            f"{self._judged(p.verdict, p.grade, causes, p.expected_queue)}"
            f'"wake_up": {"null" if wake_up is None else self._wake_up(wake_up, timed=p.timed)}, '
            f'"parked_seconds": {_seconds(p.parked_us)}, "lost_seconds": {_seconds(p.lost_us)}, '
            f'"needs": {_list(p.needs) if p.needs else "[]"}{self._input(p.source)}}}'
        )

    def _input(self, source: int) -> str:
        return f', "input": {source}' if self._placed else ""

    def _time(self, t: int) -> str:
        second, micros = divmod(t, 1_000_000)
        text = self._seconds.get(second)
        if text is None:
            if len(self._seconds) >= _SECONDS:
                self._seconds.clear()
            text = self._seconds[second] = _text(self._clock(second * 1_000_000)[:-6])[:-1]
        return f'{text}{micros:06}"'

    def _wake_up(self, wake_up: WakeUp, *, timed: bool) -> str:
        time = self._time(wake_up.t) if timed else "null"
        return (
            f'{{"event": {self._word(wake_up.event)}, "line": {wake_up.line}, "time": {time}'
            f"{self._input(wake_up.source)}}}"
        )

    def _event(self, event: ConcurrentEvent) -> str:
        return (
            f'{{"event": {self._word(event.event)}, '
            f'"object": {"null" if event.object is None else _text(event.object)}, '
            f'"line": {_number(event.line)}, "time": {"null" if event.t is None else self._time(event.t)}, '
            f'"evidence": "{event.evidence}", "effect": "{event.effect}"{self._input(event.source)}}}'
        )
