"""A rule's documentation as a page, from its docstring. The only source of `explain` and of docs/rules/."""

from __future__ import annotations

from klogreplay.rules.base import Rule

_HEADING = "## "


def as_markdown(rule: type[Rule]) -> str:
    """A rule's page for docs/rules/."""
    return f"# {rule.code} {rule.name}\n\n{rule.documentation()}\n"


def as_text(rule: type[Rule]) -> str:
    """A rule's page for a terminal: the same words, section titles without their marks."""
    lines = [
        line[len(_HEADING) :].upper() if line.startswith(_HEADING) else line
        for line in rule.documentation().split("\n")
    ]
    return f"{rule.code} {rule.name}\n\n" + "\n".join(lines) + "\n"


def index(rules: tuple[type[Rule], ...]) -> str:
    """The page that lists all rules."""
    rows = [
        f"- [{rule.code} {rule.name}]({rule.code}.md): {rule.title()}" + (" (observation)" if rule.observation else "")
        for rule in rules
    ]
    return (
        "# The rules\n\n"
        "KR1xx: pods parked in unschedulablePods. KR2xx: in-flight bookkeeping. KR3xx: resource claims. KR9xx: what "
        "the log itself lacks.\nAn observation never counts towards the exit code.\n\n" + "\n".join(rows) + "\n"
    )
