"""The short way from a line to its event gives what the long way gives, whatever the values are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.cli.reading import Reading
from klogreplay.events.registry import STRUCTURED
from klogreplay.events.types import SchedulerEvent

HEADER = "I0831 20:03:{:02}.{:06}       1 x.go:65] "
KEYS = [
    *("pod", "node", "victim", "preemptor", "waitingPod", "status", "err", "event", "queue", "hint"),
    *("schedulingCycle", "plugin", "numPods", "logger", "unschedulablePlugins", "conditionReason"),
    *("nominatedNodeName", "claim", "resourceclaims", "reason", "inFlightEventsSize"),
]
QUOTED = st.sampled_from(
    [
        *("", "ns/a", "ns/b", "a b", "{", "[ns/a ns/b]", "null", "0", "1", "Active", "Backoff", "NodeAdd", "QueueSkip"),
        *("{Resource:Pod Label:PodAdd}", "map[A:{}]", "é", "0/3 nodes are available: x."),
    ]
)
BARE = st.sampled_from(
    ["0", "1", "-1", "7", "true", "null", "{}", '{"A":{}}', '["a","b"]', "[{]", "{A:1}", "&{map[A:true]}"]
)
VALUE = st.one_of(QUOTED.map(lambda text: f'"{text}"'), BARE)


def events_of(path: Path, engine: str) -> tuple[list[SchedulerEvent], tuple[int, int, int], int]:
    with Reading([str(path)], engine=engine) as reading:  # type: ignore[arg-type]
        events = list(reading.events())
        totals = reading.line_totals()
    built = reading._reader.built if reading._reader is not None else 0
    return events, (totals.understood, totals.irrelevant, totals.unknown), built


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fast") / "scheduler.log"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_values_of_all_kinds_give_the_same_events(log: Path, data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(sorted(STRUCTURED)))
    keys = data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True))
    lines = []
    for index in range(data.draw(st.integers(4, 12))):
        values = " ".join(f"{key}={data.draw(VALUE)}" for key in keys)
        lines.append(f'{HEADER.format(index % 60, index)}"{message}" {values}')
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    log.write_text(end.join(lines) + end, encoding="utf-8", newline="")
    assert events_of(log, "fast")[:2] == events_of(log, "lark")[:2]


def test_most_lines_are_read_without_a_record(log: Path) -> None:
    move = 'Pod moved to an internal scheduling queue" pod="ns/{}" event="NodeAdd" queue="Active" hint=1'
    fail = 'Unable to schedule pod; no fit; waiting" pod="ns/{}" err="0/3 nodes are available: 3 Insufficient cpu."'
    lines = [f'{HEADER.format(n // 50, n)}"{(move, fail)[n % 2].format(n)}' for n in range(1000)]
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    events, totals, built = events_of(log, "fast")
    assert (events, totals) == events_of(log, "lark")[:2]
    assert totals == (1000, 0, 0)
    assert built >= 990


def test_events_made_the_short_way_are_their_own(log: Path) -> None:
    lines = [f'{HEADER.format(1, n)}"Add event for unscheduled pod" pod="ns/{n}"' for n in range(20)]
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    events = events_of(log, "fast")[0]
    assert [event.line for event in events] == list(range(1, 21))
    assert [getattr(event, "pod") for event in events] == [f"ns/{n}" for n in range(20)]  # noqa: B009
    assert [event.text for event in events] == lines


@pytest.mark.parametrize("name", ["healthy-1.28.3-v5", "missed-events-1.28.0-v5", "stale-plugins-1.28.0-v6"])
def test_fixtures_give_the_same_events(fixtures: Path, name: str) -> None:
    path = fixtures / "analyze" / f"{name}.log"
    assert events_of(path, "fast")[:2] == events_of(path, "lark")[:2]


@pytest.mark.recorded
@pytest.mark.slow
def test_recorded_logs_give_the_same_events(recorded: Path, tmp_path: Path) -> None:
    for path in sorted((recorded / "sched-logs").glob("1.*/*/*/scheduler*.log*")):
        assert events_of(path, "fast")[:2] == events_of(path, "lark")[:2], path
    for big in sorted((recorded / "sched-logs" / "big").glob("*/scheduler.log.gz")):
        text = gzip.decompress(big.read_bytes())
        cut = tmp_path / "big.log"
        cut.write_bytes(text[: text.rfind(b"\n", 0, 4_000_000) + 1])
        assert events_of(cut, "fast")[:2] == events_of(cut, "lark")[:2], big
