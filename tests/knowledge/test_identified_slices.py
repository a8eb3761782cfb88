"""`klogreplay identify` on any piece of a log, against the bare call-site table of the recordings."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from klogreplay.cli.reading import Reading
from klogreplay.knowledge import Identification, releases
from tests.knowledge.shapes import shapes_of

START_UP = ("server.go", "flags.go", "feature_gate.go", "configfile.go", "options.go")
LOGS = 60
PIECES = 4


def lines_of(path: Path) -> list[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", errors="surrogateescape", newline="\n") as lines:
        return [line for line in lines if not any(name in line[:60] for name in START_UP)]


def piece_of(lines: list[str], chance: random.Random) -> list[str]:
    """A run of lines, or some taken here and there: from one line to three thousand."""
    size = chance.choice((1, 3, 10, 30, 100, 3000))
    if chance.random() < 0.5:
        start = chance.randrange(len(lines))
        return lines[start : start + size]
    return [line for line in lines if chance.random() < size / len(lines)]


def identified(path: Path, lines: list[str]) -> Identification:
    path.write_text("".join(lines), errors="surrogateescape", newline="")
    with Reading([str(path)]) as reading:
        for _ in reading.events():
            pass
    return reading.identifier.result()


@pytest.mark.recorded
@pytest.mark.parametrize("seed", range(2))
def test_a_piece_is_identified_no_wider_than_its_call_sites_allow(recorded: Path, tmp_path: Path, seed: int) -> None:
    fingerprint = json.loads((recorded / "catalog" / "fingerprint.json").read_text())
    absent, package = fingerprint["notInTree"], fingerprint["sitePackage"]
    allowed = {
        key: frozenset(known) | frozenset(absent.get(package.get(key, ""), ()))
        for key, known in fingerprint["table"].items()
    }
    chance = random.Random(seed)
    logs = sorted((recorded / "sched-logs").glob("1.*/**/scheduler.log*"))
    narrowed = 0
    for path in chance.sample(logs, min(LOGS, len(logs))):
        release = path.relative_to(recorded / "sched-logs").parts[0]
        lines = lines_of(path)
        for _ in range(PIECES):
            piece = piece_of(lines, chance)
            if not piece:
                continue
            found = identified(tmp_path / "piece.log", piece)
            possible = frozenset(releases())
            for shape in shapes_of(piece):
                possible &= allowed.get(f"{shape.site}|{shape.message}", possible)
            assert release in found.candidates, (path, piece[:2])
            assert possible.issuperset(found.candidates), (path, piece[:2])
            assert not found.vendor, (path, piece[:2])
            assert found.version == (found.candidates[0] if len(found.candidates) == 1 else None)
            narrowed += len(found.candidates) < len(releases())
    assert narrowed > LOGS
