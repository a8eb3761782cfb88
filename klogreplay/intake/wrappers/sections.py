"""Several logs in one text, each below a line with its name: `minikube logs`, `tail` of several files, `kubectl
cluster-info dump`.

`==> kube-scheduler [1f0e…] <==`; older minikubes put `* ` in front of each line; the dump writes
`==== START logs for container kube-scheduler of pod … ====`.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_OWN = (
    rb"(?:\* ?)?==> [^\n]{1,400} <==[ \t\r]*+(?=\n|\Z)"
    rb"|==== (?:START|END) logs for container [^\n]{1,400} ====[ \t\r]*+(?=\n|\Z)"
    rb"|\* ?(?=\n|\Z)"
)

WRAPPER = PrefixWrapper(
    "sections",
    "minikube logs, tail of several files",
    rb"(?!" + _OWN + rb")(?:\* )?+",
    own=_OWN,
    samples=(
        Sample(
            (
                b"* ==> kube-scheduler [1f0e2d3c4b5a] <==",
                b'* I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b"* ",
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (
                b"==> kube-scheduler [1f0e2d3c4b5a] <==",
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (
                b"==== START logs for container kube-scheduler of pod kube-system/kube-scheduler-node-1 ====",
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
