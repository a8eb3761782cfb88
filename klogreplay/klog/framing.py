"""Lines that belong to a log without being log records: they open and close files and test runs."""

from __future__ import annotations

import re
from typing import Literal

Framing = Literal["blank", "klog-preamble", "go-test"]

CREATED = re.compile(r"Log file created at: ([0-9]{4})/([0-9]{2})/([0-9]{2}) [0-9]{2}:[0-9]{2}:[0-9]{2}")

_PREAMBLE = ("Log file created at: ", "Running on machine: ", "Binary: Built with gc ", "Log line format: [IWEF]")
_GO_TEST = re.compile(
    r"=== (?:RUN|PAUSE|CONT|NAME) |[ ]*--- (?:PASS|FAIL|SKIP|BENCH): |(?:PASS|FAIL|ok|\?)(?:\Z|[ ]*\t)|testing: "
)


def framing(line: str) -> Framing | None:
    """What kind of framing the line is: klog's file preamble, go test's own output, a blank line; None for others."""
    if line.startswith(_PREAMBLE):
        return "klog-preamble"
    if not line or line.isspace():
        return "blank"
    return "go-test" if _GO_TEST.match(line) else None
