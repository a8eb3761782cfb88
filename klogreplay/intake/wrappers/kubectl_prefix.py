"""`kubectl logs --prefix`: the pod and container a line is of.

`[pod/kube-scheduler-node-1/kube-scheduler] I0831 …`; `--timestamps` puts its time behind the prefix. Source: kubectl's
logs command.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "kubectl-prefix",
    "kubectl logs --prefix",
    rb"\[pod/[a-z0-9][-a-z0-9.]{0,252}/[a-z0-9][-a-z0-9]{0,62}\] ",
    certain=True,
    lane=rb".*",
    log=rb"\[pod/([^\] ]*)\] ",
    leads=True,
    samples=(
        Sample(
            (b'[pod/kube-scheduler-node-1/kube-scheduler] I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
