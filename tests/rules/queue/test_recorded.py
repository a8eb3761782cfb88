"""The rules on upstream bugs over all recorded logs: which speak where, and that suspicions are mostly right."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from klogreplay.events import types as ev
from klogreplay.rules.registry import run_rules
from klogreplay.rules.types import Finding
from tests.replay.truth import truths

from .build import QUEUE_RULES, case_of

LOGS = ("scheduler.log", "scheduler.log.gz")

EXPECTED = {
    # Updated while in flight: S08 does so on purpose, in S16 the scheduler's own status updates do.
    "KR105": {"1.27.1/S08", "1.28.0/S08", "1.28.0/S16", "1.28.3/S08", "1.29.1/S08"},
    # A preempted pod in PreBind stays assumed until its binding cycle is over.
    "KR108": {"1.34.1/S21"},
    # A second preemption finds its victim deleted (kubernetes#141694), by chance in this one run.
    "KR109": {"1.36.2/S06"},
    # A pod at Permit is preempted.
    "KR111": {"1.34.1/S21", "1.35.4/S21"},
    # `notes.hintAlwaysSkips`; S19 has the same pod.
    "KR113": {
        *(f"{release}/S10" for release in ("1.28.0", "1.28.3", "1.29.1", "1.30.1", "1.31.1", "1.32.2", "1.33.0")),
        *(f"{release}/{scenario}" for release in ("1.34.1", "1.35.4", "1.36.2") for scenario in ("S10", "S19")),
    },
    # `notes.cases`: recreated in its scheduling cycle.
    "KR201": {"1.34.1/S19", "1.35.4/S19"},
    # Updates in flight where the log does not show them (-v=3 and 4), or the release is outside the bug's range.
    "KR203": {"1.22.6/S08", "1.23.3/S08", "1.24.4/S08", "1.28.0/S08", "1.28.0/S18"},
}
"""Rule: the recorded scenarios in which it speaks with grade proven or likely. None else may."""

_SITE = re.compile(r"[IWEF]\d{4} [\d:.]+ +\d+ ([^:\]]+):(\d+)\]", re.ASCII)
_FLAG = re.compile(r'FLAG: --v="\d+"')


def text_logs(recorded: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    for row in json.loads((recorded / "sched-logs" / "index.json").read_text()):
        name = next((log for log in LOGS if log in row["logs"]), None)
        if name is not None and not row["dir"].startswith("big/"):
            yield row, recorded / "sched-logs" / row["dir"] / name


@pytest.fixture(scope="module")
def found(recorded: Path) -> dict[str, list[Finding]]:
    """The findings of all recorded text logs, by directory."""
    return {row["dir"]: run_rules(case_of(path), QUEUE_RULES) for row, path in text_logs(recorded)}


@pytest.mark.recorded
class TestRecorded:
    def test_each_rule_speaks_where_it_should_and_nowhere_else(self, found: dict[str, list[Finding]]) -> None:
        spoken: dict[str, set[str]] = defaultdict(set)
        for name, findings in found.items():
            for finding in findings:
                if finding.grade in ("proven", "likely"):
                    spoken[finding.code].add(name.rpartition("/")[0])
        assert dict(spoken) == EXPECTED

    def test_the_hint_that_always_skips_is_found(self, found: dict[str, list[Finding]], recorded: Path) -> None:
        """Its parking stays right: the finding accuses the hint, not the queue."""
        pods = 0
        for name, findings in found.items():
            if "/S10/" in name and name.endswith("v5"):
                notes = truths(recorded / "sched-logs" / name)[0]["notes"]
                wanted = {notes["hintAlwaysSkips"]} if not name.startswith(("1.25", "1.26", "1.27")) else set()
                assert {each.pod for each in findings} == wanted, name
                pods += len(wanted)
        assert pods == 10

    def test_only_the_pods_recreated_in_their_scheduling_cycle_leak(
        self, found: dict[str, list[Finding]], recorded: Path
    ) -> None:
        for release, leaks in (("1.34.1", True), ("1.35.4", True), ("1.36.2", False)):
            name = f"{release}/S19/seed1-v5"
            cases = truths(recorded / "sched-logs" / name)[0]["notes"]["cases"]
            pods = [each.pod for each in found[name] if each.code == "KR201"]
            assert pods == ([cases["recreated in its scheduling cycle"]] if leaks else [])

    def test_suspicions_are_mostly_right(
        self, found: dict[str, list[Finding]], recorded: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        right: Counter[bool] = Counter()
        for name, findings in found.items():
            rescued = _rescued(recorded / "sched-logs" / name)
            right.update(each.pod in rescued for each in findings if each.grade == "suspected")
        with capsys.disabled():
            print(f"\nsuspected, as recorded: {right[True]} of {right.total()} right")
        assert right[True] >= 0.6 * right.total() > 0


def _rescued(directory: Path) -> set[str]:
    """The pods that the truth says left by the flush and are bound."""
    parts = truths(directory)
    left = {a["pod"] for p in parts for a in p.get("failedAttempts", []) if a.get("leftBy") == "UnschedulableTimeout"}
    pods = [p["pods"] for p in parts]
    bound = {
        name
        for each in pods
        for name, pod in (each.items() if isinstance(each, dict) else ((pod["pod"], pod) for pod in each))
        if pod.get("final") == "bound"
    }
    return left & bound


def _levels(recorded: Path) -> dict[str, dict[tuple[str, int], int]]:
    """The least -v that prints each call site, by release."""
    versions = json.loads((recorded / "catalog" / "callsites.json").read_text())["versions"]
    found: dict[str, dict[tuple[str, int], int]] = {}
    for release, sites in versions.items():
        levels = found[release] = {}
        for site in sites:
            key = (site["file"].rpartition("/")[2], site["line"])
            levels[key] = min(levels.get(key, 99), site.get("minLevel") or 0)
    return found


def _at_level(text: str, level: int, levels: dict[tuple[str, int], int]) -> str:
    """What the scheduler would have printed at a lower -v."""
    kept, on = [], True
    for line in _FLAG.sub(f'FLAG: --v="{level}"', text).split("\n"):
        site = _SITE.match(line)
        if site is not None:
            on = line[0] != "I" or levels.get((site[1], int(site[2])), 0) <= level
        if on:
            kept.append(line)
    return "\n".join(kept)


@pytest.mark.recorded
@pytest.mark.slow
def test_lower_levels_say_less_and_nothing_else(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every log of -v=5 cut down to -v=2, 3 and 4: graded findings stay in their scenarios, suspicions are right."""
    levels = _levels(recorded)
    right: Counter[tuple[int, bool]] = Counter()
    path = tmp_path / "scheduler.log"
    for row, source in text_logs(recorded):
        release, scenario, _ = row["dir"].split("/")
        if row["v"] != 5 or release not in levels:
            continue
        data = source.read_bytes()
        text = (gzip.decompress(data) if source.suffix == ".gz" else data).decode(errors="surrogateescape")
        rescued = _rescued(source.parent)
        for level in (2, 3, 4):
            path.write_text(_at_level(text, level, levels[release]), errors="surrogateescape")
            for each in run_rules(case_of(path), QUEUE_RULES):
                if each.code == "KR120":
                    right[level, each.pod in rescued] += 1
                    assert each.grade == "suspected"
                elif each.grade != "suspected":
                    # Where the update is not shown, KR203 tells what KR105 tells at -v=5.
                    codes = (each.code, "KR105") if each.code == "KR203" else (each.code,)
                    assert any(f"{release}/{scenario}" in EXPECTED[code] for code in codes), (row["dir"], level, each)
    with capsys.disabled():
        print(f"\nsuspected, by level: {dict(sorted(right.items()))}")
    assert sum(n for (_, ok), n in right.items() if ok) >= 0.6 * right.total() > 0


@pytest.mark.recorded
@pytest.mark.slow
@pytest.mark.parametrize("damage", ["one line in twenty", "a gap", "the head"])
def test_lost_lines_accuse_nobody(recorded: Path, damage: str) -> None:
    """A log shipper loses lines. What is still graded proven or likely is what the whole log shows as well."""
    dice = random.Random(1)
    for row, source in text_logs(recorded):
        release, scenario, _ = row["dir"].split("/")
        if row["v"] != 5:
            continue
        lines = row["bytes"][source.name] // (150 if source.suffix == ".log" else 15)

        def keep(event: ev.SchedulerEvent, lines: int = lines) -> bool:
            if isinstance(event, ev.SchedulerStarted | ev.Flag):
                return True
            if damage == "one line in twenty":
                return dice.random() > 0.05
            return not lines // 3 < event.line < lines // 2 if damage == "a gap" else event.line > lines // 3

        for each in run_rules(case_of(source, keep=keep), QUEUE_RULES):
            if each.grade != "suspected":
                # Without the update, or the recreation, KR203 tells of the refusal that they end in.
                codes = (each.code, "KR105", "KR201") if each.code == "KR203" else (each.code,)
                assert any(f"{release}/{scenario}" in EXPECTED.get(code, ()) for code in codes), (row["dir"], each)
