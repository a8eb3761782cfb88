"""A time in front of each line, with its date.

`kubectl logs --timestamps`, `docker logs -t`, `crictl logs -t` and GitHub Actions write
`2023-08-31T20:03:47.184243001Z I0831 …`; CloudWatch's export to S3 has milliseconds, `aws logs tail --format short` no
zone, Grafana's text download a tab behind it, Jenkins brackets around it; stern's short form is `08-31 20:03:47`.
Later Grafanas have milliseconds since the epoch and a tab in front of that; above it all they put a label and a value
in JSON, such as `Common labels: {"job":"x"}`, and two empty lines. Source: Grafana's downloadLogsModelAsTxt.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_ISO = rb"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9}+)?+(?:Z|[+-][0-9]{2}:?[0-9]{2})?+"

WRAPPER = PrefixWrapper(
    "timestamps",
    "kubectl logs --timestamps and the like",
    rb"(?:\["
    + _ISO
    + rb"\]|(?:[0-9]{13}\t)?+"
    + _ISO
    + rb"|[01][0-9]-[0-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2})(?:[ \t]|(?=\n|\Z))",
    own=rb"[A-Z][A-Za-z ]{1,60}+: (?:\"[^\n]{0,4096}\"|\{[^\n]{0,4096}\}|\[[^\n]{0,4096}\]|[0-9]{1,19}+)\r?\Z",
    samples=(
        Sample(
            (
                b'2023-08-31T20:03:47.184243001Z I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'2023-08-31T20:03:47.2Z I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
        Sample(
            (b'2023-08-31T20:03:47.184Z\tI0831 20:03:47.184243       1 a.go:1] "One"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One"',),
        ),
        Sample(
            (
                b'Common labels: {"job":"kube-scheduler"}',
                b'1693512227184\t2023-08-31T20:03:47.184Z\tI0831 20:03:47.184243       1 a.go:1] "One"',
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One"',),
        ),
        Sample(
            (b'[2023-08-31T20:03:47.184Z] I0831 20:03:47.184243       1 a.go:1] "One"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One"',),
        ),
        Sample(
            (b'08-31 20:03:47 I0831 20:03:47.184243       1 a.go:1] "One"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One"',),
        ),
    ),
)
