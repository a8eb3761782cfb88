"""The report's head and what it asks for next, in each form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.report.collect import SWITCH, to_collect
from klogreplay.report.formats import Options, render
from klogreplay.report.lines import head
from klogreplay.report.model import Analysis
from tests.replay.build import CPU, lines

STORY = f"""
1.0 added web
1.1 popped web
1.11 unfit web "{CPU}"
40.0 renewed
"""


def report(path: Path, text: str) -> Analysis:
    path.write_text(text)
    return analyse(Request(paths=[str(path)]))


def rows(analysis: Analysis, label: str) -> list[str]:
    return [text for name, text in head(analysis) if name == label]


def test_the_longest_silences_in_every_form(tmp_path: Path) -> None:
    text = "\n".join(lines(STORY, "1.28.3", v=5)) + "\n"
    last = text.count("\n")
    analysis = report(tmp_path / "s.log", text)
    (told,) = rows(analysis, "gap")
    assert told == f"38.9 s between line {last - 1} and line {last}: lines are missing, or the process stood still"
    assert told in " ".join(render("text", analysis, Options()).split())
    assert f"line {last - 1} and line {last}" in render("markdown", analysis, Options())
    (gap,) = json.loads(render("json", analysis, Options()))["log"]["gaps"]
    assert gap == {"seconds": 38.89, "line": last - 1, "next_line": last}


def test_a_quiet_level_may_have_nothing_to_say(tmp_path: Path) -> None:
    story = STORY.replace("40.0 renewed", "40.0 popped other")
    analysis = report(tmp_path / "s.log", "\n".join(lines(story, "1.28.3", v=4)) + "\n")
    assert analysis.log.verbosity == 4
    assert [text.partition(": ")[2] for text in rows(analysis, "gap")] == ["nothing to say, or lines are missing"]


@pytest.mark.parametrize(("v", "wanted"), [(2, "5"), (4, "5"), (5, None)])
def test_how_to_raise_the_level(tmp_path: Path, v: int, wanted: str | None) -> None:
    """At -v=5 nothing more is needed from 1.32 on."""
    analysis = report(tmp_path / "s.log", "\n".join(lines(STORY, "1.32.2", v=v)) + "\n")
    asked = [each for each in to_collect(analysis) if "/debug/flags/v" in each]
    assert asked == ([] if wanted is None else [SWITCH.format(level=wanted)])
    if wanted:
        assert "-X PUT" in asked[0]
        assert "https://127.0.0.1:10259/debug/flags/v -d 5" in asked[0]


def test_up_to_1_28_the_place_of_a_pod_needs_a_level_more(tmp_path: Path) -> None:
    story = f'1.0 added web\n1.1 popped web\n1.11 unfit web "{CPU}"'
    analysis = report(tmp_path / "s.log", "\n".join(lines(story, "1.28.3", v=5)) + "\n")
    assert SWITCH.format(level=6) in to_collect(analysis)


def test_another_replica_held_the_lease(tmp_path: Path) -> None:
    text = "\n".join(lines("", "1.28.3", v=5)[:-1]) + "\n"
    text += (
        "I1201 07:00:01.000000    8833 leaderelection.go:250] attempting to acquire leader lease "
        "kube-system/kube-scheduler...\n"
        "I1201 07:00:02.000000    8833 leaderelection.go:352] lock is held by node-2_ab and has not yet expired\n"
    )
    analysis = report(tmp_path / "s.log", text)
    (process,) = analysis.log.processes
    assert (process.standby, process.lease_holder) == (True, "node-2_ab")
    assert rows(analysis, "process")[0].endswith("waited for the lease that node-2_ab held")
    assert to_collect(analysis)[0] == (
        f"the log of the replica that held the lease, node-2_ab: process {process.id} only waited for it"
    )


def test_a_leader_asks_for_no_other_replica(tmp_path: Path) -> None:
    analysis = report(tmp_path / "s.log", "\n".join(lines(STORY, "1.28.3", v=5)) + "\n")
    assert [process.standby for process in analysis.log.processes] == [False]
    assert not [each for each in to_collect(analysis) if "replica" in each]
