"""CPU time and peak memory of a command, the median of several runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

PYTHON = sys.executable
ANALYZE = (PYTHON, "-m", "klogreplay", "analyze", "--format", "json", "--fail-on", "never")


class Cost(NamedTuple):
    """CPU seconds (user and system), wall seconds, and the peak of resident memory in bytes."""

    cpu: float
    wall: float
    peak: int


def once(command: Sequence[str]) -> Cost:
    """Run a command without its output. Raises RuntimeError where it fails."""
    begin = os.times().elapsed
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, os.times().elapsed - begin, usage.ru_maxrss * 1024)


def median(commands: Sequence[Sequence[str]], rounds: int) -> list[Cost]:
    """The medians for each of the commands, which take turns: what else the machine does hits all alike."""
    runs: list[list[Cost]] = [[] for _ in commands]
    for _ in range(rounds):
        for command, costs in zip(commands, runs, strict=True):
            costs.append(once(command))
    return [
        Cost(
            statistics.median(cost.cpu for cost in costs),
            statistics.median(cost.wall for cost in costs),
            max(cost.peak for cost in costs),
        )
        for costs in runs
    ]
