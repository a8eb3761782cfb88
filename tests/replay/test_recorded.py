"""Every recorded log against the truth recorded beside it: verdicts, causes and grades, by release and level."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli.reading import Reading
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.result import ReplayResult
from tests.replay.truth import Score, score, truths

LOGS = ("scheduler.log", "scheduler.log.gz")


def analyse(path: Path) -> ReplayResult:
    with Reading([str(path)]) as reading:
        return analyze_events(reading.events(), Options(identified=reading))


def text_logs(recorded: Path, releases: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
    rows = json.loads((recorded / "sched-logs" / "index.json").read_text())
    return [
        row
        for row in rows
        if not row["dir"].startswith("big/")
        and (releases is None or row["dir"].split("/")[0] in releases)
        and any(name in row["logs"] for name in LOGS)
    ]


@pytest.fixture(scope="module")
def scores(recorded: Path) -> dict[tuple[str, int], Score]:
    """What came of all recorded text logs, by release and level."""
    found: dict[tuple[str, int], Score] = defaultdict(Score)
    for row in text_logs(recorded):
        directory = recorded / "sched-logs" / row["dir"]
        name = next(log for log in LOGS if log in row["logs"])
        result = analyse(directory / name)
        release = row["dir"].split("/")[0]
        found[release, row["v"]].add(score(row["dir"], result.parkings, truths(directory)))
    return found


def table(scores: dict[tuple[str, int], Score]) -> str:
    """The confusion table: what the truth says -> what the analysis says."""
    lines = [f"{'release':<8} {'-v':>3}  truth -> verdict: count"]
    for (release, level), one in sorted(scores.items()):
        cells = ", ".join(f"{a} -> {b}: {n}" for (a, b), n in sorted(one.table.items()))
        lines.append(f"{release:<8} {level:>3}  {cells}")
    return "\n".join(lines)


@pytest.mark.recorded
class TestAgainstTruth:
    def test_prints_the_table(self, scores: dict[tuple[str, int], Score], capsys: pytest.CaptureFixture[str]) -> None:
        text = table(scores)
        with capsys.disabled():
            print("\n" + text)
        assert text.count("\n") == len(scores)

    def test_accuses_nobody(self, scores: dict[tuple[str, int], Score]) -> None:
        assert [line for one in scores.values() for line in one.accused] == []

    def test_no_parking_is_called_right_that_was_wrong(self, scores: dict[tuple[str, int], Score]) -> None:
        assert [line for one in scores.values() for line in one.missed if "called right" in line] == []

    def test_every_claimed_parking_is_one(self, scores: dict[tuple[str, int], Score]) -> None:
        # 1.34.1/S21 retries several hundred times a second: its truth and its log are matched by time, and one pair
        # of neighbours is swapped.
        misplaced = [line for one in scores.values() for line in one.misplaced if "1.34.1/S21" not in line]
        assert misplaced == []

    def test_lists_every_parking_from_level_five_up(self, scores: dict[tuple[str, int], Score]) -> None:
        assert [line for (_, level), one in scores.items() if level >= 5 for line in one.unlisted] == []

    def test_names_the_cause(self, scores: dict[tuple[str, int], Score]) -> None:
        assert [line for one in scores.values() for line in one.wrong_cause] == []

    def test_finds_every_parked_error(self, scores: dict[tuple[str, int], Score]) -> None:
        undecided = [
            line
            for (release, level), one in scores.items()
            if release in ("1.28.0", "1.28.3") and level >= 5
            for line in one.missed
            if "plugin behind the reason" not in line
        ]
        assert undecided == []

    def test_leaves_few_right_ones_undecided(self, scores: dict[tuple[str, int], Score]) -> None:
        for level, share in ((5, 0.035), (6, 0.016)):
            counts: Counter[str] = Counter()
            for release in ("1.28.0", "1.28.3"):
                for (truth, said), n in scores[release, level].table.items():
                    if truth == "right":
                        counts[said] += n
            assert counts["undecided"] / counts.total() < share, level

    def test_grades_are_calibrated(self, scores: dict[tuple[str, int], Score]) -> None:
        grades: Counter[tuple[str, bool]] = Counter()
        for one in scores.values():
            grades += one.grades
        assert grades["proven", False] == 0
        assert grades["likely", True] >= 0.98 * (grades["likely", True] + grades["likely", False])
        assert not any(grade == "suspected" for grade, _ in grades)

    def test_asserts_nothing_at_level_two_that_it_cannot_show(self, scores: dict[tuple[str, int], Score]) -> None:
        said = {verdict for (truth, verdict) in scores["1.28.0", 2].table if truth in ("right", "missed-events")}
        assert said == {"undecided"}


@pytest.mark.recorded
def test_the_same_seeds_tell_the_story(recorded: Path) -> None:
    """Wrong on 1.28.0, right on 1.28.3, parked error attempts apart."""
    told = 0
    for row in text_logs(recorded, ("1.28.3",)):
        _, scenario, run = row["dir"].split("/")
        older = recorded / "sched-logs" / "1.28.0" / scenario / run
        if row["v"] < 5 or scenario not in ("S01-dra", "S01-script", "S02") or not older.is_dir():
            continue
        newer = analyse(recorded / "sched-logs" / row["dir"] / "scheduler.log")
        assert [p.pod for p in newer.parkings if p.verdict == "wrong" and not p.is_error] == []
        assert [p.pod for p in analyse(older / "scheduler.log").parkings if p.verdict == "wrong"] != []
        told += 1
    assert told >= 6


@pytest.mark.recorded
@pytest.mark.slow
def test_the_big_log_accuses_nobody(recorded: Path) -> None:
    directory = recorded / "sched-logs" / "big" / "1.29.1-v5"
    result = analyse(directory / "scheduler.log.gz")
    assert {p.verdict for p in result.parkings} == {"right"}
    assert len(result.parkings) > 20_000
