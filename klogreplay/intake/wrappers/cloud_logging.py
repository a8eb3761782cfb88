"""Google Cloud Logging, where GKE sends the scheduler's log: `gcloud logging read --format=json`, exports, downloads.

An entry holds the line as `textPayload`, or as `jsonPayload`: with `--logging-format=json` the record itself, else the
header taken apart into `pid`, `source` and `message`, with severity and time beside it. The entries come newest first.
Of all other fields only the time is needed: `--format='json(timestamp,textPayload)'` leaves out the log's name.
Source: Cloud Logging's LogEntry, the glog parser of GKE's logging agent.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped
from klogreplay.intake.wrappers.header import klog_line
from klogreplay.intake.wrappers.json_lines import UNREADABLE, JsonWrapper, line_of, named, stamp_of_text


class Entry(msgspec.Struct, rename="camel"):
    """One LogEntry, as far as it matters."""

    timestamp: str
    log_name: str | None = None
    severity: str | None = None
    text_payload: str | None = None
    json_payload: msgspec.Raw = msgspec.Raw()
    resource: msgspec.Raw = msgspec.Raw()


class _Labels(msgspec.Struct, rename={"cluster": "cluster_name", "pod": "pod_name", "container": "container_name"}):
    cluster: str | None = None
    pod: str | None = None
    container: str | None = None


class _Resource(msgspec.Struct):
    """What the entry is of; the labels depend on its type."""

    labels: _Labels


class _Payload(msgspec.Struct):
    """What agents put into a jsonPayload."""

    message: str | None = None
    log: str | None = None
    journal: str | None = msgspec.field(name="MESSAGE", default=None)
    pid: str | int | None = None
    source: str | None = None
    ts: float | None = None
    msg: str | None = None


_PAYLOAD = msgspec.json.Decoder(_Payload)
_RESOURCE = msgspec.json.Decoder(_Resource)


def _log(entry: Entry) -> str:
    try:
        labels = _RESOURCE.decode(bytes(entry.resource)).labels
    except UNREADABLE:
        return ""
    return named(labels.cluster, labels.pod, labels.container)


def _read(entry: Entry) -> Unwrapped | None:
    stamp = stamp_of_text(entry.timestamp)
    if entry.text_payload is not None:
        return Unwrapped(line_of(entry.text_payload), stamp=stamp)
    raw = bytes(entry.json_payload)
    if entry.log_name is None and not raw.startswith(b"{"):
        return None
    try:
        payload = _PAYLOAD.decode(raw)
    except UNREADABLE:
        return OWN
    if payload.ts is not None and payload.msg is not None:
        return Unwrapped(raw.replace(b"\n", b" "), stamp=stamp)
    text = next((text for text in (payload.message, payload.log, payload.journal) if text is not None), None)
    if text is None:
        return OWN
    if payload.source is not None:
        pid = None if payload.pid is None else str(payload.pid)
        text = klog_line(entry.severity, entry.timestamp, pid, payload.source, text)
    return Unwrapped(line_of(text), stamp=stamp)


_LOG = rb'"logName":"projects/p/logs/container.googleapis.com%2Fkube-scheduler"'

WRAPPER = JsonWrapper(
    "cloud-logging",
    "Google Cloud Logging (GKE)",
    Entry,
    _read,
    log=_log,
    samples=(
        Sample(
            (
                rb'{"insertId":"a","textPayload":"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\"\n",'
                rb'"timestamp":"2023-08-31T20:03:47.184300Z",' + _LOG + rb"}",
                rb'{"insertId":"b","jsonPayload":{"message":"\"Two\" pod=\"x/b\"","pid":"1","source":"a.go:2"},'
                rb'"severity":"ERROR","timestamp":"2023-08-31T20:03:47.2Z",' + _LOG + rb"}",
                rb'{"insertId":"c","jsonPayload":{"ts":1693512227184.2,"caller":"x/a.go:3","msg":"Three","v":2},'
                rb'"timestamp":"2023-08-31T20:03:47.3Z",' + _LOG + rb"}",
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'E0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
                b'{"ts":1693512227184.2,"caller":"x/a.go:3","msg":"Three","v":2}',
            ),
        ),
        Sample(
            (
                rb'{"textPayload":"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\"",'
                rb'"timestamp":"2023-08-31T20:03:47.184300Z"}',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
