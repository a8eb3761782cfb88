"""Docker's json-file logs: what the Docker engine writes below /var/lib/docker/containers.

`{"log":"I0831 …\\n","stream":"stderr","time":"2023-08-31T20:03:47.184243001Z"}`. A line beyond 16 KiB is split: only
its last part ends in a line break. Source: the engine's jsonfilelog driver.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """One object of the file; `attrs` holds labels and environment, where the engine was told to log them."""

    log: str
    stream: str
    time: str
    attrs: dict[str, str] | None = None


def _read(entry: Entry) -> Unwrapped:
    text = entry.log
    return Unwrapped(line_of(text), not text.endswith("\n"), entry.stream.encode(), entry.time.encode())


WRAPPER = JsonWrapper(
    "docker-json",
    "Docker json-file",
    Entry,
    _read,
    samples=(
        Sample(
            (
                rb'{"log":"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\"\n","stream":"stderr",'
                rb'"time":"2023-08-31T20:03:47.184243001Z"}',
                rb'{"log":"I0831 20:03:47.200000       1 a.go:2] \"Split\" ","stream":"stderr",'
                rb'"time":"2023-08-31T20:03:47.2Z"}',
                rb'{"log":"pod=\"x/b\"\n","stream":"stderr","time":"2023-08-31T20:03:47.2Z"}',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Split" pod="x/b"',
            ),
        ),
    ),
)
