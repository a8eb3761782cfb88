"""The recordings' format: a header, then one row per operation with its result and the state after it.

A recording is JSON lines, plain or gzipped; a file may hold several, each beginning with its header. Only what is
compared or needed is read; keys not named here (the log lines, the cached backoffExpiration) are skipped. Times are
nanoseconds from the recording's clock base.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

MAX_LINE_BYTES: Final = 64 * 1024 * 1024


class DamagedRecordingError(Exception):
    """The file is no recording, or breaks off; the text says where."""


class _Camel(msgspec.Struct, rename="camel"):
    """Upstream's spelling of the keys."""


class PluginEvent(_Camel, kw_only=True):
    """An event a plugin registered for. `ignored`: not registered in this release."""

    resource_name: str = ""
    action_mask: int = 0
    default: dict[str, str] = {}
    ignored: bool = False


class RecordedPlugin(_Camel, kw_only=True):
    """A plugin with its registrations."""

    name: str
    events: list[PluginEvent] = []


class RecordedConfig(_Camel, kw_only=True):
    """The queue's configuration; durations in nanoseconds."""

    initial_backoff_ns: int
    max_backoff_ns: int
    pod_max_in_unschedulable_pods_duration_ns: int
    pre_enqueue: list[str] = []
    plugins: list[RecordedPlugin] = []


class Header(_Camel, kw_only=True):
    """Row 0."""

    kubernetes: str
    combo: str = ""
    scenario: str = ""
    feature_gates: dict[str, bool] = {}
    action_masks: dict[str, int]
    clock: int
    config: RecordedConfig


class RecordedPod(_Camel, kw_only=True):
    """A pod object."""

    name: str
    ns: str = "default"
    uid: str = ""
    priority: int = 0
    labels: dict[str, str] = {}
    annotation: str = ""
    cpu_milli: int = 0
    affinity_app: str = ""
    scheduling_gates: int = 0
    tolerations: int = 0
    rv: int = 0
    status_rev: int = 0
    claim_status: int = 0
    node: str = ""


class Operation(_Camel, kw_only=True):
    """What was done. Which fields an operation has is up to its `op`."""

    op: str
    tick_ns: int = 0
    advance_ns: int = 0
    pod: RecordedPod | None = None
    old: RecordedPod | None = None
    pods: list[str] = []
    handle: int | None = None
    uid: str = ""
    mode: str = ""
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    cycle: int = 0
    event: str = ""
    old_obj: str | None = None
    new_obj: str | None = None
    hints: dict[str, dict[str, str]] = {}
    pre_check: dict[str, str] | None = None
    gate: str = ""
    open: bool = False


class RecordedEvent(_Camel, kw_only=True):
    """An event as delivered."""

    label: str
    resource: str
    action: int


class Result(_Camel, kw_only=True):
    """What the operation gave; `source` is where a Pop took the pod from."""

    error: str = ""
    skipped: str = ""
    pod: str | None = None
    uid: str = ""
    attempts: int = 0
    scheduling_cycle: int = 0
    source: str = msgspec.field(default="", name="from")
    event: RecordedEvent | None = None
    events: list[RecordedEvent] | None = None
    pod_events: list[RecordedEvent] | None = None


class BackoffEntry(_Camel, kw_only=True):
    """A pod in a backoff queue."""

    name: str
    expiry: int | None
    attempts: int
    error: bool = False


class ParkedEntry(_Camel, kw_only=True):
    """A pod in unschedulablePods."""

    name: str
    gated: bool = False


class InFlightPod(_Camel, kw_only=True):
    """A pod in flight and its place in the list."""

    uid: str
    marker: int | str | None = None


class InFlightItem(_Camel, kw_only=True):
    """An element of the in-flight list: a pod's entry or an event."""

    pod: str = ""
    event: str = ""
    resource: str = ""
    action: int = 0
    old_obj: str | None = None
    new_obj: str | None = None
    ref_count: int | None = None


class PodInfo(_Camel, kw_only=True):
    """The queue's notes on a pod, wherever it is."""

    where: str
    name: str
    uid: str = ""
    handle: int | None = None
    rv: str = ""
    priority: int = 0
    attempts: int = 0
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    gated: bool = False
    gating_plugin: str = ""
    timestamp: int = 0
    initial_attempt_timestamp: int | None = None
    expiry: int | None = None
    unschedulable_count: int | None = None
    consecutive_errors_count: int | None = None
    was_flushed: bool = False


class State(msgspec.Struct, kw_only=True):
    """The whole queue after an operation."""

    activeQ: list[str] = []  # noqa: N815
    backoffQ: list[BackoffEntry] = []  # noqa: N815
    unschedulable: list[ParkedEntry] = []
    inFlightPods: list[InFlightPod] = []  # noqa: N815
    inFlightEvents: list[InFlightItem] = []  # noqa: N815
    podInfo: list[PodInfo] = []  # noqa: N815
    moveRequestCycle: int = -1  # noqa: N815
    schedulingCycle: int = 0  # noqa: N815


class Row(_Camel, kw_only=True):
    """Operation `i`, its result, the clock and the state after it."""

    i: int
    op: Operation
    result: Result = msgspec.field(default_factory=Result)
    clock: int
    state: State


_HEADER: Final = msgspec.json.Decoder(Header)
_ROW: Final = msgspec.json.Decoder(Row)


def read(path: Path) -> Iterator[Header | Row]:
    """The headers and rows of a file, read as they are asked for.

    Raises DamagedRecordingError, also while iterating: the file cannot be read, or a line is neither.
    """
    item: Header | Row | None = None
    for number, line in _lines(path):
        try:
            item = _HEADER.decode(line) if item is None else _row_or_header(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DamagedRecordingError(f"line {number}: {error}") from error
        yield item
    if item is None:
        raise DamagedRecordingError("the file is empty")


def _row_or_header(line: bytes) -> Row | Header:
    """A line that is no row may begin the next recording; if not, the row's error is the one to tell."""
    try:
        return _ROW.decode(line)
    except msgspec.ValidationError as no_row:
        try:
            return _HEADER.decode(line)
        except msgspec.ValidationError:
            raise no_row from None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if zipped else raw as stream:
                number = 0
                while line := stream.readline(MAX_LINE_BYTES):
                    number += 1
                    if len(line) == MAX_LINE_BYTES:
                        raise DamagedRecordingError(f"line {number}: longer than {MAX_LINE_BYTES} bytes")
                    if line.strip():
                        yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedRecordingError(str(error) or type(error).__name__) from error
