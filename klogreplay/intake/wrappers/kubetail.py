"""kubetail: the pod, and the container where it has several, in brackets.

`[kube-scheduler-node-1] I0831 … `: a blank ends each line where the whole line is coloured, which is the default. It
begins with `Will tail 2 logs...` and the names. Its `read` drops the backslashes of a line. Source: the kubetail
script.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_NAMES = rb"[a-z0-9][-a-z0-9.]{0,252}+(?: [a-z0-9][-a-z0-9]{0,62}+)?+"

WRAPPER = PrefixWrapper(
    "kubetail",
    "kubetail",
    rb"\[" + _NAMES + rb"\] ",
    own=rb"(?:Will tail [0-9]{1,6} logs\.\.\.|Using regex '.*' to match pods|" + _NAMES + rb")\s*\Z",
    end=b" ",
    strips=True,
    lane=rb".*",
    log=rb"\[(" + _NAMES + rb")\] ",
    leads=True,
    samples=(
        Sample(
            (
                b"Will tail 1 logs...",
                b"kube-scheduler-node-1",
                b'[kube-scheduler-node-1] I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a" ',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (
                b"Will tail 2 logs...",
                b'[kube-scheduler-node-1 kube-scheduler] I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
