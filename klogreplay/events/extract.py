"""From a klog record to a typed event, over the releases 1.18 to 1.36.

A line is recognised by its message, never by its file: files move between releases. Up to 1.28 a logger's name may
stand in front of the message ("Reserve/DynamicResources: start allocation"); it is taken off first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple

from klogreplay.events.known import known
from klogreplay.events.reading import Line, PrintfForm, Reader
from klogreplay.events.registry import PRINTF, STRUCTURED
from klogreplay.events.types import SchedulerEvent
from klogreplay.events.values import OddValueError
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.record import Header, KlogRecord

ToMicros = Callable[[Header], int]
"""Gives a header's time in microseconds on the log's own clock (`klogreplay.klog.clock`)."""
Classification = Literal["understood", "irrelevant", "unknown"]

RELEVANT_MESSAGES: frozenset[str] = frozenset(STRUCTURED)
"""The structured messages that can make an event, without a logger's name in front."""
RELEVANT_STARTS: tuple[str, ...] = tuple(sorted({form.start for form in PRINTF}))
"""How the formatted messages start that can make an event."""

_LONGEST_CACHED = 256


class _Found(NamedTuple):
    read: Reader | None
    forms: tuple[PrintfForm, ...]
    prefix: str


def _find(msg: str) -> _Found | None:
    name, message = split_logger(msg)
    read = STRUCTURED.get(message)
    if read is not None:
        return _Found(read, (), name or "")
    forms = tuple(form for form in PRINTF if msg.startswith(form.start))
    return _Found(None, forms, "") if forms else None


_find_cached = lru_cache(maxsize=4096)(_find)


def _look_up(msg: str) -> _Found | None:
    return _find_cached(msg) if len(msg) <= _LONGEST_CACHED else _find(msg)


def is_relevant(msg: str) -> bool:
    """Whether a record with this message can make an event. A message that cannot may be dropped unread."""
    return _look_up(msg) is not None


@lru_cache(maxsize=4096)
def _site(file: str, line: int | None) -> str:
    name = file.rpartition("/")[2]
    return name if line is None else f"{name}:{line}"


def _line(record: KlogRecord, found: _Found, t: int) -> tuple[Reader, Line] | None:
    header = record.header
    base = {
        "line": record.line,
        "t": t,
        "pid": header.threadid if header else None,
        "site": _site(header.file, header.line) if header else "",
        "text": record.text,
        "source": record.source,
    }
    if found.read is not None:
        return found.read, Line(record, record.values, base, record.logger or found.prefix)
    for form in found.forms:
        match = form.pattern.match(record.msg)
        if match:
            return form.read, Line(record, record.values, base, record.logger or "", match)
    return None


def extract(record: KlogRecord, to_us: ToMicros) -> SchedulerEvent | None:
    """The event that the record tells; None where it tells none.

    A record without a header (`--skip_headers`) has t = 0 and no site. Never raises on what a log may hold: a record
    with a missing or odd value gives None, and `classify` calls it unknown.
    """
    found = _look_up(record.msg)
    if found is None:
        return None
    header = record.header
    line = _line(record, found, 0 if header is None else to_us(header))
    if line is None:
        return None
    read, what = line
    try:
        return read(what)
    except OddValueError:
        return None


def classify(record: KlogRecord) -> Classification:
    """What the record is to this program.

    "understood": it makes an event. "irrelevant": a known message that tells nothing about the queue. "unknown": a
    message that no catalogued release of kube-scheduler prints, or a damaged one.
    """
    found = _look_up(record.msg)
    if found is not None:
        line = _line(record, found, 0)
        if line is not None:
            read, what = line
            try:
                return "irrelevant" if read(what) is None else "understood"
            except OddValueError:
                return "unknown"
    return "unknown" if _own(record) is None else "irrelevant"


def _own(record: KlogRecord) -> bool | None:
    """Whether the message is the scheduler's own; None where it is not known at all."""
    table = known()
    own = table.structured(split_logger(record.msg)[1])
    return table.printf(record.msg) if own is None else own
