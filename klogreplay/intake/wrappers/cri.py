"""CRI container logs: what containerd and CRI-O write below /var/log/pods.

`2023-08-31T20:03:47.184243001Z stderr F I0831 …`: time, stream, tags (P: the runtime split the line, more follows; F:
last or only part), then the part. Source: KEP-2411 and kubelet's log reader.
"""

from __future__ import annotations

import re

from klogreplay.intake.wrappers.base import Unwrapped

_PREFIX = re.compile(
    rb"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))"
    rb" (stdout|stderr) ([FP])(?::[^ ]*)? ?"
)


class CriWrapper:
    """The CRI log format."""

    name = "cri"

    def unwrap(self, line: bytes) -> Unwrapped | None:
        """See `Wrapper`."""
        match = _PREFIX.match(line)
        if match is None:
            return None
        return Unwrapped(line[match.end() :], match[3] == b"P", match[2], match[1])
