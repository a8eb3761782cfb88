"""Logs whose newest record comes first, with the lines of each in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.intake import open_source
from klogreplay.intake.repairs.newest_first import TURNED


def record(index: int, lines: int) -> list[str]:
    """A record of `lines` lines; of one only, it has no block."""
    header = f'I0831 20:03:{index // 1000:02}.{index % 1000:06}       1 a.go:1] "m" index={index}'
    if lines == 1:
        return [header]
    return [f"{header} s=<", *(f"\t{index} {line}" for line in range(lines - 2)), " >"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("size", [12, 3000, 30_000])
@pytest.mark.parametrize("at", ["first", "last", "each third"])
def test_the_lines_of_each_record_stay_in_order(at: str, size: int, end: str, tmp_path: Path) -> None:
    count = size // 3
    blocks = {"first": {0}, "last": {count - 1}, "each third": set(range(0, count, 3))}[at]
    long = {"first": size // 2, "last": 200, "each third": 7}[at]
    records = [record(index, long if index in blocks else 1) for index in range(count)]
    path = tmp_path / "0.log"
    given = [line for lines in reversed(records) for line in lines]
    path.write_bytes("".join(line + end for line in given).encode())
    with open_source(path) as source:
        got = list(source)
    assert [line.text.removesuffix("\r") for line in got] == [line for lines in records for line in lines]
    assert [line.number for line in got] == list(range(1, len(given) + 1))
    assert source.inputs[0].warnings == [f"{path}: {TURNED}"]
    data = path.read_bytes()
    assert all(data[line.offset :].startswith(line.text.encode()) for line in got)
