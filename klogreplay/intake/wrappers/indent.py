"""Lines moved in by blanks, as code in Markdown and in mail is. Only records and the lines of blocks are moved back.

A tab is klog's own: so begins each line of a block, whatever it holds, and ` >` ends it.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "indent",
    "indented lines",
    rb" {1,64}+(?=[IWEF][0-9]{4} [0-9]{2}:|\t)| {1,64}?(?= >(?:[ \r\n]|\Z))",
    samples=(
        Sample(
            (b'    I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (b'   I0831 20:03:47.184243       1 a.go:1] "One" config=<', b"   \tkind: C", b"    >"),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" config=<', b"\tkind: C", b" >"),
        ),
    ),
)
