"""The dialects of klog: JSON, and what tests print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from tests.intake.forms.base import HEADER, YEAR, Convert, Form, text

_PAIR = re.compile(r' ([^ ="]+)=("(?:[^"\\]|\\.)*"|[\[{].*?[\]}](?= [A-Za-z][A-Za-z0-9 ]*=|$)|[^ "]+)')
_MESSAGE = re.compile(r'"((?:[^"\\]|\\.)*)"')


def _records(lines: Sequence[str]) -> Iterator[tuple[re.Match[str], str, str]]:
    """Each record: its header, what stands behind that, and the lines that follow."""
    record: list[str] = []
    for line in [*lines, None]:
        if record and (line is None or HEADER.match(line)):
            header = HEADER.match(record[0])
            assert header is not None
            yield header, record[0][header.end() :], "\n".join(record[1:])
            record = []
        if line is not None:
            record.append(line)


def _read(value: str) -> object:
    """What stands behind the "=", where that is JSON; else its text."""
    if value[0] not in '"[{':
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value.strip('"')


def _values(rest: str) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in _PAIR.findall(rest):
        read = _read(value)
        if key == "pod":
            namespace, _, name = str(read).partition("/")
            read = {"name": name, "namespace": namespace}
        elif key == "node" and value.startswith('"'):
            read = {"name": read}
        elif not value.startswith('"') and value.isdecimal():
            read = int(value)
        values[key] = read
    return values


def as_json(ts: Callable[[datetime], object]) -> Convert:
    """`--logging-format=json`, with times as given."""

    def convert(lines: Sequence[str]) -> bytes:
        out = []
        for header, body, more in _records(lines):
            month, day, hours, minutes, seconds, micros = (int(part) for part in header.groups()[1:7])
            record: dict[str, object] = {"ts": ts(datetime(YEAR, month, day, hours, minutes, seconds, micros))}
            record["caller"] = f"x/{header[9]}"
            message = _MESSAGE.match(body)
            if message is None:
                record["msg"] = body
            else:
                record["msg"] = json.loads(message[0])
            if header[1] == "I":
                record["v"] = 2
            if message is not None:
                block = {"config": more} if more else {}
                record |= {**_values(body[message.end() :]), **block}
            out.append(json.dumps(record, separators=(",", ":")))
        return text(out)

    return convert


def ktesting(lines: Sequence[str]) -> bytes:
    """What ktesting prints below a test: file and line in front, the message without quotes, no process id.

    A test starts no command, so there are no flags.
    """
    out: list[str] = []
    for header, body, more in _records(lines):
        if body.startswith("FLAG: "):
            continue
        message = _MESSAGE.match(body)
        told = json.loads(message[0]) + body[message.end() :] if message is not None else body
        severity = "E" if header[1] == "E" else "I"
        out.append(f"    {header[9]}: {severity}{header[0][1:21]}] {told}")
        out += [f"        {line}" for line in more.splitlines()]
    return text(out)


def _epoch(time: datetime) -> float:
    return (time - datetime(1970, 1, 1)).total_seconds()


def _mixed(lines: Sequence[str]) -> bytes:
    """The first half in JSON, as a change of the flag leaves it, then text."""
    middle = next(index for index in range(len(lines) // 2, len(lines)) if HEADER.match(lines[index]))
    return as_json(lambda time: round(_epoch(time) * 1000, 3))(lines[:middle]) + text(lines[middle:])


def _by_turns(lines: Sequence[str]) -> bytes:
    """Text and JSON record by record, as two writers give them."""
    out = b""
    for index, (header, body, more) in enumerate(_records(lines)):
        record = [header[0] + body, *more.splitlines()]
        out += as_json(lambda time: round(_epoch(time) * 1000, 3))(record) if index % 2 else text(record)
    return out


FORMS: tuple[Form, ...] = (
    Form("json-millis", "--logging-format=json", as_json(lambda time: round(_epoch(time) * 1000, 3))),
    Form("json-seconds", "JSON, times in seconds", as_json(_epoch)),
    Form(
        "json-rfc3339", "JSON, times in RFC 3339", as_json(lambda time: time.isoformat(timespec="microseconds") + "Z")
    ),
    Form("ktesting", "ktesting (t.Log of a test)", ktesting),
    Form("json-then-text", "JSON, then text", _mixed),
    Form("json-and-text", "JSON and text by turns", _by_turns),
)
