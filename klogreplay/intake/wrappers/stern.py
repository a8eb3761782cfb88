"""stern: the pod and container a line is of, with `--all-namespaces` the namespace too, in colours on a terminal.

`kube-scheduler-node-1 kube-scheduler I0831 …`, with `+ kube-scheduler-node-1 › kube-scheduler` where it begins to read
a container; `--output json` writes `{"message":"I0831 …","podName":…,"containerName":…}`. Source: stern's templates.
"""

from __future__ import annotations

import msgspec

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample, Unwrapped
from klogreplay.intake.wrappers.json_lines import JsonWrapper, line_of, named

_POD = rb"[a-z0-9][-a-z0-9.]{0,252}+"
_CONTAINER = rb"[a-z0-9][-a-z0-9]{0,62}+"
_OWN = rb"[+-] (?:" + _POD + rb" ){1,2}\xe2\x80\xba " + _CONTAINER + rb"\s*\Z"


class Entry(msgspec.Struct, rename="camel"):
    """One line in JSON."""

    message: str
    pod_name: str
    container_name: str


def _read(entry: Entry) -> Unwrapped:
    return Unwrapped(line_of(entry.message))


WRAPPERS = (
    PrefixWrapper(
        "stern",
        "stern",
        _POD + rb" " + _CONTAINER + rb" ",
        own=_OWN,
        lane=rb".*",
        log=rb"(" + _POD + rb" " + _CONTAINER + rb") ",
        leads=True,
        samples=(
            Sample(
                (
                    b"+ kube-scheduler-node-1 \xe2\x80\xba kube-scheduler",
                    b'kube-scheduler-node-1 kube-scheduler I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                ),
                (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            ),
        ),
    ),
    PrefixWrapper(
        "stern",
        "stern --all-namespaces",
        rb"[a-z0-9][-a-z0-9]{0,62}+ " + _POD + rb" " + _CONTAINER + rb" ",
        own=_OWN,
        lane=rb".*",
        log=rb"([a-z0-9][-a-z0-9]{0,62}+ " + _POD + rb" " + _CONTAINER + rb") ",
        leads=True,
        samples=(
            Sample(
                (
                    b"+ kube-system kube-scheduler-node-1 \xe2\x80\xba kube-scheduler",
                    b"kube-system kube-scheduler-node-1 kube-scheduler "
                    b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                ),
                (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            ),
        ),
    ),
    JsonWrapper(
        "stern-json",
        "stern --output json",
        Entry,
        _read,
        log=lambda entry: named(entry.pod_name, entry.container_name),
        samples=(
            Sample(
                (
                    rb'{"message":"I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\"","nodeName":"node-1",'
                    rb'"namespace":"kube-system","podName":"kube-scheduler-node-1","containerName":"kube-scheduler"}',
                ),
                (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            ),
        ),
    ),
)
