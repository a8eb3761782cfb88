"""No time is measured here: that nearly all lines take the quick way, by count, on logs of every shape at hand."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import logs
from klogreplay.cli.reading import Reading

MOST_SLOW = 0.02
AT_LEAST = 600_000


def share_of_slow(path: Path) -> tuple[float, int]:
    """The share of the lines that were read by the tokenizer or the grammar; all lines."""
    with Reading([str(path)]) as reading:
        for _ in reading.events():
            pass
        reader, total = reading._reader, reading.counts.total
    assert reader is not None
    assert reader.built + sum(reading.counts.dropped.values()) > 0
    return reader.slow / total, total


def check(tmp_path: Path, text: bytes, form: Callable[[bytes], bytes] = bytes) -> None:
    """That a log as long as needed, in some form, is read the quick way."""
    log = logs.make(tmp_path / "long.log", text, max(AT_LEAST, 100 * len(text)))
    log.write_bytes(form(log.read_bytes()))
    slow, total = share_of_slow(log)
    assert total > 1_000
    assert slow <= MOST_SLOW


FIXTURES = (
    *("healthy-1.28.3-v5", "missed-events-1.28.0-v5", "stale-plugins-1.28.0-v6", "stale-plugins-dra-1.28.0-v5"),
    *("no-room-1.28.3-v5", "stale-plugins-bind-1.28.0-v5"),
)


@pytest.mark.parametrize("name", FIXTURES)
def test_a_long_log_is_read_the_quick_way(fixtures: Path, tmp_path: Path, name: str) -> None:
    check(tmp_path, (fixtures / "analyze" / f"{name}.log").read_bytes())


@pytest.mark.parametrize("form", [logs.escaped, logs.in_cri, logs.in_docker, logs.with_timestamps, logs.in_journald])
def test_and_so_is_one_in_another_form(fixtures: Path, tmp_path: Path, form: Callable[[bytes], bytes]) -> None:
    check(tmp_path, (fixtures / "analyze" / "healthy-1.28.3-v5.log").read_bytes(), form)


def test_and_so_is_one_in_json(fixtures: Path, tmp_path: Path) -> None:
    text = logs.in_json((fixtures / "analyze" / "healthy-1.28.3-v5.log").read_bytes())
    check(tmp_path, text)
    check(tmp_path, text, logs.with_unknown_keys)


def test_a_quiet_log_of_nothing_but_lease_renewals_is_read_the_quick_way(tmp_path: Path) -> None:
    renewal = b"successfully renewed lease kube-system/kube-scheduler"
    lines = [
        b"I1201 %02d:%02d:%02d.000123       1 leaderelection.go:281] %s" % (n // 3600, n // 60 % 60, n % 60, renewal)
        for n in range(0, 40_000, 2)
    ]
    log = tmp_path / "quiet.log"
    log.write_bytes(b"\n".join(lines) + b"\n")
    slow, total = share_of_slow(log)
    assert total == 20_000
    assert slow <= MOST_SLOW


@pytest.mark.recorded
@pytest.mark.parametrize("name", ["1.29.1-v5", "1.28.0-v10"])
def test_the_large_recorded_logs_are_read_the_quick_way(recorded: Path, tmp_path: Path, name: str) -> None:
    text = gzip.decompress((recorded / "sched-logs" / "big" / name / "scheduler.log.gz").read_bytes())
    log = tmp_path / "log"
    log.write_bytes(text[: text.rfind(b"\n", 0, 16_000_000) + 1])
    slow, total = share_of_slow(log)
    assert total > 50_000
    assert slow <= MOST_SLOW


@pytest.mark.recorded
def test_a_long_log_of_each_release_is_read_the_quick_way(recorded: Path, tmp_path: Path) -> None:
    folders = sorted((recorded / "sched-logs").glob("1.*"))
    assert len(folders) > 10
    for folder in folders:
        check(tmp_path, logs.read(next(iter(sorted(folder.glob("S0[1-5]*/*-v5/scheduler.log*"))))))
