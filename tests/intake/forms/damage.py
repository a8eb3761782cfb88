"""Damaged logs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tests.intake.forms.base import HEADER, Form, text

_PAIRS = re.compile(r'"[^"\\]*"(?: [^ ="]+="[^"\\]*")*')


def _broken_at(width: int, lose_blanks: bool = False) -> Callable[[Sequence[str]], bytes]:
    def convert(lines: Sequence[str]) -> bytes:
        out = []
        for line in lines:
            pieces = [line[at : at + width] for at in range(0, len(line), width)] or [""]
            out += [piece.rstrip(" ") if lose_blanks and piece[-2:-1] != " " else piece for piece in pieces]
        return text(out)

    return convert


def _hanging(width: int, indent: int) -> Callable[[Sequence[str]], bytes]:
    def convert(lines: Sequence[str]) -> bytes:
        out = []
        step = width - indent
        for line in lines:
            out.append(line[:width])
            out += [" " * indent + line[at : at + step] for at in range(width, len(line), step)]
        return text(out)

    return convert


def _headers(change: Callable[[re.Match[str]], str]) -> Callable[[Sequence[str]], bytes]:
    return lambda lines: text([HEADER.sub(change, line, count=1) for line in lines])


def _torn(lines: Sequence[str]) -> bytes:
    """Every tenth record is written into the middle of the one before."""
    out: list[str] = []
    index = 0
    while index < len(lines):
        one, other = lines[index], lines[index + 1] if index + 1 < len(lines) else ""
        at = len(one) - 12
        if index % 10 == 4 and _quoted(one) and _quoted(other) and at > 60:
            out += [one[:at] + other, one[at:]]
            index += 2
        else:
            out.append(one)
            index += 1
    return text(out)


def _quoted(line: str) -> bool:
    header = HEADER.match(line)
    return header is not None and _PAIRS.fullmatch(line, header.end()) is not None


def _records(lines: Sequence[str]) -> list[list[str]]:
    records: list[list[str]] = []
    for line in lines:
        if records and not HEADER.match(line):
            records[-1].append(line)
        else:
            records.append([line])
    return records


def _doubled(lines: Sequence[str], every: int = 1) -> bytes:
    return text([line for at, record in enumerate(_records(lines)) for line in record * (1 if at % every else 2)])


def _with_errors(lines: Sequence[str], *, first: bool = False, merged: bool = False) -> bytes:
    """klog's file of all severities and that of the errors, in one."""
    records = _records(lines)
    if merged:
        return text([line for record in records for line in record * (2 if record[0].startswith("E") else 1)])
    errors = [line for record in records if record[0].startswith("E") for line in record]
    return text([*errors, *lines] if first else [*lines, *errors])


def _newest_record_first(lines: Sequence[str]) -> bytes:
    return text([line for record in reversed(_records(lines)) for line in record])


FORMS: tuple[Form, ...] = (
    Form("newest-first", "newest line first", lambda lines: text(lines[::-1])),
    Form("newest-record-first", "newest record first, its lines in order", _newest_record_first),
    Form("broken-120", "broken at 120 columns", _broken_at(120)),
    Form("broken-97", "broken at 97 columns, blanks at the end lost", _broken_at(97, lose_blanks=True)),
    Form("broken-hanging", "broken at 100 columns, going on two blanks indented", _hanging(100, 2)),
    Form("doubled", "each record twice", _doubled),
    Form("doubled-some", "every third record twice", lambda lines: _doubled(lines, 3)),
    Form("errors-again", "klog's files joined, errors last", _with_errors),
    Form("errors-first", "klog's files joined, errors first", lambda lines: _with_errors(lines, first=True)),
    Form("errors-merged", "klog's files merged by time", lambda lines: _with_errors(lines, merged=True)),
    Form("piece-twice", "a piece of the log twice", lambda lines: text([*lines[:-5], *lines[15:-5], *lines[-5:]])),
    Form("elided", "`...` for lines left out", lambda lines: text([*lines[:12], "...", *lines[12:]])),
    Form(
        "no-severity",
        "headers without severity",
        _headers(lambda header: header[0][1:]),
    ),
    Form(
        "no-pid",
        "headers without process id",
        _headers(lambda header: f"{header[0][:21]} {header[9]}] "),
    ),
    Form("no-date", "headers without severity and date", _headers(lambda header: header[0][6:])),
    Form("torn", "records written into each other", _torn),
)
