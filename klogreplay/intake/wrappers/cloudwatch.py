"""Amazon CloudWatch Logs, where EKS sends the scheduler's log.

The events of `aws logs get-log-events` and `filter-log-events`, and of a subscription; the rows of Logs Insights as
the command line and as the console give them; the lines of `aws logs tail`; `--output text`. Source: the CloudWatch
Logs API and the AWS command line.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, named, stamp_of_millis, stamp_of_text

_MESSAGE = "@message"
_STREAM = "@logStream"
_LINE = b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'
_IN_JSON = rb"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\""


class Event(msgspec.Struct):
    """One log event; the time in milliseconds since the epoch."""

    timestamp: int
    message: str
    stream: str | None = msgspec.field(name="logStreamName", default=None)


class Field(msgspec.Struct):
    """A field of a row of Logs Insights."""

    field: str
    value: str


class Row(msgspec.Struct):
    """A row of Logs Insights as the console exports it."""

    message: str = msgspec.field(name=_MESSAGE)
    timestamp: str | None = msgspec.field(name="@timestamp", default=None)
    stream: str | None = msgspec.field(name="@logStream", default=None)


def _event(event: Event) -> Unwrapped:
    return Unwrapped(line_of(event.message), stamp=stamp_of_millis(event.timestamp))


def _fields(fields: list[Field]) -> Unwrapped | None:
    by_name = {field.field: field.value for field in fields}
    message = by_name.get(_MESSAGE)
    if message is None:
        return None
    return Unwrapped(line_of(message), stamp=stamp_of_text(by_name.get("@timestamp")))


def _row(row: Row) -> Unwrapped:
    return Unwrapped(line_of(row.message), stamp=stamp_of_text(row.timestamp))


class _TextOutput(PrefixWrapper):
    """`--output text`: the fields of an event in the order of their names, the message before the time."""

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        unwrapped = super().unwrap(line)
        if unwrapped is None:
            return None
        message, _, millis = unwrapped.payload.rpartition(b"\t")
        if not millis.strip().isdigit():
            return None
        return Unwrapped(message, stamp=stamp_of_millis(int(millis[:15])), log=unwrapped.log)

    def take(self, lines: Sequence[bytes]) -> list[bytes] | None:
        """See `Wrapper`."""
        payloads = super().take(lines)
        return None if payloads is None else [payload.rpartition(b"\t")[0] for payload in payloads]


WRAPPERS = (
    JsonWrapper(
        "cloudwatch",
        "CloudWatch (EKS): log events",
        Event,
        _event,
        log=lambda event: named(event.stream),
        samples=(Sample((b'{"timestamp":1693512227184,"message":"' + _IN_JSON + b'","ingestionTime":1}',), (_LINE,)),),
    ),
    JsonWrapper(
        "cloudwatch-insights",
        "CloudWatch Logs Insights: rows of fields",
        list[Field],
        _fields,
        log=lambda fields: named(next((field.value for field in fields if field.field == _STREAM), None)),
        samples=(
            Sample(
                (
                    b'[{"field":"@timestamp","value":"2023-08-31 20:03:47.184"},{"field":"@message","value":"'
                    + _IN_JSON
                    + b'"},{"field":"@ptr","value":"Cm"}]',
                ),
                (_LINE,),
            ),
        ),
    ),
    JsonWrapper(
        "cloudwatch-insights",
        "CloudWatch Logs Insights: rows from the console",
        Row,
        _row,
        log=lambda row: named(row.stream),
        samples=(Sample((b'{"@timestamp":"2023-08-31 20:03:47.184","@message":"' + _IN_JSON + b'"}',), (_LINE,)),),
    ),
    PrefixWrapper(
        "cloudwatch-tail",
        "aws logs tail",
        rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}+)?+\+00:00 [^ \n:*]{1,512}+ ",
        log=rb"[^ ]* ([^ ]*) ",
        samples=(Sample((b"2023-08-31T20:03:47.184000+00:00 kube-scheduler-0f1e " + _LINE,), (_LINE,)),),
    ),
    _TextOutput(
        "cloudwatch-text",
        "aws logs --output text",
        rb"EVENTS\t(?:[0-9]{30,70}+\t[0-9]{13}\t[^\t\n]{1,512}+\t|[0-9]{13}\t)",
        own=rb"(?:SEARCHEDLOGSTREAMS|[bf]/[0-9]{10,})[^\n]*+",
        certain=True,
        log=rb"EVENTS\t[0-9]+\t[0-9]+\t([^\t]+)\t",
        samples=(
            Sample((b"EVENTS\t1693512230000\t" + _LINE + b"\t1693512227184",), (_LINE,)),
            Sample(
                (b"EVENTS\t" + b"3" * 56 + b"\t1693512230000\tkube-scheduler-0f1e\t" + _LINE + b"\t1693512227184",),
                (_LINE,),
            ),
        ),
    ),
)
