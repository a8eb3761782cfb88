"""What people and their tools make of text."""

from __future__ import annotations

from collections.abc import Sequence

from tests.intake.forms.base import At, Form, each, text


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
    Form("grep-colours", "grep -n --color=always", _grep_colours, ("ansi", "grep")),
    Form("quoted", "quoted with >", each(lambda at: f"> {at.line}"), ("quote",)),
    Form(
        "markdown",
        "between Markdown fences",
        lambda lines: b"<details>\n\n```text\n" + text(lines) + b"```\n\n</details>\n",
        ("markdown",),
    ),
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
