"""Azure, where AKS sends the scheduler's log: diagnostic settings to storage or an event hub, Log Analytics.

In a blob or event a record is `{"category":"kube-scheduler","properties":{"log":"I0831 …\\n","pod":…},"time":…}`; a row
of Log Analytics has `log_s` (AzureDiagnostics) or `Message` (AKSControlPlane) beside `TimeGenerated`. Source: Azure
Monitor's resource log schema and table reference.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import UNREADABLE, JsonWrapper, line_of, named, stamp_of_text

_LINE = b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'
_IN_JSON = rb"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\""


class _Properties(msgspec.Struct):
    log: str
    pod: str | None = None


class Record(msgspec.Struct):
    """A resource log record."""

    category: str
    properties: _Properties | str
    time: str | None = None


class Row(msgspec.Struct, rename={"time": "TimeGenerated", "message": "Message", "pod": "PodName"}):
    """A row of Log Analytics."""

    time: str
    log_s: str | None = None
    message: str | None = None
    pod_s: str | None = None
    pod: str | None = None


_PROPERTIES = msgspec.json.Decoder(_Properties)


def _properties(record: Record) -> _Properties:
    """They may be JSON in a string. Raises what decoding does."""
    found = record.properties
    return _PROPERTIES.decode(found) if isinstance(found, str) else found


def _record(record: Record) -> Unwrapped | None:
    try:
        return Unwrapped(line_of(_properties(record).log), stamp=stamp_of_text(record.time))
    except UNREADABLE:
        return None


def _row(row: Row) -> Unwrapped:
    text = row.log_s if row.log_s is not None else row.message
    return OWN if text is None else Unwrapped(line_of(text), stamp=stamp_of_text(row.time))


WRAPPERS = (
    JsonWrapper(
        "aks",
        "Azure resource logs (AKS)",
        Record,
        _record,
        log=lambda record: named(_properties(record).pod),
        samples=(
            Sample(
                (
                    rb'{"operationName":"Microsoft.ContainerService/managedClusters/diagnosticLogs/Read",'
                    rb'"category":"kube-scheduler","resourceId":"/SUBSCRIPTIONS/S","properties":{"log":"'
                    + _IN_JSON
                    + rb'\n","stream":"stderr","pod":"kube-scheduler-0f1e"},"time":"2023-08-31T20:03:47.0000000Z"}',
                ),
                (_LINE,),
            ),
        ),
    ),
    JsonWrapper(
        "log-analytics",
        "Azure Log Analytics (AKS)",
        Row,
        _row,
        log=lambda row: named(row.pod_s or row.pod),
        samples=(
            Sample(
                (
                    b'{"TimeGenerated":"2023-08-31T20:03:47.184Z","Category":"kube-scheduler","log_s":"'
                    + _IN_JSON
                    + b'"}',
                ),
                (_LINE,),
            ),
            Sample(
                (b'{"TimeGenerated":"2023-08-31T20:03:47.184Z","Level":"INFO","Message":"' + _IN_JSON + b'"}',),
                (_LINE,),
            ),
        ),
    ),
)
