"""Every known upstream bug has a rule, or a reason why a log cannot show it."""

from __future__ import annotations

import re

import pytest

from klogreplay.knowledge import bugs
from klogreplay.rules.coverage import NEWER, OLDER, TOLD_BY, UNTOLD, table
from klogreplay.rules.registry import BY_CODE
from tests.conftest import ROOT

RULES = ROOT / "klogreplay" / "rules"
_BUG = re.compile(r"\bKB\d\d\b")


def test_each_bug_is_decided_once() -> None:
    assert set(TOLD_BY) | set(UNTOLD) == set(bugs())
    assert not set(TOLD_BY) & set(UNTOLD)
    assert len(bugs()) == 58


def test_the_rules_named_are_there_and_the_bugs_that_rules_name_are_theirs() -> None:
    assert {code for codes in TOLD_BY.values() for code in codes} <= set(BY_CODE)
    named = {
        bug
        for path in RULES.rglob("*.py")
        if path.name != "coverage.py"
        for bug in _BUG.findall(path.read_text(encoding="utf-8"))
    }
    assert named == set(TOLD_BY)


@pytest.mark.parametrize("bug", [bug for bug, why in UNTOLD.items() if why in (OLDER, NEWER)])
def test_a_bug_out_of_reach_has_no_release_that_is_known(bug: str) -> None:
    entry = bugs()[bug]
    assert entry.affected
    for part in entry.affected:
        assert part.last is not None
        limit = (1, 18) if UNTOLD[bug] is OLDER else (1, 37)
        minor = tuple(
            int(number) for number in (part.last if UNTOLD[bug] is OLDER else part.first or "0").split(".")[:2]
        )
        assert minor < limit if UNTOLD[bug] is OLDER else minor >= limit


def test_the_page_is_up_to_date_and_tells_the_certainty() -> None:
    page = table()
    assert (ROOT / "docs" / "upstream-bugs.md").read_text(encoding="utf-8") == page
    assert len([line for line in page.split("\n") if line.startswith("| ")]) == len(bugs()) + 2
    assert "(unverified)" in page
