"""klog lines that a test hands to `t.Log`: go test puts the place of that call in front.

`    logger.go:85: I0831 20:03:47.184243       1 schedule_one.go:65] …`; Terratest prints test and time as well. The
lines of ktesting, which have no caller behind the time, are a dialect of klog's and no wrapper. Further lines of a
record are indented by eight blanks; where each line of it was handed to `t.Log`, each has the place in front.
"""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "go-test",
    "t.Log below go test",
    rb"[ \t]{0,64}+(?:Test[^ \n]{0,255} [0-9]{4}-[-0-9T:.Z+]{15,31}+ )?"
    rb"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}\.go:[0-9]{1,7}: "
    rb"(?=[IWEF][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} {1,7}[0-9]|\t| >(?:[ \r\n]|\Z))"
    rb"|(?: {4}){2,16}+(?=\t| >)",
    samples=(
        Sample(
            (b'    logger.go:85: I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (
                b'    logger.go:85: I0831 20:03:47.184243       1 a.go:1] "One" config=<',
                b"    logger.go:85: \tkind: C",
                b"    logger.go:85:  >",
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" config=<', b"\tkind: C", b" >"),
        ),
        Sample(
            (b'TestX 2023-08-31T20:03:47Z logger.go:66: I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
