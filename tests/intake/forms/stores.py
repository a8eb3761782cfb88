"""Log stores, as their tools and pages export from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from tests.intake.forms.base import (
    CONTAINER,
    HEADER,
    HOST,
    POD,
    At,
    Form,
    each,
    json_lines,
    newest_first,
    table,
    timed,
    to_json,
)

_SEVERITY = {"I": "INFO", "W": "WARNING", "E": "ERROR", "F": "CRITICAL"}


def _log_entry(at: At, payload: dict[str, object], severity: str = "INFO") -> dict[str, object]:
    return {
        "insertId": at.nanos(),
        "labels": {"compute.googleapis.com/resource_name": HOST},
        "logName": "projects/p/logs/container.googleapis.com%2Fkube-scheduler",
        "receiveTimestamp": at.iso(),
        "resource": {"labels": {"cluster_name": "c"}, "type": "k8s_control_plane_component"},
        "severity": severity,
        "timestamp": at.iso(6),
        **payload,
    }


def _text_payload(at: At) -> dict[str, object]:
    return _log_entry(at, {"textPayload": at.line + "\n"})


def _taken_apart(at: At) -> dict[str, object]:
    header = HEADER.match(at.line)
    if header is None:
        return _log_entry(at, {"jsonPayload": {"message": at.line}})
    payload = {"message": at.line[header.end() :], "pid": header[8], "source": header[9]}
    return _log_entry(at, {"jsonPayload": payload}, _SEVERITY[header[1]])


def _gcloud(make: Callable[[At], dict[str, object]]) -> Callable[[Sequence[str]], bytes]:
    return lambda lines: json.dumps([make(at) for at in reversed(list(timed(lines)))], indent=2).encode() + b"\n"


def _explorer_row(at: At) -> Sequence[object]:
    entry = _taken_apart(at)
    payload = entry["jsonPayload"]
    assert isinstance(payload, dict)
    columns = (payload.get(name, "") for name in ("message", "pid", "source"))
    return (entry["insertId"], *columns, entry["severity"], entry["timestamp"])


def _chosen(at: At) -> dict[str, object]:
    return {"textPayload": at.line + "\n", "timestamp": at.iso(6)}


def _grafana_text(lines: Sequence[str]) -> bytes:
    head = f'Common labels: {to_json({"app": CONTAINER})}\nLine limit: "1000 (99 returned)"\n\n\n'
    return head.encode() + newest_first(lambda at: f"{at.millis()}\t{at.iso(3)}\t{at.line}")(lines)


def _event(at: At) -> dict[str, object]:
    return {"timestamp": at.millis(), "message": at.line, "ingestionTime": at.millis() + 900}


def _get_log_events(lines: Sequence[str]) -> bytes:
    document = {"events": [_event(at) for at in timed(lines)], "nextForwardToken": "f/1", "nextBackwardToken": "b/1"}
    return json.dumps(document, indent=4).encode() + b"\n"


def _insights(lines: Sequence[str]) -> bytes:
    rows = [
        [
            {"field": "@timestamp", "value": at.time.strftime("%Y-%m-%d %H:%M:%S") + at.fraction(3)},
            {"field": "@message", "value": at.line},
            {"field": "@ptr", "value": "Cm"},
        ]
        for at in reversed(list(timed(lines)))
    ]
    return json.dumps({"results": rows, "statistics": {"recordsMatched": 1.0}, "status": "Complete"}, indent=4).encode()


def _aks_record(at: At) -> dict[str, object]:
    return {
        "operationName": "Microsoft.ContainerService/managedClusters/diagnosticLogs/Read",
        "category": "kube-scheduler",
        "resourceId": "/SUBSCRIPTIONS/S/RESOURCEGROUPS/R/PROVIDERS/MICROSOFT.CONTAINERSERVICE/MANAGEDCLUSTERS/C",
        "properties": {"log": at.line + "\n", "stream": "stderr", "pod": f"{POD}-0f1e"},
        "time": at.iso(7),
    }


def _loki_api(lines: Sequence[str]) -> bytes:
    values = [[at.nanos(), at.line] for at in reversed(list(timed(lines)))]
    streams = [{"stream": {"app": CONTAINER}, "values": values}]
    return to_json({"status": "success", "data": {"resultType": "streams", "result": streams, "stats": {}}}).encode()


def _grafana_json(lines: Sequence[str]) -> bytes:
    rows = [
        {"line": at.line, "timestamp": at.nanos(), "date": at.iso(3), "fields": {"app": CONTAINER}}
        for at in reversed(list(timed(lines)))
    ]
    return to_json(rows).encode()


def _kibana_time(at: At) -> str:
    return f"{at.time.strftime('%b')} {at.time.day}, {at.time.strftime('%Y @ %H:%M:%S')}{at.fraction(3)}"


def _hits(lines: Sequence[str]) -> bytes:
    hits = [
        {"_index": "logs", "_id": at.nanos(), "_source": {"@timestamp": at.iso(3), "message": at.line}}
        for at in timed(lines)
    ]
    return to_json({"took": 3, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits}}).encode()


FORMS: tuple[Form, ...] = (
    Form(
        "gke-text",
        "Cloud Logging (GKE), gcloud --format=json: textPayload, newest first",
        _gcloud(_text_payload),
        ("cloud-logging",),
    ),
    Form(
        "gke-json",
        "Cloud Logging (GKE), gcloud --format=json: jsonPayload, newest first",
        _gcloud(_taken_apart),
        ("cloud-logging",),
    ),
    Form(
        "gke-chosen",
        "Cloud Logging (GKE), gcloud --format='json(timestamp,textPayload)', newest first",
        _gcloud(_chosen),
        ("cloud-logging",),
    ),
    Form("gke-lines", "Cloud Logging (GKE), export as lines", json_lines(_taken_apart), ("cloud-logging",)),
    Form(
        "gke-csv",
        "Logs Explorer (GKE), CSV, newest first",
        table(
            ["insertId", "jsonPayload.message", "jsonPayload.pid", "jsonPayload.source", "severity", "timestamp"],
            _explorer_row,
        ),
        ("csv",),
    ),
    Form("eks-events", "CloudWatch (EKS), get-log-events", _get_log_events, ("cloudwatch",)),
    Form("eks-lines", "CloudWatch (EKS), events as lines", json_lines(_event), ("cloudwatch",)),
    Form(
        "eks-text",
        "CloudWatch (EKS), --output text",
        each(lambda at: f"EVENTS\t{at.millis() + 900}\t{at.line}\t{at.millis()}"),
        ("cloudwatch-text",),
        loses="tabs of blocks are kept, as the command line does",
    ),
    Form("eks-s3", "CloudWatch (EKS), export to S3", each(lambda at: f"{at.iso(3)} {at.line}"), ("timestamps",)),
    Form(
        "eks-tail",
        "aws logs tail",
        each(lambda at: f"{at.iso(6)[:-1]}+00:00 {POD}-0f1e {at.line}"),
        ("cloudwatch-tail",),
    ),
    Form("eks-insights", "Logs Insights (EKS), newest first", _insights, ("cloudwatch-insights",)),
    Form(
        "eks-insights-csv",
        "Logs Insights (EKS), CSV",
        table(
            ["@timestamp", "@message"],
            lambda at: (at.time.strftime("%Y-%m-%d %H:%M:%S") + at.fraction(3), at.line),
        ),
        ("csv",),
    ),
    Form("aks", "Azure resource logs (AKS)", json_lines(_aks_record), ("aks",)),
    Form(
        "aks-csv",
        "Log Analytics (AKS), CSV, newest first",
        table(["TimeGenerated [UTC]", "Category", "log_s"], lambda at: (at.iso(3), "kube-scheduler", at.line)),
        ("csv",),
    ),
    Form(
        "logcli",
        "logcli (Loki), newest first",
        newest_first(lambda at: f'{at.iso(0)[:-2]}Z {{app="{CONTAINER}", pod="{POD}"}} {at.line.strip()}'),
        ("logcli",),
        loses="blanks and tabs at both ends of a line",
    ),
    Form(
        "logcli-jsonl",
        "logcli --output jsonl (Loki), newest first",
        newest_first(lambda at: to_json({"labels": {"app": CONTAINER}, "line": at.line, "timestamp": at.nano()})),
        ("loki-json",),
    ),
    Form("loki-api", "Loki's HTTP API, newest first", _loki_api, ("loki-api",)),
    Form("grafana-json", "Grafana, JSON download", _grafana_json, ("loki-json",)),
    Form("grafana-epoch", "Grafana, text download, newest first", _grafana_text, ("timestamps",)),
    Form(
        "grafana-text",
        "Grafana, text download (older), newest first",
        newest_first(lambda at: f"{at.iso(3)}\t{at.line}"),
        ("timestamps",),
    ),
    Form(
        "grafana-csv",
        "Grafana, CSV download",
        table(["labels", "Time", "Line", "tsNs"], lambda at: ("{}", at.millis(), at.line, at.nanos())),
        ("csv",),
    ),
    Form(
        "kibana-csv",
        "Kibana, CSV, newest first",
        table(["@timestamp", "message", "kubernetes.pod.name"], lambda at: (_kibana_time(at), at.line, POD)),
        ("csv",),
    ),
    Form("elasticsearch", "Elasticsearch, hits of a search", _hits, ("elasticsearch",)),
    Form(
        "fluent-bit",
        "Fluent Bit, JSON lines",
        json_lines(lambda at: {"date": at.millis() / 1000, "log": at.line, "stream": "stderr", "kubernetes": {}}),
        ("collector",),
    ),
)
