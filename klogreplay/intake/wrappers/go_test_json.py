"""`go test -json`: an event for each piece of output.

`{"Time":"2023-08-31T20:03:47Z","Action":"output","Package":"p","Test":"TestX","Output":"    a.go:1: I0831 …\\n"}`. A
piece that does not end in a line break goes on in the next one of the same test. Source: cmd/test2json.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import OWN, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, stamp_of_text


class Event(msgspec.Struct, rename="pascal"):
    """A test event."""

    action: str
    time: str | None = None
    package: str = ""
    test: str = ""
    output: str | None = None


def _read(event: Event) -> Unwrapped:
    if event.output is None:
        return OWN
    lane = f"{event.package}\0{event.test}".encode("utf-8", "surrogateescape")
    return Unwrapped(line_of(event.output), not event.output.endswith("\n"), lane, stamp_of_text(event.time))


WRAPPER = JsonWrapper(
    "go-test-json",
    "go test -json",
    Event,
    _read,
    samples=(
        Sample(
            (
                b'{"Time":"2023-08-31T20:03:46Z","Action":"run","Package":"p","Test":"TestX"}',
                rb'{"Time":"2023-08-31T20:03:46Z","Action":"output","Package":"p","Test":"TestX",'
                rb'"Output":"    a.go:1: I0831 20:03:47.184243] One pod=\"x/a\"\n"}',
                rb'{"Action":"output","Package":"p","Test":"TestX","Output":"    a.go:2: I0831 20:03:47.200000] "}',
                rb'{"Action":"output","Package":"p","Test":"TestX","Output":"Two pod=\"x/b\"\n"}',
            ),
            (
                b'    a.go:1: I0831 20:03:47.184243] One pod="x/a"',
                b'    a.go:2: I0831 20:03:47.200000] Two pod="x/b"',
            ),
        ),
    ),
)
