"""Each rule on parkings and on the log has a log that fires it, and a near miss that does not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.rules.registry import RULES
from tests.conftest import FIXTURES

LOGS = {
    "KR101": ("stale-plugins-dra-1.28.0-v5.log", "unexplained-1.29.1-v3.log"),
    "KR102": ("missed-events-1.28.0-v5.log", "fixed-1.28.3-v5.log"),
    "KR103": ("stale-plugins-1.28.0-v6.log", "stale-plugins-bind-1.28.0-v5.log"),
    "KR110": ("unexplained-1.29.1-v3.log", "stale-plugins-dra-1.28.0-v5.log"),
    "KR190": ("rescued-1.28.3-v5.log", "no-room-1.28.3-v5.log"),
    "KR901": ("too-quiet-1.28.0-v2.log", "fixed-1.28.3-v5.log"),
    "KR902": ("stale-plugins-1.28.0-v6.log", "stale-plugins-bind-1.28.0-v5.log"),
    "KR903": ("start-up-1.29.1-v3.log", "too-quiet-1.28.0-v2.log"),
}
"""Rule: the log that fires it, the near miss: the same kind of trouble without the one thing that matters."""


@cache
def codes(name: str) -> frozenset[str]:
    path: Path = FIXTURES / "analyze" / name
    return frozenset(finding.code for finding in analyse(Request(paths=[str(path)])).findings)


def test_every_rule_has_its_logs() -> None:
    families = ("klogreplay.rules.parkings.", "klogreplay.rules.log.")
    assert set(LOGS) == {rule.code for rule in RULES if rule.__module__.startswith(families)}


@pytest.mark.parametrize("code", LOGS)
def test_fires(code: str) -> None:
    assert code in codes(LOGS[code][0])


@pytest.mark.parametrize("code", LOGS)
def test_near_miss(code: str) -> None:
    assert code not in codes(LOGS[code][1])
