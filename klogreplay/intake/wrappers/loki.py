"""Grafana Loki: logcli's output, the answers of its HTTP API, and what Grafana downloads.

logcli prints `2023-08-31T20:03:47Z {pod="kube-scheduler-node-1"} I0831 …`, or objects with `--output jsonl`; an answer
of the API holds pairs `["1693512227184243001","I0831 …"]`; Grafana's JSON has `line` and `timestamp` in nanoseconds.
They come newest first. Source: logcli's outputs, Loki's HTTP API, Grafana's log download.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, named, stamp_of_millis, stamp_of_text

_LINE = b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'
_IN_JSON = rb"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\""


class Entry(msgspec.Struct):
    """One line as logcli and Grafana write it in JSON."""

    line: str
    timestamp: str
    labels: dict[str, str] = {}


def _stamp(time: str) -> bytes | None:
    """The time as text, or in nanoseconds since the epoch."""
    if time.isascii() and time.isdecimal() and len(time) < 20:
        return stamp_of_millis(int(time) // 1_000_000)
    return stamp_of_text(time)


def _entry(entry: Entry) -> Unwrapped:
    return Unwrapped(line_of(entry.line), stamp=_stamp(entry.timestamp))


def _pair(pair: list[str | dict[str, object]]) -> Unwrapped | None:
    """Time, line, and since Loki 3 perhaps its structured metadata."""
    if not 2 <= len(pair) <= 3 or not isinstance(pair[0], str) or not isinstance(pair[1], str):
        return None
    if not (pair[0].isascii() and pair[0].isdecimal() and 16 <= len(pair[0]) < 20):
        return None
    return Unwrapped(line_of(pair[1]), stamp=_stamp(pair[0]))


WRAPPERS = (
    PrefixWrapper(
        "logcli",
        "logcli (Loki)",
        rb"[0-9]{4}-[-0-9T:.Z+]{15,31}+ \{(?:[^\"}\n]++|\"(?:[^\"\\\n]++|\\.)*+\")*+\} ++",
        strips=True,
        log=rb'[^{]*\{(?:[^}]*?[ ,{])??pod(?:_name)?="([^"]+)"',
        samples=(
            Sample(
                (b'2023-08-31T20:03:47Z {app="kube-scheduler", pod="kube-scheduler-node-1"}   ' + _LINE,),
                (_LINE,),
            ),
        ),
    ),
    JsonWrapper(
        "loki-json",
        "logcli --output jsonl, Grafana's JSON download",
        Entry,
        _entry,
        log=lambda entry: named(entry.labels.get("pod") or entry.labels.get("pod_name")),
        samples=(
            Sample(
                (
                    b'{"labels":{"app":"kube-scheduler"},"line":"'
                    + _IN_JSON
                    + b'","timestamp":"2023-08-31T20:03:47Z"}',
                    b'{"line":"' + _IN_JSON + b'","timestamp":"1693512227184243001","date":"2023-08-31T20:03:47.184Z"}',
                ),
                (_LINE, _LINE),
            ),
        ),
    ),
    JsonWrapper(
        "loki-api",
        "answers of Loki's HTTP API",
        list[str | dict[str, object]],
        _pair,
        samples=(Sample((b'["1693512227184243001","' + _IN_JSON + b'"]',), (_LINE,)),),
    ),
)
