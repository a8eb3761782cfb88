"""What log collectors write as JSON lines: Fluentd, Fluent Bit, Filebeat, Vector, Splunk.

The line is `log`, `message` or `_raw`; beside it stand the collector's own fields, such as `@timestamp`, `date`,
`kubernetes`, `source_type`. Fluent Bit's CRI parser keeps the tag as `_p` or `logtag`: "P" is a part. Source: the
documentation of these programs.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import Sample, Unwrapped
from klogreplay.intake.wrappers.elastic import pod_of
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, stamp_of_text

_LINE = b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'
_IN_JSON = rb"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\""


class Entry(msgspec.Struct):
    """One object; which fields are there depends on the collector."""

    message: str | None = None
    log: str | dict[str, object] | None = None
    raw: str | None = msgspec.field(name="_raw", default=None)
    stream: str | None = None
    tag: str | None = None
    logtag: str | None = None
    cri_tag: str | None = msgspec.field(name="_p", default=None)
    elastic_time: str | None = msgspec.field(name="@timestamp", default=None)
    timestamp: str | float | None = None
    date: str | float | None = None
    kubernetes: msgspec.Raw = msgspec.Raw()
    source_type: str | None = None
    # The fields of other wrappers: an object that has them is not a collector's.
    test_action: str | None = msgspec.field(name="Action", default=None)
    log_name: str | None = msgspec.field(name="logName", default=None)
    container_name: str | None = msgspec.field(name="containerName", default=None)


def _read(entry: Entry) -> Unwrapped | None:
    if entry.test_action or entry.log_name or entry.container_name:
        return None
    times = (entry.elastic_time, entry.date, entry.timestamp)
    told = (*times[:2], entry.source_type, entry.tag, entry.logtag, entry.cri_tag, entry.raw)
    if all(field is None for field in told) and not bytes(entry.kubernetes) and not isinstance(entry.timestamp, str):
        return None
    text = next((text for text in (entry.log, entry.message, entry.raw) if isinstance(text, str)), None)
    if text is None:
        return None
    stamp = next((stamp for time in times if isinstance(time, str) and (stamp := stamp_of_text(time))), None)
    lane = (entry.stream or "").encode()
    return Unwrapped(line_of(text), "P" in (entry.logtag, entry.cri_tag), lane, stamp)


WRAPPER = JsonWrapper(
    "collector",
    "Fluentd, Fluent Bit, Filebeat, Vector",
    Entry,
    _read,
    log=lambda entry: pod_of(entry.kubernetes),
    samples=(
        Sample(
            (
                b'{"date":1693512227.184,"log":"' + _IN_JSON + rb'\n","stream":"stderr","kubernetes":{"pod_name":"p"}}',
                b'{"@timestamp":"2023-08-31T20:03:47.184Z","message":"' + _IN_JSON + b'","log":{"offset":1}}',
                b'{"message":"' + _IN_JSON + b'","source_type":"kubernetes_logs","timestamp":"2023-08-31T20:03:47Z"}',
                rb'{"time":"2023-08-31T20:03:47Z","stream":"stderr","_p":"P","log":"I0831 20:03:47.184243       1 "}',
                rb'{"time":"2023-08-31T20:03:47Z","stream":"stderr","_p":"F","log":"a.go:1] \"One\" pod=\"x/a\""}',
            ),
            (_LINE,) * 4,
        ),
    ),
)
