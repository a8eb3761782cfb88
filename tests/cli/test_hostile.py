"""Damaged and hostile logs: always a report or one clear refusal, and every line accounted for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from klogreplay.cli.exits import Stop
from klogreplay.cli.run import Request, analyse
from klogreplay.intake import IntakeError
from klogreplay.report.formats import FORMATS, Options, render
from tests.conftest import FIXTURES
from tests.report.test_sanitize import ATTACKS, visible

PIECES = [
    *(attack.encode("utf-8", "surrogatepass") for attack in ATTACKS),
    *(b"\0", b"\xff\xfe", b'"', b"\\", b"=<\n\t", b"{", b"}", b"\r\n", b"\n", b"\t", b"9" * 30, b"-1", b"1_0"),
    *(b'pod=""', b'pod="/"', b"hint=9999999999999999999", b"schedulingCycle=1e9", b"unschedulable plugins={"),
    *(b"I1301 25:61:61.999999       1 x.go:1] ", b"E0229 23:59:59.000000       1 ", "٣".encode()),
]


def damaged(text: bytes, rnd: random.Random) -> bytes:
    """The log with lines lost, doubled or out of order, and bytes changed, lost, doubled or put in."""
    lines = text.split(b"\n")
    kind = rnd.randrange(5)
    if kind == 0:
        rnd.shuffle(lines)
    elif kind == 1:
        lines = [line for line in lines if rnd.random() > 0.3]
    elif kind == 2:
        lines *= 2
    out = bytearray(b"\n".join(lines))
    for _ in range(rnd.randint(1, 60)):
        at, how = rnd.randrange(len(out)), rnd.random()
        if how < 0.4:
            out[at:at] = rnd.choice(PIECES)
        elif how < 0.7 and len(out) > 1000:
            del out[at : at + rnd.randint(1, 40)]
        elif how < 0.9:
            out[at] = rnd.randrange(256)
        else:
            begin = rnd.randrange(len(out))
            out[at:at] = out[begin : begin + rnd.randint(1, 300)]
    return bytes(out)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_damaged_logs(tmp_path: Path, seed: int) -> None:
    rnd = random.Random(seed)
    logs = sorted((FIXTURES / "analyze").glob("*.log"))
    reports, refusals = 0, []
    for _ in range(6):
        path = tmp_path / "scheduler.log"
        path.write_bytes(damaged(rnd.choice(logs).read_bytes(), rnd))
        try:
            analysis = analyse(Request(paths=[str(path)]))
        except (Stop, IntakeError) as refusal:
            refusals.append(str(refusal))
            continue
        reports += 1
        lines = analysis.log.lines
        assert lines.understood + lines.irrelevant + lines.unknown == lines.total == analysis.inputs[0].lines
        for name in FORMATS:
            out = render(name, analysis, Options(details=True))
            assert visible(out.replace("\n", "").replace("\u2060", ""))
    assert reports
    assert not [text for text in refusals if "\n" in text]
