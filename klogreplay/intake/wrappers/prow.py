"""Build logs of Prow jobs that ran below its old bootstrap: its own severity and time to the millisecond in front.

`I0831 20:03:47.184] I0831 20:03:47.184243       1 schedule_one.go:65] …`. The newer build logs have no prefix; what
GitHub Actions and Jenkins put in front is in `klogreplay.intake.wrappers.timestamps`.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "prow",
    "Prow build logs",
    rb"[IWEF][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\](?: |(?=\n|\Z))",
    samples=(
        Sample(
            (
                b"I0831 20:03:46.100] Call:  make test-integration",
                b'I0831 20:03:47.185] I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
            ),
            (b"Call:  make test-integration", b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"'),
        ),
    ),
)
