"""Elasticsearch and Kibana: hits of a search, with the document in `_source` or its fields.

`{"_index":"logs","_source":{"@timestamp":"2023-08-31T20:03:47.184Z","message":"I0831 …"}}`; Kibana's documents have
`"fields":{"message":["I0831 …"]}`. Its CSV is read by `klogreplay.intake.wrappers.exports.csv_table`. Source: the
search API of Elasticsearch, Kibana's Discover.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import UNREADABLE, JsonWrapper, line_of, named, stamp_of_text

_LINE = b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'
_IN_JSON = rb"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\""


class _Kubernetes(msgspec.Struct):
    """Where Filebeat and Fluent Bit read the line; the names of the one and the other."""

    pod: dict[str, object] = {}
    container: dict[str, object] = {}
    pod_name: str | None = None
    container_name: str | None = None


class _Document(msgspec.Struct):
    message: str | None = None
    log: str | dict[str, object] | None = None
    time: str | None = msgspec.field(name="@timestamp", default=None)
    kubernetes: msgspec.Raw = msgspec.Raw()


class _Fields(msgspec.Struct):
    message: list[str] = []
    log: list[str] = []
    time: list[str] = msgspec.field(name="@timestamp", default_factory=list)
    pod: list[str] = msgspec.field(name="kubernetes.pod.name", default_factory=list)
    container: list[str] = msgspec.field(name="kubernetes.container.name", default_factory=list)


class Hit(msgspec.Struct):
    """One hit of a search."""

    index: str = msgspec.field(name="_index")
    source: _Document | None = msgspec.field(name="_source", default=None)
    fields: _Fields | None = None


def _read(hit: Hit) -> Unwrapped:
    if hit.source is not None:
        document = hit.source
        text = document.message if document.message is not None else document.log
        if isinstance(text, str):
            return Unwrapped(line_of(text), stamp=stamp_of_text(document.time))
    if hit.fields is not None:
        texts = hit.fields.message or hit.fields.log
        if texts:
            return Unwrapped(line_of(texts[0]), stamp=stamp_of_text(next(iter(hit.fields.time), None)))
    return OWN


_KUBERNETES = msgspec.json.Decoder(_Kubernetes)


def pod_of(kubernetes: msgspec.Raw) -> str:
    """Pod and container of what collectors put beside a line as `kubernetes`; "" where it does not tell."""
    try:
        found = _KUBERNETES.decode(bytes(kubernetes))
    except UNREADABLE:
        return ""
    pod, container = found.pod.get("name"), found.container.get("name")
    return named(
        pod if isinstance(pod, str) else found.pod_name,
        container if isinstance(container, str) else found.container_name,
    )


def _log(hit: Hit) -> str:
    if hit.source is not None:
        return pod_of(hit.source.kubernetes)
    fields = hit.fields or _Fields()
    return named(next(iter(fields.pod), None), next(iter(fields.container), None))


WRAPPER = JsonWrapper(
    "elasticsearch",
    "Elasticsearch, Kibana: hits",
    Hit,
    _read,
    log=_log,
    samples=(
        Sample(
            (
                b'{"_index":"logs","_id":"a","_source":{"@timestamp":"2023-08-31T20:03:47.184Z","message":"'
                + _IN_JSON
                + b'"}}',
                b'{"_index":"logs","_id":"b","fields":{"message":["' + _IN_JSON + b'"]}}',
            ),
            (_LINE, _LINE),
        ),
    ),
)
