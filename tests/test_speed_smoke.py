"""No time is measured here: that nearly all lines take the quick way, by count, on logs of every shape at hand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks import logs
from klogreplay.cli.reading import Reading

MOST_SLOW = 0.02


def share_of_slow(path: Path) -> tuple[float, int]:
    """The share of the lines that were read by the middle tier or the grammar; all lines."""
    with Reading([str(path)]) as reading:
        for _ in reading.events():
            pass
        reader, total = reading._reader, reading.counts.total
    assert reader is not None
    dropped = sum(reading.counts.dropped.values())
    assert reader.built + reader.slow + dropped >= total
    return 1 - (reader.built + dropped) / total, total


@pytest.mark.parametrize("name", ["healthy-1.28.3-v5"])
def test_a_long_log_is_read_the_quick_way(fixtures: Path, tmp_path: Path, name: str) -> None:
    text = (fixtures / "analyze" / f"{name}.log").read_bytes()
    log = logs.make(tmp_path / "long.log", text, 100 * len(text))
    slow, total = share_of_slow(log)
    assert total > 5_000
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
