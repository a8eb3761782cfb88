"""A line without an end is cut, told, and takes no more memory than the limit asks for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

MIB = 1 << 20
HEAD = (
    'I0831 20:03:46.100000       1 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"\n'
    'I0831 20:03:47.100000       1 schedule_one.go:80] "About to try and schedule pod" pod="default/'
)
FEED = """
import sys
out, head, unit, size = sys.stdout.buffer, sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
out.write(head.encode())
piece = unit * ((1 << 20) // len(unit))
for _ in range(size):
    out.write(piece)
out.write(b'"\\n')
"""
RUN = """
import sys
from klogreplay.cli import main
code = main(["analyze", "-f", "json", "-o", sys.argv[1], "-"])
status = open("/proc/self/status").read()
print(code, int(status.partition("VmHWM:")[2].split()[0]) >> 10)
"""


def piped(target: Path, unit: str, mebibytes: int) -> tuple[int, int, dict[str, object]]:
    """The exit code, the most MiB that were resident, and the report of a line that is piped in."""
    feeding = subprocess.Popen([sys.executable, "-c", FEED, HEAD, unit, str(mebibytes)], stdout=subprocess.PIPE)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, str(target)], stdin=feeding.stdout, capture_output=True, timeout=300, cwd=ROOT
    )
    assert feeding.wait() == 0
    code, resident = ran.stdout.split()
    return int(code), int(resident), json.loads(target.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a", '\\"', "[", " k=", "\udcff"], ids=repr)
def test_a_line_of_300_mebibytes(tmp_path: Path, unit: str) -> None:
    unit = unit.encode("utf-8", "surrogateescape").decode("latin-1")
    code, resident, report = piped(tmp_path / "report.json", unit, 300)
    assert code == 0
    assert resident < 200
    assert report["log"]["lines"]["total"] == 2  # type: ignore[index]
    assert any("longer than the limit" in warning for warning in report["log"]["warnings"])  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.fuzz
def test_a_line_of_a_gibibyte(tmp_path: Path) -> None:
    code, resident, _ = piped(tmp_path / "report.json", "a", 1024)
    assert code == 0
    assert resident < 200
