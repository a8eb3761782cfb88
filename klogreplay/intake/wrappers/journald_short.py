"""`journalctl` in its short forms, and what rsyslog and syslog-ng write into files: time, host, program, process id.

short `Aug 31 20:03:47 host kube-scheduler[812]: I0831 …`, also with microseconds (short-precise); short-iso
`2023-08-31T20:03:47+0000 host …`, also with microseconds; short-full and with-unit `Thu 2023-08-31 20:03:47 UTC host
…`; short-unix `1693512227.184243 host …`; short-monotonic `[  123.456789] host …`. Source: journalctl(1), rsyslog's
traditional and RFC 3339 file formats.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_SHORT = rb"[A-Z][a-z]{2} [ 0-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}+)?+"
_ISO = rb"[0-9]{4}-[-0-9T:.,Z+]{15,31}+"
_FULL = rb"[A-Z][a-z]{2} [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}+)?+ [A-Z+][A-Z0-9+:]{1,7}"
_UNIX = rb"[0-9]{9,11}\.[0-9]{1,6}+"
_MONOTONIC = rb"\[ {0,11}+[0-9]{1,9}\.[0-9]{1,6}+\]"
SOURCE = rb" [^ \n]{1,255}+ [^ \n\[\]:]{1,255}+(?:\[[0-9]{1,10}+\])?+:(?: |(?=\n|\Z))"
"""Host, program and process id."""

WRAPPER = PrefixWrapper(
    "journald",
    "journalctl (short forms), syslog files",
    b"(?:" + b"|".join((_SHORT, _ISO, _FULL, _UNIX, _MONOTONIC)) + b")" + SOURCE,
    log=rb"(?:.* )?([^ ]+) [^ ]+ \Z",
    own=rb"-- (?:Logs begin at|Journal begins at|No entries|Reboot|Boot [0-9a-f]{32}).*--\s*\Z",
    samples=(
        Sample(
            (
                b"-- Logs begin at Thu 2023-08-31 19:00:01 UTC, end at Thu 2023-08-31 20:10:00 UTC. --",
                b'Aug 31 20:03:47 node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b'Sep  1 20:03:47.200000 node-1 k3s[812]: I0901 20:03:47.200000     812 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b'I0901 20:03:47.200000     812 a.go:2] "Two" pod="x/b"',
            ),
        ),
        Sample(
            (b'2023-08-31T20:03:47+0000 node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One"',),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"',),
        ),
        Sample(
            (b'2023-08-31T20:03:47.184243+00:00 node-1 kube-scheduler: I0831 20:03:47.184243     812 a.go:1] "One"',),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"',),
        ),
        Sample(
            (b'Thu 2023-08-31 20:03:47 UTC node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One"',),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"',),
        ),
        Sample(
            (b'1693512227.184243 node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One"',),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"',),
        ),
        Sample(
            (b'[ 1227.184243] node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One"',),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"',),
        ),
    ),
)
