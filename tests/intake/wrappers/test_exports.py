"""Exports that are cut, damaged, or larger than a line may be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klogreplay.intake import InputStats, Limits, LogLine, open_source
from klogreplay.intake.wrappers.exports import EXPORTS
from klogreplay.intake.wrappers.exports.csv_table import MESSAGE_COLUMNS


def record(index: int) -> str:
    return (
        f'I0831 20:03:47.{index:06}       1 schedule_one.go:80] "About to try and schedule pod" pod="default/p-{index}"'
    )


RECORDS = [record(index) for index in range(40)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "export"


def read(log: Path, text: str | bytes, limits: Limits | None = None) -> tuple[list[LogLine], InputStats]:
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    with open_source(log, limits) as source:
        lines = list(source)
    (stats,) = source.inputs
    assert sum(line.physical for line in lines) + stats.framing == stats.lines
    return lines, stats


def entries(indent: int | None = 2) -> str:
    log_name = "projects/p/logs/x"
    return json.dumps(
        [{"logName": log_name, "timestamp": "2023-08-31T20:03:47Z", "textPayload": line} for line in RECORDS],
        indent=indent,
    )


def test_line_numbers_are_those_of_the_entries_first_lines(log: Path) -> None:
    lines, stats = read(log, entries())
    assert [(line.text, line.number) for line in lines[:3]] == [(RECORDS[0], 2), (RECORDS[1], 7), (RECORDS[2], 12)]
    assert (stats.lines, stats.framing, stats.form) == (202, 162, "cloud-logging")


def test_entries_on_one_line_are_counted(log: Path) -> None:
    lines, stats = read(log, entries(None))
    assert [line.number for line in lines] == list(range(1, 41))
    assert (stats.lines, stats.framing) == (40, 0)


def test_an_array_cut_in_the_middle(log: Path) -> None:
    text = entries()
    lines, _ = read(log, text[: len(text) // 2])
    got = [line.text for line in lines]
    assert got[:19] == RECORDS[:19]
    assert len(got) < 26  # the lines of the entry that is cut are given as they are


def test_text_behind_and_between_is_not_lost(log: Path) -> None:
    lines, _ = read(log, entries() + "\n]]\nsomething else\n" + record(99) + "\n")
    assert [line.text for line in lines[:40]] == RECORDS
    assert [line.text for line in lines[-2:]] == ["something else", record(99)]


def test_an_entry_beyond_the_limit_is_cut_and_counted(log: Path) -> None:
    long = {"logName": "l", "timestamp": "2023-08-31T20:03:47Z", "textPayload": record(1) + "x" * 5000}
    text = json.dumps([json.loads(entries())[0], long, json.loads(entries())[2]], indent=1)
    lines, stats = read(log, text, Limits(line_bytes=1000))
    assert (lines[0].text, lines[-1].text) == (RECORDS[0], RECORDS[2])
    assert stats.cut == 1
    assert all(len(line.text) <= 1000 for line in lines)


def test_a_string_without_end_is_given_up_at_the_limit(log: Path) -> None:
    text = entries()[:-2] + ', {"logName":"l","timestamp":"t","textPayload":"' + "x\n" * 300_000 + record(9)
    lines, _ = read(log, text, Limits(line_bytes=100_000))
    assert [line.text for line in lines[:40]] == RECORDS
    assert lines[-1].text == record(9)


@pytest.mark.parametrize("column", MESSAGE_COLUMNS)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_known_column(log: Path, column: str, delimiter: str) -> None:
    rows = ['"' + line.replace('"', '""') + '"' for line in RECORDS]
    text = "\n".join(f"{time}{delimiter}{row}" for time, row in zip(["time", *"1" * 40], [column, *rows], strict=True))
    lines, stats = read(log, text)
    assert [line.text for line in lines] == RECORDS
    assert [line.number for line in lines] == list(range(2, 42))
    assert stats.framing == 1


def test_a_cell_of_several_lines(log: Path) -> None:
    rows = [
        f'"{record(1)} s=<\n\ttext\n >",p'.replace('pod="default/p-1"', 'pod=""default/p-1""')
        .replace('"About', '""About')
        .replace('pod"', 'pod""', 1)
    ]
    lines, stats = read(log, "message,pod\n" + "\n".join(rows * 3))
    assert [line.text for line in lines][:3] == [f"{record(1)} s=<", "\ttext", " >"]
    assert stats.lines == 10


def test_a_quote_without_end_gives_the_lines_as_they_are(log: Path) -> None:
    text = "message,pod\n" + "".join(f"{line.replace(chr(34), '')},p\n" for line in RECORDS) + '"never closed\nand on\n'
    lines, _ = read(log, text)
    assert [line.text for line in lines[-2:]] == ['"never closed', "and on"]


def test_prose_with_commas_is_no_table(log: Path) -> None:
    text = "Here is the log, line\n" + "\n".join(RECORDS)
    lines, stats = read(log, text)
    assert [line.text for line in lines[1:]] == RECORDS
    assert (stats.wrappers, lines[0].text) == ((), "Here is the log, line")


def test_a_binary_field_with_a_wrong_length(log: Path) -> None:
    good = f"__CURSOR=a\n__REALTIME_TIMESTAMP=1693512227184243\nMESSAGE={record(1)}\n\n".encode()
    lines, _ = read(log, good + b"MESSAGE\n" + (5).to_bytes(8, "little") + b"abcdefgh\n" + good)
    got = [line.text for line in lines]
    assert got[0] == record(1)
    assert f"MESSAGE={record(1)}" in got


def test_no_export_takes_a_plain_log() -> None:
    text = "\n".join(RECORDS).encode()
    assert [export.title for export in EXPORTS if export.open(text) is not None] == []
