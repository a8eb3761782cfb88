"""Lines with their numbers in front, as `cat -n`, `nl` and `less -N` print them."""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

WRAPPER = PrefixWrapper(
    "numbered",
    "cat -n, nl, less -N",
    rb" {0,8}+[0-9]{1,9}+(?:\t| {1,4}(?=[IWEF][0-9]{4} [0-9]{2}:))",
    samples=(
        Sample(
            (
                b'     1\tI0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'   2 I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two" pod="x/b"',
            ),
        ),
    ),
)
