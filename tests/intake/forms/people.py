"""What people and their tools make of text."""

from __future__ import annotations

from collections.abc import Sequence

from tests.intake.forms.base import At, Convert, Form, each, text


def _box(lines: Sequence[str]) -> bytes:
    width = max(map(len, lines), default=0)
    inside = [f"│ {line.ljust(width)} │" for line in lines]
    return text([f"╭{'─' * (width + 2)}╮", *inside, f"╰{'─' * (width + 2)}╯"])


def _coloured(at: At) -> str:
    colour = {"I": 32, "W": 33, "E": 31}.get(at.line[:1], 0)
    return f"\x1b[{colour}m{at.line[:21]}\x1b[0m\x1b[K{at.line[21:]}"


def _grep_colours(lines: Sequence[str]) -> bytes:
    def match(number: int, line: str) -> str:
        colon = "\x1b[36m\x1b[K:\x1b[m\x1b[K"
        return f"\x1b[35m\x1b[Kscheduler.log\x1b[m\x1b[K{colon}\x1b[32m\x1b[K{number}\x1b[m\x1b[K{colon}{line}"

    return text([match(number, line) for number, line in enumerate(lines, 1)])


def _context(name: str) -> Convert:
    """Every fifth line matches; the others are context, in groups of fifty."""

    def convert(lines: Sequence[str]) -> bytes:
        out: list[str] = []
        for number, line in enumerate(lines, 1):
            mark = "-" if number % 5 else ":"
            out.append(f"{name and name + mark}{number}{mark}{line}")
            if number % 50 == 0:
                out.append("--")
        return text(out)

    return convert


def _in_list(lines: Sequence[str]) -> bytes:
    return text(["1. ```", *(f"   {line}" for line in lines), "   ```"])


FORMS: tuple[Form, ...] = (
    Form("grep", "grep over several files", each(lambda at: f"scheduler.log:{at.line}"), ("grep",)),
    Form(
        "grep-n",
        "grep -n",
        lambda lines: text([f"{number}:{line}" for number, line in enumerate(lines, 1)]),
        ("grep",),
    ),
    Form(
        "zgrep-n",
        "zgrep -n over several files",
        lambda lines: text([f"./kube-scheduler.log.1.gz:{number}:{line}" for number, line in enumerate(lines, 1)]),
        ("grep",),
    ),
    Form("grep-context", "grep -n -C", _context(""), ("grep",)),
    Form("grep-context-file", "grep -n -C over several files", _context("kube-scheduler.log"), ("grep",)),
    Form("grep-colours", "grep -n --color=always", _grep_colours, ("ansi", "grep")),
    Form("quoted", "quoted with >", each(lambda at: f"> {at.line}"), ("quote",)),
    Form(
        "markdown",
        "between Markdown fences",
        lambda lines: b"<details>\n\n```text\n" + text(lines) + b"```\n\n</details>\n",
        ("markdown",),
    ),
    Form("indented", "four blanks in front", each(lambda at: f"    {at.line}"), ("indent",)),
    Form("markdown-list", "between Markdown fences in a list", _in_list, ("markdown", "indent")),
    Form("box", "terminal box", _box, ("box",), loses="leading blanks and tabs are kept, trailing ones are not"),
    Form(
        "minikube",
        "minikube logs",
        lambda lines: text(["* ==> kube-scheduler [0f1e2d] <==", *(f"* {line}" for line in lines), "* "]),
        ("sections",),
    ),
    Form("colours", "terminal colours", each(_coloured), ("ansi",)),
    Form(
        "numbered",
        "cat -n",
        lambda lines: text([f"{number:>6}\t{line}" for number, line in enumerate(lines, 1)]),
        ("numbered",),
    ),
)
