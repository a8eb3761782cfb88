"""Wrappers in wrappers, and several in one stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.intake.forms.base import Form, json_lines, text, timed
from tests.intake.forms.journals import journal
from tests.intake.forms.runtimes import cri, docker, docker_entry


def halves(first: Callable[[Sequence[str]], bytes], second: Callable[[Sequence[str]], bytes]):  # type: ignore[no-untyped-def]
    def convert(lines: Sequence[str]) -> bytes:
        middle = next(index for index in range(len(lines) // 2, len(lines)) if not lines[index].startswith(("\t", " ")))
        return first(lines[:middle]) + second(lines[middle:])

    return convert


FORMS: tuple[Form, ...] = (
    Form(
        "docker-in-journald",
        "Docker json-file inside journalctl -o json",
        json_lines(lambda at: {**journal(at), "MESSAGE": docker_entry(at, at.line)}),
        ("journald-json", "docker-json"),
    ),
    Form(
        "grep-cri",
        "grep -n over CRI",
        lambda lines: text([f"0.log:{n}:{at.nano()} stderr F {at.line}" for n, at in enumerate(timed(lines), 1)]),
        ("grep", "cri"),
    ),
    Form("plain-then-cri", "plain lines, then CRI", halves(text, cri), ("cri",), ("plain",)),
    Form("docker-then-cri", "Docker json-file, then CRI", halves(docker, cri), ("docker-json",), ("cri",)),
)
