"""True logs to begin with: a few lines each, of every dialect and every form that the fixtures have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

from tests.conftest import FIXTURES

MOST_BYTES = 2_000
_FOLDERS = ("analyze", "rules", "inputs", "fuzz")


@cache
def logs() -> tuple[bytes, ...]:
    """The fixtures' logs, and one with a line of every klog release and dialect."""
    found = [path.read_bytes() for folder in _FOLDERS for path in sorted((FIXTURES / folder).glob("*.log"))]
    examples = (FIXTURES / "klog" / "examples.jsonl").read_text("utf-8").splitlines()
    return (*found, "\n".join(json.loads(example)["line"] for example in examples).encode())


@cache
def _lines(index: int) -> list[bytes]:
    return logs()[index].split(b"\n")


def piece(rnd: Random) -> bytes:
    """Some lines of a log that follow each other, mostly its first."""
    lines = _lines(rnd.randrange(len(logs())))
    begin = 0 if rnd.random() < 0.4 else rnd.randrange(len(lines))
    text = b"\n".join(lines[begin : begin + rnd.randint(1, 12)])
    return text[:MOST_BYTES] + b"\n" * rnd.randint(0, 1)


def write_corpus(folder: str) -> str:
    """The fixtures' logs in small files, for a fuzzer that wants a folder of them; the folder."""
    for index in range(len(logs())):
        lines = _lines(index)
        for begin in range(0, min(len(lines), 60), 6):
            text = b"\n".join(lines[begin : begin + 6])[:MOST_BYTES]
            Path(folder, f"{index}-{begin}").write_bytes(text)
    return folder
