"""From a line's raw values straight to its event, without a record between.

For each variant of a line (`klogreplay.klog.variants`) the reader of its message is put to the test: which of the
values printed does it ask for, and which of them does it take over as they stand? The latter are copied from the line;
what it makes of the others is remembered by their text. Events that cannot be made so, and the first of each kind, are
read the long way, which is also what the short way has to agree with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from klogreplay.events.extract import ToMicros, extract
from klogreplay.events.reading import Line, Reader
from klogreplay.events.registry import PRINTF, STRUCTURED
from klogreplay.events.types import SchedulerEvent
from klogreplay.events.values import OddValueError
from klogreplay.klog.builds import Build, ReadRecord
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.record import KlogRecord

TAKEN_OVER = frozenset({"pod", "node", "victim", "preemptor", "status", "err"})
"""Keys of texts that differ from line to line, so that to remember them is of no use. Numbers are not either."""

_MOST_REMEMBERED = 1024
_LONGEST_REMEMBERED = 4096
_TEXT_PROBES = ("\ue000probe/a", "\ue001probe/b")
_NUMBER_PROBES = (7_000_001, 7_000_002)
_OF_SECOND = "second + int(text[15:21])"
_WHOLE = "second"


class _Watched(dict[str, Any]):
    """Values that note which of them a reader asks for."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self.asked.update(super().__iter__())
        return super().__iter__()


def compile_for(
    record: KlogRecord, keys: tuple[str, ...], read: ReadRecord, to_us: ToMicros
) -> Build[SchedulerEvent] | None:
    """What makes the events of lines like the one of `record`; None where there is no short way.

    `keys` and `read` as in `klogreplay.klog.builds.Compile`. The seconds it is given must be those of `to_us`; for JSON
    they are the whole time.
    """
    name, message = split_logger(record.msg)
    reader = STRUCTURED.get(message)
    if reader is None:
        reader, name = _printed(record.msg), ""
    if reader is None or record.header is None:
        return None
    found = _learn(record, keys, reader, name or "")
    if found is None:
        return None
    return _Variant(found, read, to_us, _WHOLE if record.dialect == "json" else _OF_SECOND).build


def _printed(msg: str) -> Reader | None:
    """What reads records that all have this text for a message; None where no form of it is known."""
    for form in PRINTF:
        match = form.pattern.match(msg) if msg.startswith(form.start) else None
        if match is not None:
            read = form.read
            return lambda line: read(msgspec.structs.replace(line, match=match))
    return None


class _Learnt(NamedTuple):
    """What becomes of the values of a variant's lines.

    Those at the indices in `texts` and `numbers` go into these fields as they stand; those at `kept` decide on the
    rest; all others are not asked for.
    """

    kind: type[SchedulerEvent]
    texts: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, int], ...]
    kept: tuple[int, ...]


def _learn(record: KlogRecord, keys: tuple[str, ...], reader: Reader, name: str) -> _Learnt | None:
    header = record.header
    site = "" if header is None else f"{header.file.rpartition('/')[2]}:{header.line}"

    def made(values: dict[str, Any]) -> SchedulerEvent | None:
        base = {"line": 0, "t": 0, "pid": 0, "site": site, "text": ""}
        try:
            return reader(Line(record, values, base, record.logger or name))
        except OddValueError:
            return None

    watched = _Watched(record.values)
    event = made(watched)
    if event is None:
        return None
    texts: list[tuple[str, int]] = []
    numbers: list[tuple[str, int]] = []
    kept: list[int] = []
    for index, key in enumerate(keys):
        value, form = record.values[key], record.forms[key]
        is_number = type(value) is int
        if key not in watched.asked and key != "logger":
            if form != "quoted" and not is_number:
                # Whether it is a value at all only its conversion tells.
                kept.append(index)
            continue
        probes: tuple[Any, ...] = ()
        if is_number:
            probes = _NUMBER_PROBES
        elif key in TAKEN_OVER and form == "quoted" and value:
            probes = _TEXT_PROBES
        field = _taken_over(event, [(probe, made({**record.values, key: probe})) for probe in probes])
        if field is None:
            kept.append(index)
        else:
            (numbers if is_number else texts).append((field, index))
    return _Learnt(type(event), tuple(texts), tuple(numbers), tuple(kept))


def _taken_over(event: SchedulerEvent, tried: Sequence[tuple[Any, SchedulerEvent | None]]) -> str | None:
    """The field into which a value goes as it stands, if that is all that becomes of it."""
    fields: set[str] = set()
    for probe, other in tried:
        if type(other) is not type(event):
            return None
        differing = [field for field in event.__struct_fields__ if getattr(other, field) != getattr(event, field)]
        if len(differing) != 1 or getattr(other, differing[0]) != probe:
            return None
        fields.update(differing)
    return fields.pop() if len(fields) == 1 else None


class _Variant:
    """Makes the events of one variant.

    An event has what one had that was read the long way from a line with the same values in all that was not taken
    over; that one had to agree with a second such line before.
    """

    def __init__(self, learnt: _Learnt, read: ReadRecord, to_us: ToMicros, time: str) -> None:
        self._read = read
        self._to_us = to_us
        self._pick: Callable[[tuple[str, ...]], Any] | None = itemgetter(*learnt.kept) if learnt.kept else None
        self._once: dict[Any, SchedulerEvent] = {}
        self._known: dict[Any, Build[SchedulerEvent]] = {}
        self._maker, self.build = _written(learnt, time, self._known, self._long_way)

    def _long_way(
        self, text: str, number: int, source: int, groups: tuple[str, ...], second: int
    ) -> SchedulerEvent | None:
        record = self._read(text, number, source, groups)
        event = None if record is None else extract(record, self._to_us)
        if event is not None and text[-1] != "\r":
            self._remember(event, text, number, source, groups, second)
        return event

    def _remember(
        self, event: SchedulerEvent, text: str, number: int, source: int, groups: tuple[str, ...], second: int
    ) -> None:
        key = None if self._pick is None else self._pick(groups)
        if key in self._known or len(self._once) >= _MOST_REMEMBERED or len(text) > _LONGEST_REMEMBERED:
            return
        model = self._once.setdefault(key, event)
        if model is not event:
            make = self._maker(model)
            if make(text, number, source, groups, second) == event:
                self._known[key] = make


def _written(
    learnt: _Learnt, time: str, known: dict[Any, Build[SchedulerEvent]], long_way: Build[SchedulerEvent]
) -> tuple[Callable[[SchedulerEvent], Build[SchedulerEvent]], Build[SchedulerEvent]]:
    """Two functions for one variant, with all that is the same for its lines written out: a loop costs twice as much.

    The first gives for an event what makes others like it, the second chooses among these. Nothing of a log gets into
    their text, only indices and the names of fields.
    """
    kept = [f"groups[{index}]" for index in learnt.kept]
    key = f"({', '.join(kept)})" if len(kept) > 1 else "".join(kept) or "None"
    odd = ["make is None", "text[-1] == '\\r'", *(f"not groups[{index}]" for _, index in learnt.texts)]
    taken = {"line": "number", "t": time, "text": "text", "source": "source"}
    taken |= {field: f"groups[{index}]" for field, index in learnt.texts}
    taken |= {field: f"int(groups[{index}])" for field, index in learnt.numbers}
    fields = learnt.kind.__struct_fields__
    by_name = SchedulerEvent.__struct_fields__
    values = [
        taken.get(field, field) if field not in by_name else f"{field}={taken.get(field, field)}" for field in fields
    ]
    names: dict[str, Any] = {"known": known.get, "long_way": long_way, "kind": learnt.kind}
    text = f"""
def maker(model):
    {"; ".join(f"{field} = model.{field}" for field in fields if field not in taken)}
    def make(text, number, source, groups, second):
        return kind({", ".join(values)})
    return make

def build(text, number, source, groups, second):
    make = known({key})
    if {" or ".join(odd)}:
        return long_way(text, number, source, groups, second)
    return make(text, number, source, groups, second)
"""
    exec(text, names)
    return names["maker"], names["build"]
