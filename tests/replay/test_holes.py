"""Where lines are missing, silence is not read as one: no parking is told that no line shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from klogreplay.cli.reading import Reading
from klogreplay.klog.counts import Holes as Places
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.holes import LOST_NEAR_US, Holes
from klogreplay.replay.types import Parking
from tests.replay.build import CPU, lines

S = 1_000_000
SILENT = f"""
2.0 renewed
4.0 renewed
6.0 renewed
6.1 added web
6.2 popped web
6.21 unfit web "{CPU}"
6.22 condition web
8.0 renewed
10.0 renewed
12.0 renewed
12.5 added other
14.0 renewed
"""
"""In 1.28.3 at -v=5 no line tells where the failed pod went: had it been backoffQ, a line would have come."""


def judged(path: Path, text: bytes) -> Parking:
    path.write_bytes(text)
    with Reading([str(path)]) as reading:
        options = Options(identified=reading, origins=reading, damage=reading, kubernetes_version="1.28.3")
        (parking,) = analyze_events(reading.events(), options).parkings
    return parking


@pytest.fixture
def log() -> list[bytes]:
    return [line.encode() + b"\n" for line in lines(SILENT, "1.28.3", v=5)]


def test_silence_in_a_whole_log_is_a_parking(tmp_path: Path, log: list[bytes]) -> None:
    assert judged(tmp_path / "s.log", b"".join(log)).destination == "Unschedulable"


CUT = b'I1201 07:00:09.000000    8833 schedule_one.go:80] "About to try and sch\n'
DAMAGE: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a mark of lines left out": lambda log: [*log[:-4], b"...\n", *log[-4:]],
    "a line cut off in its message": lambda log: [*log[:-4], CUT, *log[-4:]],
    "bytes that are no text": lambda log: [*log[:-4], b"\xff\xfe\x00\x01pod\n", *log[-4:]],
    "the end of a record": lambda log: [*log[:-4], b'scheduling pod" pod="default/x"\n', *log[-4:]],
    "a heartbeat that stopped": lambda log: [
        line for line in log if not line.startswith((b"I1201 07:00:08", b"I1201 07:00:10"))
    ],
}


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_silence_over_a_hole_is_none(tmp_path: Path, log: list[bytes], damage: str) -> None:
    parking = judged(tmp_path / "s.log", b"".join(DAMAGE[damage](log)))
    assert parking.destination == "unknown"
    assert any("lines are missing" in need for need in parking.needs)


def test_holes_elsewhere_do_not_count(tmp_path: Path, log: list[bytes]) -> None:
    before = judged(tmp_path / "a.log", b"".join([log[0], b"...\n", *log[1:]]))
    after = judged(tmp_path / "b.log", b"".join([*log, b"...\n"]))
    assert [before.destination, after.destination] == ["Unschedulable"] * 2


@pytest.mark.recorded
@pytest.mark.parametrize(
    ("first", "last"), [(467, 535), (474, 484)], ids=["behind the heartbeat", "with a mark where they were"]
)
def test_a_recorded_log_with_a_hole(tmp_path: Path, recorded: Path, first: int, last: int) -> None:
    """The pod was in backoffQ; the lines that say so are missing."""
    text = (recorded / "sched-logs" / "1.28.3" / "S18" / "seed1-v5" / "scheduler.log").read_bytes().splitlines(True)
    path = tmp_path / "s.log"
    path.write_bytes(b"".join([*text[:first], *([b"...\n"] if last < 500 else []), *text[last:]]))
    with Reading([str(path)]) as reading:
        options = Options(identified=reading, origins=reading, damage=reading)
        parkings = analyze_events(reading.events(), options).parkings
    told = [p for p in parkings if p.pod == "default/report-wgs5lnv7f-qj47s"]
    assert [p.destination for p in told] == ["unknown"]


class TestHeartbeat:
    def test_a_steady_pace_has_no_hole(self) -> None:
        holes = Holes()
        for n in range(20):
            holes.beat(n * 2 * S)
            assert not holes.between(1, 100, 0, n * 2 * S + 4 * S)

    def test_two_missed_renewals_are_one(self) -> None:
        holes = Holes()
        for n in (0, 2, 4):
            holes.beat(n * S)
        assert not holes.between(1, 2, 4 * S, 9 * S)
        assert holes.between(1, 2, 4 * S, 9 * S + 1)
        holes.beat(10 * S)
        assert holes.between(1, 2, 9 * S, 11 * S)
        assert not holes.between(1, 2, 10 * S, 11 * S)

    def test_retries_do_not_set_the_pace(self) -> None:
        holes = Holes()
        for t in (0, 1000, 2 * S, 4 * S):
            holes.beat(t)
        assert not holes.between(1, 2, 0, 8 * S)

    def test_nothing_beats_while_another_leads(self) -> None:
        holes = Holes()
        for n in (0, 2, 4):
            holes.beat(n * S)
        holes.rest()
        assert not holes.between(1, 2, 0, 400 * S)

    def test_lines_that_lack_others_count_for_a_while(self) -> None:
        holes = Holes()
        holes.lost(5 * S)
        assert holes.between(1, 2, 4 * S, 6 * S)
        assert not holes.between(1, 2, 5 * S, 6 * S)
        assert holes.lost_near(5 * S + LOST_NEAR_US - 1)
        assert not holes.lost_near(5 * S + LOST_NEAR_US)


@pytest.mark.parametrize(
    "line", ["12.6 moved web event=NodeTaintChange queue=Active", "12.6 not-helping web event=NodeAdd"]
)
def test_what_comes_to_a_parked_pod_says_nothing_of_an_attempt_before_a_hole(tmp_path: Path, line: str) -> None:
    """Between them may lie a whole attempt, after which the pod was parked."""
    story = SILENT.replace("12.5 added other", line)
    whole = "".join(f"{row}\n" for row in lines(story, "1.28.3", v=5)).encode()
    assert judged(tmp_path / "whole.log", whole).destination == "Unschedulable"
    late = story.replace("8.0 renewed\n10.0 renewed\n12.0 renewed\n", "")
    torn = "".join(f"{row}\n" for row in lines(late, "1.28.3", v=5)).encode()
    assert judged(tmp_path / "torn.log", torn).destination == "unknown"


class TestPlaces:
    def test_within_one_input(self) -> None:
        places = Places()
        for line in (10, 10, 20):
            places.note(0, line)
        found = [places.between((0, a), (0, b)) for a, b in ((1, 9), (1, 10), (10, 12), (11, 19), (20, 20), (21, 99))]
        assert found == [False, True, True, False, True, False]
        assert not places.between((1, 1), (1, 99))

    def test_across_inputs(self) -> None:
        places = Places()
        places.note(1, 10)
        assert places.between((0, 5), (1, 10))
        assert not places.between((0, 5), (1, 9))
        assert places.between((1, 10), (2, 1))
        assert not places.between((1, 11), (2, 1))
        assert places.between((0, 5), (2, 1))

    def test_too_many_are_everywhere_behind_the_last(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("klogreplay.klog.counts._MOST_HOLES", 3)
        places = Places()
        for line in range(10, 100, 10):
            places.note(0, line)
        assert places.between((0, 75), (0, 76))
        assert not places.between((0, 11), (0, 19))
