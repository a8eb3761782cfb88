"""Lines quoted in mail and Markdown: `> I0831 …`, deeper ones `>> ` or `> > `."""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "quote",
    "quoted lines",
    rb"(?:> ?+){1,16}+",
    samples=(
        Sample(
            (b'> I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (b'>> I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"', b">", b"> >I0831 20:03:47.2 cut"),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"', b"", b"I0831 20:03:47.2 cut"),
        ),
    ),
)
