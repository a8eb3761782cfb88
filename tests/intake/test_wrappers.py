"""What containers, journals and people put around log lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klogreplay.intake import Limits, open_source
from klogreplay.intake.wrappers import WRAPPERS
from klogreplay.intake.wrappers.cri import CriWrapper
from klogreplay.intake.wrappers.recognise import recognise

STAMP = "2023-08-31T20:03:47.184243001Z"
LINE = 'I0831 20:03:47.184243       1 a.go:1] "m" k="v"'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "0.log"


def test_cri_prefix_is_taken_off_and_its_time_kept(log: Path) -> None:
    log.write_text(f"{STAMP} stderr F {LINE}\n{STAMP} stdout F \n{STAMP} stderr F {LINE}\nno prefix\n")
    with open_source(log) as source:
        lines = [next(iter(source))]
        assert source.inputs[0].stamp == STAMP
    with open_source(log) as source:
        lines = list(source)
    assert [(line.text, line.number) for line in lines] == [(LINE, 1), ("", 2), (LINE, 3), ("no prefix", 4)]
    assert [line.offset for line in lines] == [0, 88, 129, 217]
    assert source.inputs[0].wrappers == ("cri",)
    assert source.inputs[0].stamp == STAMP


def test_parts_are_joined_by_stream(log: Path) -> None:
    parts = [
        ("stderr", "P", "aa"),
        ("stdout", "P", "11"),
        ("stderr", "P", "bb"),
        ("stdout", "F", "22"),
        ("stderr", "F", "cc"),
    ]
    log.write_text(
        "".join(f"{STAMP} {stream} {tag} {text}\n" for stream, tag, text in parts) + f"{STAMP} stderr P rest\n"
    )
    with open_source(log) as source:
        lines = list(source)
    assert [(line.text, line.number, line.physical) for line in lines] == [
        ("1122", 2, 2),
        ("aabbcc", 1, 3),
        ("rest", 6, 1),
    ]
    assert sum(line.physical for line in lines) == source.inputs[0].lines == 6


def test_joined_parts_beyond_the_limit_are_cut_and_counted(log: Path) -> None:
    log.write_text("".join(f"{STAMP} stderr {tag} {'x' * 40}\n" for tag in "PPPPF"))
    with open_source(log, Limits(line_bytes=100)) as source:
        (line,) = list(source)
    assert (line.text, line.physical, source.inputs[0].cut) == ("x" * 100, 5, 1)


def test_a_wrapper_around_a_wrapper(log: Path) -> None:
    lines = [LINE, LINE + " n=1", LINE + " n=2"]
    log.write_text("".join(f"{STAMP} stdout F {STAMP} stderr F {line}\n" for line in lines))
    with open_source(log) as source:
        assert [line.text for line in source] == lines
    assert source.inputs[0].wrappers == ("cri", "cri")


def test_a_few_wrapped_lines_make_no_wrapped_stream() -> None:
    assert recognise([LINE.encode()] * 5 + [f"{STAMP} stderr F x".encode()] * 5) == ()
    assert recognise([]) == ()
    assert recognise([b"", b"\0"]) == ()


@given(st.binary(max_size=60).filter(lambda data: b"\n" not in data), st.sampled_from([b"F", b"P", b"F:x"]))
def test_prefix_and_payload_joined_are_the_line(payload: bytes, tags: bytes) -> None:
    line = STAMP.encode() + b" stderr " + tags + b" " + payload
    unwrapped = CriWrapper().unwrap(line)
    assert unwrapped is not None
    assert unwrapped.payload == payload
    assert unwrapped.partial == tags.startswith(b"P")


@given(st.binary(max_size=80).filter(lambda data: b"\n" not in data))
@example(b"\0\x1bD")
def test_a_payload_is_always_the_end_of_its_line(line: bytes) -> None:
    """But for control sequences, which may stand behind it as well."""
    for wrapper in WRAPPERS:
        unwrapped = wrapper.unwrap(line)
        if wrapper.name != "ansi" or b"\x1b" not in line:
            assert unwrapped is None or line.endswith(unwrapped.payload)
