"""`analyze --plugins`: what a table decides, what cannot be read, and the table to fill in that a report prints."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from klogreplay.knowledge import parse_plugin_table
from klogreplay.report.unknown_plugins import MOST_REASONS, UNNAMED, skeleton_of
from tests.samples import undecided

from .conftest import Run

POD = "team-b/analytics-552cr5j4s-lb6xx"
REASON = "pod group pg-m1sl9 has fewer than 2 members"


@pytest.fixture
def log(fixtures: Path) -> Path:
    return fixtures / "rules" / "plugins" / "pod-group-1.28.0-v5.log"


@pytest.fixture
def table(fixtures: Path) -> Path:
    return fixtures / "rules" / "plugins" / "coscheduling.toml"


def verdict(told: dict[str, Any]) -> tuple[str, list[str], Any]:
    (parking,) = [each for each in told["parkings"] if each["pod"] == POD]
    return parking["verdict"], parking["causes"], parking["rejector_plugins"]["value"]


def analysed(run: Run, *arguments: object) -> dict[str, Any]:
    return json.loads(run("analyze", "-f", "json", *arguments).out)  # type: ignore[no-any-return]


def test_a_table_decides(run: Run, log: Path, table: Path) -> None:
    told = analysed(run, log)
    assert verdict(told) == ("undecided", [], None)
    assert tomllib.loads(told["plugin_table"])["plugin"] == [{"name": UNNAMED, "reasons": [REASON]}]
    told = analysed(run, log, "--plugins", table)
    assert verdict(told) == ("wrong", ["missed-events"], ["Coscheduling"])
    assert "plugin_table" not in told
    assert "KR102" in [finding["code"] for finding in told["findings"]]


def test_a_table_in_yaml_says_the_same(run: Run, log: Path, tmp_path: Path) -> None:
    path = tmp_path / "plugins.yml"
    path.write_text(
        "plugin: [{name: Coscheduling, reasons: ['pod group * has fewer than * members'], "
        "events: [{resource: Pod, actions: [Add]}]}]"
    )
    assert verdict(analysed(run, log, "--plugins", path))[0] == "wrong"


def test_a_plugin_that_does_not_wait_for_the_event_accuses_nobody(
    run: Run, log: Path, table: Path, tmp_path: Path
) -> None:
    path = tmp_path / "plugins.toml"
    path.write_text(table.read_text().replace('"Pod"', '"Node"'))
    told = analysed(run, log, "--plugins", path)
    assert verdict(told) == ("undecided", [], ["Coscheduling"])
    assert "--plugins" not in json.dumps(told)


def test_of_two_tables_the_later_one_counts(run: Run, log: Path, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "plugins.toml"
    path.write_text(table.read_text().replace('"Pod"', '"Node"'))
    assert verdict(analysed(run, log, "--plugins", path, "--plugins", table))[0] == "wrong"
    assert verdict(analysed(run, log, "--plugins", table, "--plugins", path))[0] == "undecided"


def test_tables_that_come_with_the_package(run: Run, log: Path) -> None:
    assert verdict(analysed(run, log, "--plugins", "scheduler-plugins"))[0] == "undecided"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file or directory (tables that come with klogreplay: koordinator, scheduler-plugins)"),
        (b"plugin = [", "not TOML"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"", "plugin: Field required"),
        (b"x" * (1 << 23), "longer than"),
    ],
)
def test_what_cannot_be_read_ends_in_one_line(
    run: Run, log: Path, tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "plugins.toml"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run("analyze", log, "--plugins", path)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert says in err


def test_a_directory_and_a_name_that_is_none(run: Run, log: Path, tmp_path: Path) -> None:
    for name, says in ((tmp_path, "Is a directory"), ("a\0b", "not a file name")):
        code, _, err = run("analyze", log, "--plugins", name)
        assert (code, err.count("\n")) == (3, 1)
        assert says in err


def test_the_report_prints_the_table_to_fill_in(run: Run, log: Path) -> None:
    for form in ("text", "markdown"):
        out = run("analyze", log, "-f", form).out
        assert "A plugin table to fill in, for --plugins" in out
        start = out.index("[[plugin]]\nname")
        filled = out[start : out.index("]\n\n#", start) + 2]
        assert parse_plugin_table(filled, "toml").plugins_of_reason(REASON) == (UNNAMED,)


def fit(reasons: str, **fields: Any) -> Any:
    return undecided(error=f"0/3 nodes are available: {reasons}.", **fields)


def test_reasons_that_differ_in_numbers_are_one() -> None:
    parkings = [fit(f"3 pod group pg-{n} has fewer than 2 members") for n in range(50)]
    text = skeleton_of(parkings, ["1.28.0"], None)
    assert text is not None
    assert tomllib.loads(text)["plugin"][0]["reasons"] == ["pod group pg-0 has fewer than 2 members"]


def test_the_plugin_is_named_where_the_log_names_it() -> None:
    known = fit("3 odd", rejector_plugins=("NodeAffinity", "Odd"), rejector_evidence="observed")
    two = fit("3 strange", rejector_plugins=("Odd", "Even"), rejector_evidence="observed")
    text = skeleton_of([known, two], ["1.29.1"], None)
    assert text is not None
    assert [plugin["name"] for plugin in tomllib.loads(text)["plugin"]] == ["Odd", UNNAMED]


def test_known_reasons_and_decided_parkings_need_no_table() -> None:
    table = parse_plugin_table("plugin: [{name: Odd, reasons: [odd]}]", "yaml")
    assert skeleton_of([fit("3 Insufficient cpu")], ["1.28.0"], None) is None
    assert skeleton_of([fit("3 odd")], ["1.28.0"], table) is None
    assert skeleton_of([fit("3 odd", verdict="right")], ["1.28.0"], None) is None
    assert skeleton_of([fit("3 odd", is_error=True)], ["1.28.0"], None) is None


def test_a_hostile_log_cannot_make_the_table_long() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    parkings = [fit(f"3 reason {one}{two}") for one in letters for two in letters]
    text = skeleton_of(parkings, ["1.28.0"], None)
    assert text is not None
    assert len(tomllib.loads(text)["plugin"][0]["reasons"]) == MOST_REASONS


@pytest.mark.recorded
def test_the_recorded_plugin_decides_its_parkings(run: Run, recorded: Path, table: Path) -> None:
    """Of release 1.28.0: undecided without the table, lost events with it, as the truth beside the logs says."""
    for run_of in ("seed2-v5", "seed1-v10"):
        log = next((recorded / "sched-logs" / "1.28.0" / "S15" / run_of).glob("scheduler.log*"))
        truth = json.loads((log.parent / "truth.json").read_text())
        lost = {(each["pod"]) for each in truth["wrongParkings"] if each["cause"] == "missed-events"}

        def of(told: dict[str, Any], value: str, reason: str = "pod group") -> set[str]:
            return {p["pod"] for p in told["parkings"] if p["verdict"] == value and reason in p["error"]}

        without, given = analysed(run, log), analysed(run, log, "--plugins", table)
        decided = of(without, "undecided") - of(given, "undecided")
        assert decided
        assert decided <= lost
        assert decided <= of(given, "wrong")
        assert of(given, "undecided") == set()
