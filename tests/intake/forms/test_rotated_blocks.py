"""Logs rotated inside a block, as a runtime does it between any two lines: the block is still one record."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.intake import open_source
from klogreplay.klog.builds import KEEP
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Engine
from klogreplay.klog.fast import FastReader
from klogreplay.klog.record import KlogRecord
from tests.intake.forms.base import timed

LOG = "missed-events-1.28.0-v5.log"


def lines_of(fixtures: Path) -> tuple[list[str], int, int]:
    """The log's lines but that of its start, and the indices of the first and the last line of the block before it.

    A file in which a scheduler starts is never taken for the rest of another.
    """
    text = (fixtures / "analyze" / LOG).read_text().removesuffix("\n")
    lines = [line for line in text.split("\n") if '"Starting Kubernetes Scheduler"' not in line]
    first = next(index for index, line in enumerate(lines) if line.endswith("=<"))
    return lines, first, next(index for index in range(first, len(lines)) if lines[index] == " >")


def findings(paths: list[str]) -> list[object]:
    """The verdict of each parking and the findings."""
    analysis = analyse(Request(paths=paths))
    parkings = [(p.pod, p.attempt, p.verdict, p.grade, p.causes, p.parked_seconds) for p in analysis.parkings]
    return [analysis.kubernetes.version, parkings, [(f.code, f.pod, f.grade) for f in analysis.findings]]


def rotated(lines: list[str], cuts: list[int], folder: Path, *, cri: bool) -> list[str]:
    """The lines in files, the newest `scheduler.log`, the others with the number of rotations since."""
    written = [f"{at.iso()} stderr F {at.line}" for at in timed(lines)] if cri else lines
    edges = [0, *cuts, len(lines)]
    paths = []
    for index in range(len(edges) - 1):
        age = len(edges) - 2 - index
        path = folder / ("scheduler.log" if age == 0 else f"scheduler.log.{age}")
        path.write_text("".join(f"{line}\n" for line in written[edges[index] : edges[index + 1]]))
        paths.append(str(path))
    return paths


@pytest.mark.parametrize("cri", [False, True], ids=["plain", "cri"])
@pytest.mark.parametrize("where", ["behind its first line", "inside", "before its last line", "behind it"])
def test_the_analysis_is_that_of_the_whole_log(where: str, cri: bool, fixtures: Path, tmp_path: Path) -> None:
    lines, first, last = lines_of(fixtures)
    cut = {"behind its first line": first + 1, "inside": (first + last) // 2, "before its last line": last}.get(
        where, last + 1
    )
    paths = rotated(lines, [cut], tmp_path, cri=cri)
    assert analyse(Request(paths=paths)).log.lines.unknown == 0
    whole = tmp_path / "whole" / "scheduler.log"
    whole.parent.mkdir()
    whole.write_text("".join(f"{line}\n" for line in lines))
    assert findings(paths) == findings([str(whole)])


@pytest.mark.parametrize("engine", ["fast", "lark"])
def test_the_block_is_one_record(engine: Engine, fixtures: Path, tmp_path: Path) -> None:
    lines, first, last = lines_of(fixtures)
    middle = (first + last) // 2
    paths = rotated(lines, [middle], tmp_path, cri=False)
    counts = Counts()
    reader = FastReader[KlogRecord](open_source(paths), lambda record: KEEP, engine=engine, counts=counts)
    (block,) = [record for record in reader if record.text == lines[first]]
    assert (block.source, block.line, block.lines) == (0, first + 1, last + 1 - first)
    assert block.values["config"].count("\n") == last - first - 2
    assert (counts.total, counts.unknown) == (len(lines), 0)


def test_two_schedulers_do_not_share_a_block(fixtures: Path, tmp_path: Path) -> None:
    lines, first, last = lines_of(fixtures)
    middle = (first + last) // 2
    one, other = tmp_path / "one" / "a.log", tmp_path / "other" / "b.log"
    for path, part in ((one, lines[:middle]), (other, lines[middle:])):
        path.parent.mkdir()
        path.write_text("".join(f"{line}\n" for line in part))
    with open_source([str(one), str(other)]) as source:
        list(source)
        same = source.chain_of(0) == source.chain_of(1)
    analysis = analyse(Request(paths=[str(one), str(other)]))
    assert analysis.log.lines.unknown == (0 if same else last + 1 - middle)
