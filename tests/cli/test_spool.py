"""The temporary file of parkings: any bytes, any order of reading, and no file where none can be made."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.cli import spool as module
from klogreplay.cli.spool import FileSpool


@settings(deadline=None, max_examples=50)
@given(st.lists(st.binary(max_size=40), max_size=40), st.randoms(use_true_random=False), st.integers(1, 64))
def test_what_is_put_down_is_read_back_in_any_order(pieces: list[bytes], random: Any, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", size)
        patch.setattr(module, "AHEAD", size)
        spool = FileSpool()
        places, end = [], 0
        for piece in pieces:
            spool.append(piece)
            places.append((end, piece))
            end += len(piece)
            start, known = random.choice(places)
            assert spool.read(start, len(known)) == known
        for order in (places, places[::-1], random.sample(places, len(places))):
            assert [spool.read(start, len(piece)) for start, piece in order] == [piece for _, piece in order]


def test_a_short_log_needs_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: made.append(1))
    FileSpool().append(b"x" * (module.BLOCK - 1))
    assert made == []


def test_where_no_file_can_be_made_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    spool = FileSpool()
    for number in range(8):
        spool.append(bytes([number]) * module.BLOCK)
    assert [spool.read(number * module.BLOCK, 1) for number in range(8)] == [bytes([number]) for number in range(8)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Path("/dev/full").open("r+b", buffering=0))  # noqa: SIM115
    spool = FileSpool()
    for number in range(3):
        spool.append(bytes([number]) * module.BLOCK)
    assert [spool.read(number * module.BLOCK, 1) for number in range(3)] == [b"\0", b"\1", b"\2"]
