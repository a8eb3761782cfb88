"""syslog messages as they are sent, with their priority in angle brackets.

RFC 5424 `<30>1 2023-08-31T20:03:47.184243Z host kube-scheduler 812 - - I0831 …`, with structured data or "-" before the
message; RFC 3164 `<30>Aug 31 20:03:47 host kube-scheduler[812]: I0831 …`. On a stream each may have its length in front
(RFC 6587). A relay that does not know the inner form puts its own header around it; that is this wrapper twice.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_TIME = rb"[A-Z][a-z]{2} [ 0-3][0-9] (?:[0-9]{4} )?[0-9]{2}:[0-9]{2}:[0-9]{2}"
_TAG = rb"[^ \n\[\]:]{1,255}+(?:\[[0-9]{1,10}+\])?+:(?: |(?=\n|\Z))"
_DATA = rb'(?:-|(?:\[(?:[^\]"\n]++|"(?:[^"\\\n]++|\\.)*+")*+\])++)(?: (?:\xef\xbb\xbf)?|(?=\n|\Z))'

WRAPPER = PrefixWrapper(
    "syslog",
    "syslog (RFC 3164, RFC 5424)",
    rb"(?:[0-9]{1,7} )?<[0-9]{1,3}>(?:1 (?:-|[0-9]{4}-[-0-9T:.Z+]{15,31}+)(?: [^ \n]{1,255}+){4} "
    + _DATA
    + rb"|"
    + _TIME
    + rb" (?:(?![^ \n\[:]{1,255}+(?:\[|: ))[^ \n]{1,255}+ )?"
    + _TAG
    + rb")",
    certain=True,
    log=rb"(?:[0-9]+ )?<[0-9]+>(?:1 [^ ]+|[^ ]+ +[0-9]+ (?:[0-9]{4} )?[^ ]+) ([^ :\[]+) [^ ]",
    samples=(
        Sample(
            (
                b"<30>1 2023-08-31T20:03:47.184243Z node-1 kube-scheduler 812 - - "
                b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b'<30>1 2023-08-31T20:03:47.2Z node-1 kube-scheduler 812 - [meta sequenceId="2"] \xef\xbb\xbf'
                b'I0831 20:03:47.200000     812 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243     812 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000     812 a.go:2] "Two" pod="x/b"',
            ),
        ),
        Sample(
            (
                b'<30>Aug 31 20:03:47 node-1 kube-scheduler[812]: I0831 20:03:47.184243     812 a.go:1] "One"',
                b'<30>Aug 31 20:03:47 kube-scheduler[812]: I0831 20:03:47.200000     812 a.go:2] "Two"',
            ),
            (b'I0831 20:03:47.184243     812 a.go:1] "One"', b'I0831 20:03:47.200000     812 a.go:2] "Two"'),
        ),
    ),
)
