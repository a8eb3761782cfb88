"""Wrappers of whole streams: mixtures, changes, what is the wrappers' own, entries of several lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klogreplay.intake import InputStats, Limits, LogLine, open_source
from klogreplay.intake.wrappers.recognise import recognise

STAMP = "2023-08-31T20:03:47.184243001Z"


def record(index: int) -> str:
    return (
        f'I0831 20:03:47.{index:06}       1 schedule_one.go:80] "About to try and schedule pod" pod="default/p-{index}"'
    )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "0.log"


def read(log: Path, text: str | bytes, limits: Limits | None = None) -> tuple[list[LogLine], InputStats]:
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    with open_source(log, limits) as source:
        lines = list(source)
    assert sum(line.physical for line in lines) + source.inputs[0].framing == sum(each.lines for each in source.inputs)
    return lines, source.inputs[0]


def test_a_stream_may_change_its_wrapper_many_times(log: Path) -> None:
    text, expected = "", []
    for turn in range(6):
        lines = [record(1000 * turn + index) for index in range(700)]
        expected += lines
        match turn % 3:
            case 0:
                text += "".join(f"{line}\n" for line in lines)
            case 1:
                text += "".join(f"{STAMP} stderr F {line}\n" for line in lines)
            case 2:
                text += "".join(
                    json.dumps({"log": f"{line}\n", "stream": "stderr", "time": STAMP}) + "\n" for line in lines
                )
    lines, stats = read(log, text)
    assert [line.text for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, len(expected) + 1))
    assert {stats.wrappers, *stats.also} == {("cri",), "docker-json", "plain"}


def test_a_few_lines_of_another_wrapper(log: Path) -> None:
    lines = [f"{STAMP} stderr F {record(index)}" for index in range(60)]
    lines[30:30] = [f"Aug 31 20:03:47 node-1 kubelet[1]: {record(99)}", "no wrapper at all", f"{STAMP} stderr F "]
    got, stats = read(log, "\n".join(lines))
    assert [line.text for line in got[30:33]] == [record(99), "no wrapper at all", ""]
    assert (stats.wrappers, stats.also) == (("cri",), ("journald",))


def test_a_plain_log_with_quoted_wrapped_lines_in_its_blocks_stays_plain(log: Path) -> None:
    inside = [
        f"\t{STAMP} stderr F {record(7)}",
        f'\t{{"log":"x","stream":"stderr","time":"{STAMP}"}}',
        f"\t{record(8)}",
    ]
    lines = [line for index in range(20) for line in (f"{record(index)} s=<", *inside, " >")]
    got, stats = read(log, "\n".join(lines))
    assert [line.text for line in got] == lines
    assert (stats.wrappers, stats.also) == ((), ())


def test_prose_around_a_fence_far_down(log: Path) -> None:
    prose = [f"What I saw, sentence {index}: nothing." for index in range(900)]
    log_lines = [record(index) for index in range(30)]
    got, stats = read(log, "\n".join([*prose, "```text", *log_lines, "```", *prose]))
    assert [line.text for line in got if line.text.startswith("I0831")] == log_lines
    assert stats.wrappers == ("markdown",)
    assert stats.framing == 2


def test_an_entry_of_several_lines_is_several_lines(log: Path) -> None:
    entries = [{"log": f"{record(index)} s=<\n\ttext\n >\n", "stream": "stderr", "time": STAMP} for index in range(3)]
    got, stats = read(log, "\n".join(map(json.dumps, entries)))
    assert [line.text for line in got] == [
        line for index in range(3) for line in (f"{record(index)} s=<", "\ttext", " >")
    ]
    assert [(line.number, line.physical) for line in got] == [
        (1, 1),
        (1, 0),
        (1, 0),
        (2, 1),
        (2, 0),
        (2, 0),
        (3, 1),
        (3, 0),
        (3, 0),
    ]
    assert stats.lines == 3


def test_several_streams_are_joined_apart(log: Path) -> None:
    """Parts of two files that grep printed line about."""
    lines = [
        f"a.log:{STAMP} stderr P {record(1)[:50]}",
        f"b.log:{STAMP} stderr P {record(2)[:60]}",
        f"a.log:{STAMP} stderr F {record(1)[50:]}",
        f"b.log:{STAMP} stderr F {record(2)[60:]}",
    ]
    got, stats = read(log, "\n".join(lines))
    assert [line.text for line in got] == [record(1), record(2)]
    assert stats.wrappers == ("grep", "cri")


def test_open_parts_are_bounded(log: Path) -> None:
    lines = [f"f{index}.log:{STAMP} stderr P x" for index in range(3000)]
    got, _ = read(log, "\n".join([f"a.log:{STAMP} stderr F {record(1)}", *lines]))
    assert sum(line.text == "x" for line in got) == 3000


def test_a_hole_of_nul_bytes_inside_a_wrapped_stream(log: Path) -> None:
    lines = [f"{STAMP} stderr F {record(n)}\n".encode() for n in range(4)]
    got, _ = read(log, b"\0" * 3000 + b"".join(lines[:3]) + b"\0" * 10 + lines[3])
    assert [one.text for one in got] == [record(n) for n in range(4)]


@pytest.mark.parametrize("text", ["", "\n", "{", "[", "[]", "{}", '"', "> ", "│", "a,b\n", "\x1b[", "==> <==", "```"])
def test_next_to_nothing_is_no_wrapper(text: str) -> None:
    assert recognise([text.encode()] * 3) == ()


def test_a_log_line_decides_against_a_prefix() -> None:
    assert recognise([f"{STAMP} nothing of a log"] * 0 + [b"kube-scheduler.log:some text"] * 9) == ()
    assert [found.name for found in recognise([b"kube-scheduler.log:" + record(1).encode()])] == ["grep"]
