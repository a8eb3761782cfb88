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


_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Where bytecode is not kept, each run would compile the program anew."""


class Cost(NamedTuple):
    """CPU seconds (user and system) and wall seconds."""

    cpu: float
    wall: float


def once(command: Sequence[str]) -> Cost:
    """Run a command without its output. Raises RuntimeError where it fails."""
    begin = os.times().elapsed
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, os.times().elapsed - begin)


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
        )
        for costs in runs
    ]


_PEAK = """
import sys
from klogreplay.cli import main
main(sys.argv[1:])
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


def peak(*logs: str) -> int:
    """The peak of resident memory of an analysis, in bytes; Linux only.

    Asked of the process itself: what a parent is told of its child (ru_maxrss) counts the parent's own size in.
    """
    command = [PYTHON, "-c", _PEAK, *ANALYZE[3:], *logs]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, env=_ENVIRONMENT)
    return int(done.stderr.split()[-1]) * 1024
