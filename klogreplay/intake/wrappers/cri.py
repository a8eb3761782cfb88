"""CRI container logs: what containerd and CRI-O write below /var/log/pods.

`2023-08-31T20:03:47.184243001Z stderr F I0831 …`: time, stream, tags (P: the runtime split the line, more follows; F:
last or only part), then the part. Source: KEP-2411 and kubelet's log reader.
"""

from __future__ import annotations

import re

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample, Unwrapped

_PREFIX = re.compile(
    rb"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))"
    rb" (stdout|stderr) ([FP])(?::[^ ]*)? ?"
)
_WHOLE = rb"[0-9]{4}-[-0-9T:.Z+]{15,31}+ std(?:err|out) F(?: |:[^ \n]*+ ?+|(?=\n|\Z))"


class CriWrapper(PrefixWrapper):
    """The CRI log format."""

    def __init__(self) -> None:
        super().__init__(
            "cri",
            "container runtime (CRI)",
            _WHOLE,
            certain=True,
            samples=(
                Sample(
                    (
                        b"2023-08-31T20:03:47.184243001Z stderr F "
                        b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                        b'2023-08-31T22:03:47.2+02:00 stderr P I0831 20:03:47.200000       1 a.go:2] "Split" ',
                        b'2023-08-31T22:03:47.2+02:00 stderr F pod="x/b"',
                        b'2023-08-31T22:03:47.3+02:00 stderr P I0831 20:03:47.300000       1 a.go:3] "Parted" ',
                        b'2023-08-31T22:03:47.3+02:00 stdout F I0831 20:03:47.300000       1 a.go:4] "Other stream"',
                        b'2023-08-31T22:03:47.3+02:00 stderr F pod="x/c"',
                    ),
                    (
                        b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                        b'I0831 20:03:47.200000       1 a.go:2] "Split" pod="x/b"',
                        b'I0831 20:03:47.300000       1 a.go:4] "Other stream"',
                        b'I0831 20:03:47.300000       1 a.go:3] "Parted" pod="x/c"',
                    ),
                ),
            ),
        )

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        match = _PREFIX.match(line)
        if match is None:
            return None
        return Unwrapped(line[match.end() :], match[3] == b"P", match[2], match[1])


WRAPPER = CriWrapper()
