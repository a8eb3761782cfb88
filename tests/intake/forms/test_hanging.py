"""Lines broken at a fixed width that go on behind a hanging indent: the indent is no part of any value."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.intake import open_source
from klogreplay.intake.repairs.fixed_width import APART, JOINED


def records(long: str = "analytics-mmjv9m8lp-xjj9g") -> list[str]:
    """Records of several lengths, so that they are broken at several places."""
    return [
        f'I0831 20:03:47.{184243 + number}       1 schedule_one.go:65] "About to try and schedule pod" '
        f'step="{"s" * (number % 37)}" pod="default/{long}-{number}" node="worker-{number}"'
        for number in range(60)
    ]


def hanging(lines: list[str], width: int, indents: list[int]) -> list[str]:
    """The lines broken at a width; each that goes on has the next of the indents."""
    out: list[str] = []
    broken = 0
    for line in lines:
        out.append(line[:width])
        rest = line[width:]
        while rest:
            indent = indents[broken % len(indents)]
            out.append(" " * indent + rest[: width - indent])
            rest = rest[width - indent :]
            broken += 1
    return out


def read(path: Path, lines: list[str]) -> tuple[list[str], list[str]]:
    path.write_text("".join(f"{line}\n" for line in lines))
    with open_source(path) as source:
        texts = [line.text for line in source]
    return texts, source.inputs[0].warnings


@pytest.mark.parametrize("indent", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("width", [80, 97, 100, 120])
def test_a_hanging_indent_that_all_have_is_cut(width: int, indent: int, tmp_path: Path) -> None:
    texts, warnings = read(tmp_path / "0.log", hanging(records(), width, [indent]))
    assert texts == records()
    assert JOINED.format(width=width) in warnings[0]


@pytest.mark.parametrize("width", [80, 97, 100, 120])
def test_a_blank_of_the_record_itself_is_kept(width: int, tmp_path: Path) -> None:
    lines = [record.replace("default/", "default/  ") for record in records()]
    texts, _ = read(tmp_path / "0.log", hanging(lines, width, [4]))
    assert texts == lines


def test_blanks_at_which_alike_records_are_broken_are_kept(tmp_path: Path) -> None:
    width = records("a")[0].index(" pod=")
    lines = [record.replace(f'step="{"s" * (number % 37)}"', 'step=""') for number, record in enumerate(records("a"))]
    texts, _ = read(tmp_path / "0.log", hanging(lines, width, [0]))
    assert texts == lines


@pytest.mark.parametrize("width", [97, 110, 120])
def test_no_value_is_put_together_over_an_indent_that_some_lack(width: int, tmp_path: Path) -> None:
    texts, warnings = read(tmp_path / "0.log", hanging(records(), width, [2, 0, 4, 0]))
    names = [text.partition('pod="')[2].partition('"')[0] for text in texts if 'pod="' in text]
    assert [name for name in names if "  " in name] == []
    assert any(APART in warning for warning in warnings)
