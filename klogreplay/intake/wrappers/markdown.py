"""Logs between the fences of Markdown, as in tickets: the fences and the tags that fold are no lines of the log."""

from __future__ import annotations

from klogreplay.intake.wrappers.base import PrefixWrapper, Sample

_OWN = (
    rb"[ ]{0,12}+(?:(?:[-*+]|[0-9]{1,9}[.)]) {1,4}+)?+(?:`{3,}+|~{3,}+)[A-Za-z0-9_+ -]{0,40}+[ \t\r]*+(?=\n|\Z)"
    rb"|</?(?:details|summary|pre|code)>[^\n]{0,200}+(?=\n|\Z)"
)

WRAPPER = PrefixWrapper(
    "markdown",
    "Markdown fences",
    rb"(?!" + _OWN + rb")",
    own=_OWN,
    samples=(
        Sample(
            (
                b"<details><summary>kube-scheduler log</summary>",
                b"```text",
                b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',
                b"```",
                b"</details>",
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
    ),
)
