"""Memory grows with live pods and findings, not with the log: the peak of a log, and of one 4 and 16 times as long."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import logs
from benchmarks.measure import peak

SHORT = 5_000_000
MOST = 150_000_000
FAILED = b'"Unable to schedule pod; no fit; waiting"'
ENDS = (b"Requested to terminate", b"Scheduling queue is closed")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is asked of Linux' /proc")
def test_the_peak_does_not_grow_with_the_log(fixtures: Path, tmp_path: Path) -> None:
    """One process that goes on day after day, in which some pods never find room."""
    recorded = (fixtures / "analyze" / "no-room-1.28.3-v5.log").read_bytes().splitlines(keepends=True)
    text = b"".join(line for line in recorded if not any(end in line for end in ENDS) and b"reflector.go" not in line)
    peaks = []
    for times in (1, 4, 16):
        log = logs.make(tmp_path / "long.log", text, times * SHORT)
        peaks.append(peak(str(log)))
    assert log.read_bytes().count(FAILED) > 15_000
    assert max(peaks) <= 1.1 * min(peaks), peaks
    assert max(peaks) < MOST
