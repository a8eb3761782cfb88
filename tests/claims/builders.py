"""Short ways to make the objects that the tests of this package talk about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from klogreplay.claims.objects import Pod, ResourceClaim
from klogreplay.events.extract import extract
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake.line import LogLine
from klogreplay.klog.clock import Clock
from klogreplay.klog.reader import read_records

ANNOTATION = "resource.kubernetes.io/pod-claim-name"


def pod(name: str = "web-0", *entries: dict[str, Any], uid: str = "uid-1", **status: Any) -> Pod:
    return Pod.model_validate(
        {
            "metadata": {"name": name, "namespace": "default", "uid": uid},
            "spec": {"resourceClaims": list(entries)},
            "status": status,
        }
    )


def claim(name: str, owner_uid: str | None = "uid-1", *, namespace: str = "default", **rest: Any) -> ResourceClaim:
    owners = [{"apiVersion": "v1", "kind": "Pod", "name": "web-0", "uid": owner_uid, "controller": True}]
    return ResourceClaim.model_validate(
        {
            "apiVersion": rest.pop("api_version", "resource.k8s.io/v1"),
            "metadata": {
                "name": name,
                "namespace": namespace,
                "annotations": rest.pop("annotations", {}),
                "ownerReferences": owners if owner_uid is not None else [],
                **rest.pop("metadata", {}),
            },
            **rest,
        }
    )


def events_of(lines: Iterable[str]) -> Iterator[SchedulerEvent]:
    """The events of a log's lines."""
    clock = Clock(2026)
    numbered = (LogLine(text=line.rstrip("\r\n"), number=number) for number, line in enumerate(lines, 1))
    for record in read_records(numbered):
        event = extract(record, clock.micros)
        if event is not None:
            yield event


def read_log(path: Path) -> Iterator[SchedulerEvent]:
    """The events of a log file."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        yield from events_of(file)


def log_line(site: str, message: str, clock: str = "10:00:00.000000", severity: str = "I") -> str:
    """One line of klog text; `message` is all that follows the header."""
    return f"{severity}1201 {clock}       1 {site}] {message}"
