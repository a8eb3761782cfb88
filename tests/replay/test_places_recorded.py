"""Every recording of a real queue, and every recorded log of a scheduler, against what their lines prove."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from klogreplay.intake.line import LogLine
from klogreplay.queue import profile_for
from klogreplay.replay.places import Places
from klogreplay.replay.places_ways import Queues
from tests.replay.places_walk import EVERYTHING, Recording, Score, events_of, recordings, walk

pytestmark = pytest.mark.recorded

FLOORS = {
    "1.22.6": (0.0, 0.0),
    "1.23.3": (0.0, 0.0),
    "1.24.4": (0.0, 0.0),
    "1.25.2": (0.0, 0.0),
    "1.26.1": (0.60, 0.97),
    "1.27.1": (0.60, 0.97),
    "1.28.0": (0.60, 0.975),
    "1.28.3": (0.60, 0.97),
    "1.29.1": (0.60, 0.97),
    "1.30.1": (0.60, 0.97),
    "1.31.1": (0.62, 0.98),
    "1.32.2": (0.62, 0.98),
    "1.33.0": (0.63, 0.995),
    "1.34.1": (0.63, 0.99),
    "1.35.4": (0.63, 0.99),
    "1.36.2": (0.60, 0.95),
}
"""The least share of operations followed: of all that changed a membership, and of those that a line shows."""

FLOORS_BY_LEVEL = {
    3: {"1.29.1": 0.10, "1.30.1": 0.10, "1.31.1": 0.11, "1.32.2": 0.11, "1.33.0": 0.11, "1.34.1": 0.23,
        "1.35.4": 0.23, "1.36.2": 0.23},
    4: {"1.28.0": 0.05, "1.28.3": 0.05, "1.29.1": 0.15, "1.30.1": 0.15, "1.31.1": 0.16, "1.32.2": 0.16,
        "1.33.0": 0.17, "1.34.1": 0.29, "1.35.4": 0.23, "1.36.2": 0.23},
    5: {"1.26.1": 0.59, "1.27.1": 0.59, "1.28.0": 0.47, "1.28.3": 0.47, "1.29.1": 0.60, "1.30.1": 0.60,
        "1.31.1": 0.62, "1.32.2": 0.62, "1.33.0": 0.63, "1.34.1": 0.63, "1.35.4": 0.63, "1.36.2": 0.60},
}  # fmt: skip
"""The same share of all changes at lower verbosities, where it is not nothing."""

WHOLE_LOG_FLOORS = {"1.26.1": 0.78, "1.28.3": 0.79, "1.31.1": 0.93, "1.33.0": 0.94, "1.36.2": 0.92}
"""The same with the scheduler's lines for Pop and Delete."""

SIZES_SINCE = ("1.28.3", "1.29.1", "1.30.1", "1.31.1", "1.32.2", "1.33.0", "1.34.1", "1.35.4", "1.36.2")
SILENT_ACTIVATE = ("1.26.1", "1.27.1", "1.28.0", "1.28.3", "1.29.1", "1.30.1")


@dataclass
class OfRelease:
    """All recordings of one release, read once."""

    release: str
    recordings: list[Recording]

    def walk(self, **options: Any) -> Score:
        score = Score()
        for recording in self.recordings:
            walk(recording, score, **options)
        return score


@pytest.fixture(scope="module", params=list(FLOORS))
def of(request: pytest.FixtureRequest, recorded: Path) -> OfRelease:
    folder = recorded / "queue-vectors" / request.param
    found = [recording for path in sorted(folder.glob("*.jsonl.gz")) for recording in recordings(path)]
    return OfRelease(request.param, found)


@pytest.fixture(scope="module")
def levels(recorded: Path) -> dict[str, dict[str, int]]:
    """By release and call site the -v that prints it, as the source has it."""
    versions = json.loads((recorded / "catalog" / "callsites.json").read_text())["versions"]
    return {
        release: {f"{site['file']}:{site['line']}": site["minLevel"] for site in sites if site["group"] == "scheduler"}
        for release, sites in versions.items()
    }


class TestRecordings:
    def test_every_claim_holds_after_every_operation(self, of: OfRelease, capsys: pytest.CaptureFixture[str]) -> None:
        score = of.walk()
        with capsys.disabled():
            print(f"\n{of.release:<7} {score}")
        assert score.wrong == []
        of_all, of_shown = FLOORS[of.release]
        assert score.operations > 3_000
        assert score.followed >= of_all * score.changed
        assert score.followed >= of_shown * score.shown
        assert (score.sizes > 250) == (of.release in SIZES_SINCE)
        if of.release < "1.26":
            assert score.shown == 0
        else:
            silent = {"pop", "popSpecific", "delete"} | ({"activate"} if of.release in SILENT_ACTIVATE else set())
            assert set(score.not_shown) <= silent

    @pytest.mark.parametrize("verbosity", FLOORS_BY_LEVEL)
    def test_a_lower_verbosity_claims_less_and_nothing_wrong(
        self, of: OfRelease, verbosity: int, levels: dict[str, dict[str, int]]
    ) -> None:
        score = of.walk(verbosity=verbosity, levels=levels[of.release])
        assert score.wrong == []
        floor = FLOORS_BY_LEVEL[verbosity].get(of.release, 0.0)
        assert score.followed >= floor * score.changed
        assert (score.followed > 0) == (floor > 0)

    def test_the_lines_of_the_whole_scheduler_add_pop_and_delete(self, of: OfRelease) -> None:
        score = of.walk(whole_log=True)
        assert score.wrong == []
        assert score.followed >= WHOLE_LOG_FLOORS.get(of.release, 0.0) * score.changed


IN_TRUTH = {
    "bound": Queues.NONE,
    "deleted": Queues.NONE,
    "in-flight": Queues.NONE,
    "not-in-queue": Queues.NONE,
    "unschedulable": Queues.UNSCHEDULABLE,
    "gated": Queues.UNSCHEDULABLE,
    "backoff": Queues.BACKOFF,
    "active": Queues.ACTIVE,
}
LOGS = ("scheduler.log", "scheduler.log.gz")


def followed_logs(release: str, recorded: Path) -> Iterator[tuple[str, Places, dict[str, str]]]:
    """The logs that one process wrote from its start, followed to the end, with where each pod really was then."""
    root = recorded / "sched-logs"
    for row in json.loads((root / "index.json").read_text()):
        folder = root / row["dir"]
        name = next((log for log in LOGS if log in row["logs"]), None)
        if row["version"] != f"v{release}" or name is None or not (folder / "truth.json").is_file():
            continue
        profile = profile_for(release, {"SchedulerQueueingHints": row["queueingHints"]})
        places: dict[int | None, Places] = {}
        with (gzip.open if name.endswith(".gz") else open)(folder / name, "rt", errors="surrogateescape") as stream:
            for event in events_of(LogLine(text.removesuffix("\n"), at) for at, text in enumerate(stream, 1)):
                process = places.get(event.pid)
                if process is None:
                    process = places[event.pid] = Places(profile, verbosity=row["v"], complete=True, whole_log=True)
                process.feed(event)
        truth = {pod["pod"]: pod["final"] for pod in json.loads((folder / "truth.json").read_text())["pods"]}
        if len(places) == 1:
            yield row["dir"], next(iter(places.values())), truth


@pytest.mark.parametrize("release", FLOORS)
def test_whole_logs_of_real_schedulers(release: str, recorded: Path) -> None:
    logs = pods = exact = 0
    for name, places, truth in followed_logs(release, recorded):
        assert places.contradictions == [], name
        logs += 1
        for pod, final in truth.items():
            claim = places.now(pod)
            assert IN_TRUTH[final] in claim.possible, (name, pod, final, claim)
            pods += 1
            exact += claim.proven is IN_TRUTH[final]
    assert logs > 0
    assert pods > 50
    assert (exact > 0) == (release >= "1.26")


def test_the_recordings_are_those_of_the_floors(recorded: Path) -> None:
    found = {path.name for path in (recorded / "queue-vectors").iterdir() if path.is_dir()}
    assert found == set(FLOORS)
    assert EVERYTHING == 10
