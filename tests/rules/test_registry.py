"""The registry lists every rule, and every rule is documented, in the code and in docs/rules/."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import klogreplay.rules
from klogreplay.rules.base import SECTIONS, Case, Rule
from klogreplay.rules.docs import as_markdown, as_text, index
from klogreplay.rules.registry import BY_CODE, RULES, counts_as_defect, find_rule, run_rules
from tests.conftest import ROOT
from tests.samples import missed, parking, right, undecided

DOCS = ROOT / "docs" / "rules"


def rules_on_disk() -> set[type[Rule]]:
    found: set[type[Rule]] = set()
    for module in pkgutil.walk_packages(klogreplay.rules.__path__, "klogreplay.rules."):
        loaded = importlib.import_module(module.name)
        found |= {
            value
            for _, value in inspect.getmembers(loaded, inspect.isclass)
            if issubclass(value, Rule) and not inspect.isabstract(value) and value.__module__ == loaded.__name__
        }
    return found


def test_every_rule_on_disk_is_registered_once() -> None:
    assert set(RULES) == rules_on_disk()
    assert len(set(RULES)) == len(RULES)


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_one_file_named_after_it(rule: type[Rule]) -> None:
    assert re.fullmatch(r"KR[1239]\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert Path(inspect.getfile(rule)).name == f"{rule.code.lower()}_{rule.name.replace('-', '_')}.py"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_docstring_has_all_sections_in_order(rule: type[Rule]) -> None:
    text = rule.documentation()
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == list(SECTIONS)
    for body in re.split(r"^## .+$", text, flags=re.MULTILINE):
        assert body.strip()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_in_docs_is_the_docstring(rule: type[Rule]) -> None:
    assert (DOCS / f"{rule.code}.md").read_text(encoding="utf-8") == as_markdown(rule)


def test_docs_have_an_index_and_no_page_too_many() -> None:
    assert (DOCS / "README.md").read_text(encoding="utf-8") == index(RULES)
    assert {path.stem for path in DOCS.glob("*.md")} == {*BY_CODE, "README"}


def test_explain_says_the_same_words_as_the_page() -> None:
    rule = BY_CODE["KR101"]
    assert as_text(rule).startswith("KR101 stale-plugins\n\n")
    assert "\nWHAT IT IS\n" in as_text(rule)
    assert "##" not in as_text(rule)


@pytest.mark.parametrize("wanted", ["KR101", "kr101", " KR101 ", "stale-plugins", "Stale-Plugins"])
def test_rules_are_found_by_code_and_name(wanted: str) -> None:
    assert find_rule(wanted) is BY_CODE["KR101"]


@pytest.mark.parametrize("wanted", ["", "KR1", "KR1010", "stale", "\x00"])
def test_what_is_no_rule_is_not_found(wanted: str) -> None:
    assert find_rule(wanted) is None


def test_only_proven_and_likely_defects_count() -> None:
    def counted(*parkings: object) -> bool:
        return any(map(counts_as_defect, run_rules(Case(parkings=parkings, attempts=1))))  # type: ignore[arg-type]

    assert counted(parking())
    assert counted(missed())
    assert not counted(missed(causes=[], grade="suspected"))
    assert not counted(right(), undecided())
    assert not counted(right(wake_up=parking().wake_up))
