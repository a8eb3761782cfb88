"""`grep`, `grep -n`, `zgrep` and `rg`: file name and line number in front, "-" instead of ":" on lines of context.

`kube-scheduler.log:12:I0831 …`, `12:I0831 …`, `kube-scheduler.log-11-I0831 …`; `--` stands between groups of lines.
A file name with a blank or a colon is not told.
"""

from __future__ import annotations

from klogreplay.intake.names import family, klog_name
from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_CHARACTER = rb"[^\s:\"'{}\[\]<>|=,;]"
_LINE_BEGINS = rb"(?=[IWEF][0-9]{4} [0-9]{2}:|[0-9]{4}-[0-9]{2}-[0-9]{2}T|\{\"|\t| >(?:[ \r\n]|\Z))"
_FILE = rb"(?![0-9]{1,9}[:-]\Z)(.+?)(?::(?:[0-9]{1,9}:)?|-(?:[0-9]{1,9}-)?)\Z"


class GrepWrapper(PrefixWrapper):
    """The files of one rotation are one log, and so are those that klog writes by severity."""

    def log_of(self, prefix: bytes) -> bytes:
        """See `PrefixWrapper`."""
        name = super().log_of(prefix).decode("utf-8", "replace")
        own = klog_name(name)
        return (family(name) if own is None else f"{own.of} of {own.pid}").encode()


WRAPPER = GrepWrapper(
    "grep",
    "grep, grep -n, zgrep",
    _CHARACTER
    + rb"{1,1024}+:(?:[0-9]{1,9}+:)?+|[0-9]{1,9}+-|"
    + _CHARACTER
    + rb"{1,1024}?-(?:[0-9]{1,9}+-)?"
    + _LINE_BEGINS,
    lane=rb"[^:]*?(?=:|-[0-9]*-?\Z)",
    log=_FILE,
    own=rb"(?:--|Binary file .{1,1024} matches)\s*\Z",
    samples=(
        Sample(
            (
                b'kube-scheduler.log:I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'logs/kube-scheduler.log.1.gz:I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
        Sample(
            (
                b'kube-scheduler.log-11-I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'kube-scheduler.log:12:I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
                b"--",
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
        Sample(
            (
                b'kube-scheduler.log:11:I0831 20:03:47.184243       1 a.go:1] "One" config=<',
                b"kube-scheduler.log-12-\tkind: C",
                b"kube-scheduler.log-13- >",
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" config=<', b"\tkind: C", b" >"),
        ),
        Sample(
            (
                b'11-I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'12:I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
    ),
)
