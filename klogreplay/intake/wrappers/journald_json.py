"""`journalctl -o json`: an object for each entry of the systemd journal.

`{"__REALTIME_TIMESTAMP":"1693512227184243","_PID":"812","MESSAGE":"I0831 …"}`. A message that is not valid UTF-8 is an
array of byte values; one that is too large is null. json-seq puts a record separator in front, json-sse `data: `.
Source: systemd's journal JSON format.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, named, stamp_of_millis


class Entry(msgspec.Struct):
    """One entry of the journal."""

    realtime: str = msgspec.field(name="__REALTIME_TIMESTAMP")
    message: str | list[int] | None = msgspec.field(name="MESSAGE", default=None)
    host: str | None = msgspec.field(name="_HOSTNAME", default=None)


def _read(entry: Entry) -> Unwrapped | None:
    message = entry.message
    stamp = stamp_of_millis(int(entry.realtime[:19]) // 1000) if entry.realtime.isdecimal() else None
    if message is None:
        return OWN
    if isinstance(message, str):
        return Unwrapped(line_of(message), stamp=stamp)
    return Unwrapped(bytes(message), stamp=stamp) if all(0 <= byte <= 255 for byte in message) else None


class JournaldJson(JsonWrapper[Entry]):
    """Entries one on a line, with or without what server-sent events put in front."""

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        return super().unwrap(line.removeprefix(b"data: "))


WRAPPER = JournaldJson(
    "journald-json",
    "journalctl -o json",
    Entry,
    _read,
    log=lambda entry: named(entry.host),
    samples=(
        Sample(
            (
                rb'{"_PID":"812","__REALTIME_TIMESTAMP":"1693512227184243","SYSLOG_IDENTIFIER":"kube-scheduler",'
                rb'"MESSAGE":"I0831 20:03:47.184243     812 a.go:1] \"One\" pod=\"x/a\""}',
                b'{"__REALTIME_TIMESTAMP":"1693512227184243","MESSAGE":[120,255]}',
            ),
            (b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"', b"x\xff"),
        ),
    ),
)
