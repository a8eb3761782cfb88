"""Walks recordings of a real queue: the log lines of each operation into `Places`, then its claims beside the state."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from klogreplay.events import types as ev
from klogreplay.events.extract import extract
from klogreplay.intake.line import LogLine
from klogreplay.klog.clock import Clock
from klogreplay.klog.reader import read_records
from klogreplay.queue import profile_for
from klogreplay.replay.places import Claim, Places
from klogreplay.replay.places_ways import Queues

EVERYTHING = 10
"""The verbosity of the recordings."""


class Named(msgspec.Struct):
    name: str
    ns: str = "default"


class Parked(msgspec.Struct):
    name: str
    gated: bool = False


class State(msgspec.Struct):
    """The part of a recorded state that is compared."""

    activeQ: list[str] = []  # noqa: N815
    backoffQ: list[Named] = []  # noqa: N815
    unschedulable: list[Parked] = []
    inFlightPods: list[msgspec.Raw] = []  # noqa: N815
    inFlightEvents: list[msgspec.Raw] = []  # noqa: N815


class Operation(msgspec.Struct):
    op: str
    pod: Named | None = None


class Result(msgspec.Struct):
    pod: str | None = None


class Row(msgspec.Struct):
    op: Operation
    state: State
    result: Result = msgspec.field(default_factory=Result)
    log: list[str] = []


class Header(msgspec.Struct):
    kubernetes: str
    scenario: str = ""
    combo: str = ""
    featureGates: dict[str, bool] = {}  # noqa: N815


@dataclass
class Recording:
    """One recording with the typed events of its lines: `events[i]` are those of `rows[i]`."""

    header: Header
    rows: list[Row] = field(default_factory=list)
    events: list[list[ev.SchedulerEvent]] = field(default_factory=list)
    namespaces: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.header.kubernetes} {self.header.combo}.{self.header.scenario}"

    def ref(self, name: str) -> str:
        """The pod as the lines name it; a state holds the bare name."""
        return f"{self.namespaces.get(name, 'default')}/{name}"

    def places(self, state: State) -> dict[str, Queues]:
        """Of every pod that is in a queue, in which."""
        found: dict[str, Queues] = {}
        for queue, names in (
            (Queues.ACTIVE, state.activeQ),
            (Queues.BACKOFF, [entry.name for entry in state.backoffQ]),
            (Queues.UNSCHEDULABLE, [entry.name for entry in state.unschedulable]),
        ):
            for name in names:
                pod = self.ref(name)
                found[pod] = found.get(pod, Queues.NONE) | queue
        return found


_ROW = msgspec.json.Decoder(Row)
_HEADER = msgspec.json.Decoder(Header)


def recordings(path: Path) -> Iterator[Recording]:
    """The recordings of a file; each begins with its header."""
    recording: Recording | None = None
    with gzip.open(path) as stream:
        for line in stream:
            if b'"actionMasks":' in line:
                if recording is not None:
                    yield _read(recording)
                recording = Recording(_HEADER.decode(line))
            elif recording is not None:
                recording.rows.append(_ROW.decode(line))
    if recording is not None:
        yield _read(recording)


def _read(recording: Recording) -> Recording:
    owner: list[int] = []
    lines: list[LogLine] = []
    for index, row in enumerate(recording.rows):
        pod = row.op.pod
        if pod is not None and row.op.op == "add":
            assert recording.namespaces.setdefault(pod.name, pod.ns) == pod.ns
        for text in row.log:
            lines.append(LogLine(text, len(lines)))
            owner.append(index)
    recording.events = [[] for _ in recording.rows]
    for event in events_of(lines):
        recording.events[owner[event.line]].append(event)
    return recording


def events_of(lines: Iterable[LogLine]) -> Iterator[ev.SchedulerEvent]:
    """The typed events of a log."""
    clock = Clock(2024)
    for record in read_records(lines):
        event = extract(record, clock.micros)
        if event is not None:
            yield event


@dataclass
class Score:
    """What came of the operations of one release.

    `changed` counts the operations that changed any pod's membership; `shown` those of them in which a line names each
    pod that changed, `followed` those after which each such pod is claimed to be exactly where it is. The others are in
    `not_shown` and `not_followed`, by kind. `claims` counts, after every operation and over all pods that a line had
    named, how much is claimed. `wrong` tells every claim that the recorded state refutes.
    """

    operations: int = 0
    changed: int = 0
    shown: int = 0
    followed: int = 0
    not_shown: Counter[str] = field(default_factory=Counter)
    not_followed: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    gates: int = 0
    sizes: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        claims = sum(self.claims.values()) or 1
        known = ", ".join(f"{kind} {self.claims[kind] / claims:.1%}" for kind in CLAIMS)
        silent = ", ".join(f"{op} {count}" for op, count in self.not_followed.most_common())
        return (
            f"{self.operations:>6} operations, {self.changed:>5} changed a membership, {self.shown:>5} shown, "
            f"{self.followed:>5} followed ({self.share:.1%}); not: {silent or 'none'}; claims: {known}"
        )

    @property
    def share(self) -> float:
        """The share of the changing operations that were followed."""
        return self.followed / (self.changed or 1)


CLAIMS = ("exact", "exact unless it left", "narrowed", "unknown")


def walk(
    recording: Recording,
    score: Score,
    *,
    verbosity: int = EVERYTHING,
    levels: Mapping[str, int] | None = None,
    whole_log: bool = False,
) -> None:
    """Follow one recording and hold every claim against the recorded state.

    With `levels` (call site -> the -v that prints it) only the lines of `verbosity` are taken. `whole_log` adds what
    the rest of the scheduler prints of Pop and Delete and the recordings of the queue alone do not hold.
    """
    profile = profile_for(recording.header.kubernetes, recording.header.featureGates)
    places = Places(profile, verbosity=verbosity, complete=True, whole_log=whole_log)
    before, old = State(), dict[str, Queues]()
    for index, row in enumerate(recording.rows):
        said: set[str] = set()
        for event in _events(row, recording, index, whole_log):
            if levels is not None and levels[event.site] > verbosity:
                continue
            if places.feed(event):
                said.add(getattr(event, "pod", None) or "")
            _check_sizes(event, before, row.state, places, score)
        new = recording.places(row.state)
        where = f"{recording.name} row {index + 1} ({row.op.op})"
        _check_claims(where, recording, row.state, new, said, places, score)
        _count(row, old, new, said, places, score)
        before, old = row.state, new
    if places.contradiction_count:
        score.wrong.append(f"{recording.name}: {places.contradictions[0]}")


def _events(row: Row, recording: Recording, index: int, whole_log: bool) -> Iterator[ev.SchedulerEvent]:
    if whole_log and row.op.op == "delete" and row.op.pod is not None:
        yield ev.PodDeleted(line=0, t=0, pid=None, site="", text="delete", pod=recording.ref(row.op.pod.name))
    yield from recording.events[index]
    if whole_log and row.op.op in ("pop", "popSpecific") and row.result.pod:
        yield ev.Popped(line=0, t=0, pid=None, site="", text="pop", pod=recording.ref(row.result.pod))


def _check_sizes(event: ev.SchedulerEvent, before: State, after: State, places: Places, score: Score) -> None:
    if isinstance(event, ev.InFlightEventsChecked):
        # Printed before the pod that is handed back is taken out of the bookkeeping.
        expected: tuple[int, int | None] = (len(before.inFlightPods), len(before.inFlightEvents))
    elif isinstance(event, ev.EventReceived) and event.pods is not None:
        expected = (len(after.inFlightPods), None)
    else:
        return
    score.sizes += 1
    sizes = places.in_flight
    if sizes is None or (sizes.pods, sizes.events) != expected:
        score.wrong.append(f"in-flight sizes: {sizes} beside {expected}")


def _check_claims(
    where: str, recording: Recording, state: State, new: dict[str, Queues], said: set[str], places: Places, score: Score
) -> None:
    gated = {recording.ref(entry.name): entry.gated for entry in state.unschedulable}
    for pod in new.keys() | set(places):
        truth = new.get(pod, Queues.NONE)
        for claim in (places.at_line(pod), places.now(pod)) if pod in said else (places.now(pod),):
            if truth not in claim.possible:
                score.wrong.append(f"{where}: {pod} is in {truth!r}, claimed {sorted(claim.possible)} by {claim.text}")
            if pod in gated and claim.gated is not None:
                score.gates += 1
                if claim.gated is not gated[pod]:
                    score.wrong.append(f"{where}: {pod} gated {gated[pod]}, claimed {claim.gated} by {claim.text}")
        score.claims[_kind(places.at_line(pod) if pod in said else places.now(pod))] += 1


def _count(
    row: Row, old: dict[str, Queues], new: dict[str, Queues], said: set[str], places: Places, score: Score
) -> None:
    score.operations += 1
    changed = [pod for pod in old.keys() | new.keys() if old.get(pod) != new.get(pod)]
    if not changed:
        return
    score.changed += 1
    if said.issuperset(changed):
        score.shown += 1
    else:
        score.not_shown[row.op.op] += 1
    if said.issuperset(changed) and all(places.at_line(pod).proven is not None for pod in changed):
        score.followed += 1
    else:
        score.not_followed[row.op.op] += 1


def _kind(claim: Claim) -> str:
    if claim.proven is not None:
        return CLAIMS[0]
    if claim.in_queue is not None:
        return CLAIMS[1]
    return CLAIMS[2] if claim.known else CLAIMS[3]
