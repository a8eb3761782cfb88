"""Logs that are made to hurt: no exception, no hang, and both engines still agree."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.intake import IntakeError, open_source
from klogreplay.klog.fast import KEEP, FastReader
from klogreplay.klog.record import KlogRecord
from tests.klog.test_examples import EXAMPLES
from tests.klog.texts import HEADER, read

LOG = "\n".join(example["line"] for example in EXAMPLES).encode()


def outcome(path: Path, engine: str) -> object:
    try:
        with open_source(path) as source:
            reader: FastReader[KlogRecord] = FastReader(source, lambda record: KEEP, engine=engine)  # type: ignore[arg-type]
            return list(reader), reader.counts
    except IntakeError as error:
        return str(error)


def agree(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.log"
        path.write_bytes(data)
        assert outcome(path, "fast") == outcome(path, "lark")


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    agree(data)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_logs(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(LOG) - 1))
    log = bytearray(LOG[start : start + 3000] * 2)
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(log)))
        kind = data.draw(st.sampled_from(["change", "cut", "insert", "repeat"]))
        if kind == "change" and at < len(log):
            log[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del log[at : at + data.draw(st.integers(1, 200))]
        elif kind == "insert":
            log[at:at] = data.draw(
                st.sampled_from([b"\n", b'"', b"\\", b" k=", b"=<\n\t", b" >", b"[", b"\xff", b"\0", b"\r"])
            )
        else:
            log[at:at] = log[at : at + 100]
    agree(bytes(log))


PIECES = [
    ' k="v"',
    ' k="v"x',
    ' k="\\n"',
    ' k="\\q"',
    " k=v",
    " k=",
    " k k",
    " k k k k=",
    ' "',
    '"',
    '"" ',
    "=",
    "=x",
    ' a=b="',
    " a=b=",
    " [",
    "[",
    "[]",
    "[ []",
    '["',
    '{"a":',
    "]",
    " k=[",
    ' k=[" ',
    " k=<\n\tx\n >",
    " k=<\n\tx",
    "\n\tx",
    "\n",
    "\\",
    "\\x",
    ": ",
    "A/",
    "A ",
    "unschedulable plugins=",
    " unschedulable plugins",
    "1",
    "\u2028",
    "\t",
]

STARTS = {
    "text": f'{HEADER}"m"',
    "value": f'{HEADER}"m" k=',
    "quoted": f'{HEADER}"m" k="',
    "printf": HEADER,
    "message": f'{HEADER}"',
    "ktesting": "    a.go:1: I1201 07:29:14.863736] m",
    "json": '{"ts":1,"msg":',
    "body": '"m"',
    "nothing": "",
}


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["fast", "lark"])
@pytest.mark.parametrize("start", STARTS)
def test_four_times_the_text_takes_less_than_ten_times_the_time(start: str, engine: str) -> None:
    """Quadratic work would take sixteen times; what takes next to nothing is not measured."""
    for piece in PIECES:

        def work(size: int, piece: str = piece) -> Callable[[], object]:
            text = STARTS[start] + piece * (size // len(piece)) + " end"
            return lambda: read(text, engine)  # type: ignore[arg-type]

        small = min(seconds(work(8_000)), seconds(work(8_000)))
        large = seconds(work(32_000))
        if large > max(10 * small, 0.25):
            large = min(large, seconds(work(32_000)), seconds(work(32_000)))
            small = min(small, seconds(work(8_000)))
        assert large < max(10 * small, 0.25), (piece, small, large)


@pytest.mark.parametrize("start", STARTS)
def test_a_mebibyte_of_anything_is_read_in_a_few_seconds(start: str) -> None:
    for piece in (" k=", "[", ' k="', "\n\tx", ' "', " a=b="):
        text = STARTS[start] + piece * ((1 << 18) // len(piece))
        assert seconds(lambda text=text: read(text)) < 5, piece  # type: ignore[misc]


def test_many_call_sites_do_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_text(
        "".join(f'I0831 20:03:47.184243 {n % 9_999_999:7} f{n}.go:{n}] "message {n}" k{n}="v"\n' for n in range(20_000))
    )
    with open_source(path) as source:
        reader: FastReader[KlogRecord] = FastReader(source, lambda record: KEEP if len(record.msg) % 2 else "no")
        kept = sum(1 for _ in reader)
        assert len(reader._table) <= 4096
    assert kept + reader.counts.dropped["no"] == reader.counts.total == 20_000
