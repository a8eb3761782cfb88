"""Which process a record is of: rotation, restarts, replicas, leader changes. No queue is made of two schedulers."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from klogreplay.cli.reading import Reading
from klogreplay.events.types import SchedulerEvent
from klogreplay.replay.analyze import Options, Replay, analyze_events
from klogreplay.replay.processes import AFTER_END_US, MOST_LIVE
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.types import Parking
from tests.replay.build import CPU, RESERVE, events, lines, only, replay

_HEADER = re.compile(rb"([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d{6}) +\d+ ")
START = datetime(2026, 12, 1, 8)


def analyse(*paths: Path) -> ReplayResult:
    with Reading([str(path) for path in paths]) as reading:
        return analyze_events(reading.events(), Options(identified=reading, origins=reading))


def told(result: ReplayResult) -> Counter[tuple[object, ...]]:
    """What is said of each parking, wherever its lines are."""
    return Counter(
        (p.pod, p.attempt, p.t, p.verdict, p.grade, *(cause.code for cause in p.causes), p.parked_us)
        for p in result.parkings
    )


def _without_time(one: tuple[object, ...]) -> tuple[object, ...]:
    return one[:2] + one[3:]


def moved(log: bytes, start: datetime, pid: int) -> bytes:
    """The log with another process id, as if it had begun at `start`."""
    first: datetime | None = None

    def again(match: re.Match[bytes]) -> bytes:
        nonlocal first
        time = datetime.strptime(f"2026{match[2].decode()}", "%Y%m%d %H:%M:%S.%f")
        first = first or time
        return match[1] + f"{start + (time - first):%m%d %H:%M:%S.%f} {pid:>7} ".encode()

    return b"".join(_HEADER.sub(again, line, count=1) for line in log.splitlines(keepends=True))


def split(log: bytes, parts: int) -> list[bytes]:
    """The log cut between records."""
    found: list[bytes] = []
    for line in log.splitlines(keepends=True):
        if _HEADER.match(line) or not found:
            found.append(line)
        else:
            found[-1] += line
    size = len(found) // parts + 1
    return [b"".join(found[n : n + size]) for n in range(0, len(found), size)]


def joined(logs: Sequence[bytes], form: str, names: Sequence[str] = ("a", "b")) -> bytes:
    """The lines of several logs as one stream, by their times, each with the name of its log."""
    rows: list[tuple[bytes, bytes]] = []
    for name, log in zip(names, logs, strict=True):
        time = b""
        for line in log.splitlines():
            match = _HEADER.match(line)
            time = match[2] if match else time
            rows.append((time, form.format(name, line.decode()).encode()))
    return b"".join(line + b"\n" for _, line in sorted(rows, key=lambda row: row[0]))


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture(scope="module")
def stale(fixtures: Path) -> bytes:
    return (fixtures / "analyze" / "stale-plugins-dra-1.28.0-v5.log").read_bytes()


@pytest.fixture(scope="module")
def missed(fixtures: Path) -> bytes:
    return (fixtures / "analyze" / "missed-events-1.28.0-v5.log").read_bytes()


class TestRotation:
    def test_a_log_in_pieces_says_what_the_whole_says(self, tmp_path: Path, stale: bytes) -> None:
        whole = analyse(write(tmp_path / "whole.log", stale))
        assert whole.parkings
        pieces = split(stale, 3)
        paths = [
            write(tmp_path / "x" / "scheduler.log", pieces[2]),
            write(tmp_path / "x" / "scheduler.log.2.gz", pieces[0]),
            write(tmp_path / "x" / "scheduler.log.1", pieces[1]),
        ]
        result = analyse(*paths)
        assert told(result) == told(whole)
        assert [process.id for process in result.processes] == [f"{whole.processes[0].pid}@scheduler.log.2.gz"]
        assert (result.processes[0].source, result.processes[0].last_source) == (0, 2)

    def test_every_line_cited_is_where_it_is_said_to_be(self, tmp_path: Path, stale: bytes) -> None:
        pieces = split(stale, 12)
        paths = [write(tmp_path / f"scheduler.log.{12 - n}", piece) for n, piece in enumerate(pieces)]
        result = analyse(*paths)
        sources = set()
        for parking in result.parkings:
            for cited in parking.proof:
                text = pieces[cited.source].decode().splitlines()[cited.line - 1]
                assert text == cited.text
                sources.add(cited.source)
            for event in parking.concurrent_events:
                if event.line is not None and event.text is not None:
                    assert pieces[event.source].decode().splitlines()[event.line - 1] == event.text
            if parking.wake_up is not None:
                wake_up = parking.wake_up
                assert pieces[wake_up.source].decode().splitlines()[wake_up.line - 1] == wake_up.text
        assert len(sources) > 1


class TestReplicas:
    def test_two_with_the_same_id_have_two_queues(self, tmp_path: Path, stale: bytes, missed: bytes) -> None:
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(seconds=1.5), 1)]
        alone = [analyse(write(tmp_path / f"{n}" / "0.log", log)) for n, log in enumerate(logs)]
        both = analyse(tmp_path / "1" / "0.log", tmp_path / "0" / "0.log")
        assert told(both) == told(alone[0]) + told(alone[1])
        assert [process.id for process in both.processes] == ["1@0/0.log", "1@1/0.log"]
        assert {p.process for p in both.parkings} == {"1@0/0.log", "1@1/0.log"}

    def test_also_where_both_were_rotated(self, tmp_path: Path, stale: bytes, missed: bytes) -> None:
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(seconds=1.5), 1)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        for n, log in enumerate(logs):
            old, new = split(log, 2)
            write(tmp_path / "rotated" / f"{n}" / "0.log.20261201-080000.gz", old)
            write(tmp_path / "rotated" / f"{n}" / "0.log", new)
        both = analyse(tmp_path / "rotated")
        assert told(both) == told(alone[0]) + told(alone[1])
        assert len(both.processes) == 2

    def test_also_where_one_stream_has_both(self, tmp_path: Path, stale: bytes, missed: bytes) -> None:
        """`kubectl logs --prefix -l component=kube-scheduler`: only the prefix tells them apart."""
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(seconds=1.5), 1)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        mixed = write(tmp_path / "mixed.log", joined(logs, "[pod/kube-scheduler-{}/kube-scheduler] {}"))
        both = analyse(mixed)
        assert told(both) == told(alone[0]) + told(alone[1])
        assert [process.id for process in both.processes] == [
            "1@kube-scheduler-a/kube-scheduler",
            "1@kube-scheduler-b/kube-scheduler",
        ]

    @pytest.mark.parametrize(
        "form",
        [
            "\x1b[36mkube-scheduler-{}\x1b[0m \x1b[32mkube-scheduler\x1b[0m {}",
            "[kube-scheduler-{}] {} ",
            "[pod/kube-scheduler-{}/kube-scheduler] 2026-12-01T08:00:00.123456789Z {}",
            "Dec 01 08:00:00 node-{} kube-scheduler[1]: {}",
        ],
        ids=["stern", "kubetail", "timestamps", "journald"],
    )
    def test_also_in_other_forms(self, tmp_path: Path, stale: bytes, missed: bytes, form: str) -> None:
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(seconds=1.5), 1)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        both = analyse(write(tmp_path / "mixed.log", joined(logs, form)))
        # Some wrappers know the year.
        assert Counter(map(_without_time, told(both))) == Counter(map(_without_time, told(alone[0]) + told(alone[1])))
        assert len(both.processes) == 2

    @pytest.mark.recorded
    @pytest.mark.slow
    @pytest.mark.parametrize("release", ["1.28.0", "1.28.3", "1.31.1", "1.34.1", "1.36.2"])
    def test_also_in_the_recorded_logs(self, tmp_path: Path, recorded: Path, release: str) -> None:
        """Line by line as `kubectl logs --prefix` joins them: each pod's verdicts are those of its own log."""
        found = [
            recorded / "sched-logs" / release / name / "seed1-v5" / "scheduler.log" for name in ("S02", "S01-script")
        ]
        logs = [moved(path.read_bytes(), START + timedelta(seconds=n), 1) for n, path in enumerate(found)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        assert any(result.parkings for result in alone)
        both = analyse(write(tmp_path / "mixed.log", joined(logs, "[pod/kube-scheduler-{}/kube-scheduler] {}")))
        assert told(both) == told(alone[0]) + told(alone[1])
        assert len(both.processes) == 2

    def test_of_which_the_stream_tells_nothing_are_one(self, tmp_path: Path, stale: bytes, missed: bytes) -> None:
        """What the tests above would see if the prefixes did not count."""
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(seconds=1.5), 1)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        both = analyse(write(tmp_path / "mixed.log", joined(logs, "[pod/kube-scheduler-x/kube-scheduler] {1}")))
        assert told(both) != told(alone[0]) + told(alone[1])

    def test_the_other_containers_of_a_pod_are_no_schedulers(self, tmp_path: Path, stale: bytes) -> None:
        alone = analyse(write(tmp_path / "alone.log", moved(stale, START, 1)))
        beside = b"".join(b"I1201 08:00:%02d.000000       1 proxy.go:1] idle %d\n" % (n % 60, n) for n in range(60))
        names = "kube-scheduler", "proxy"
        mixed = joined([moved(stale, START, 1), beside], "[pod/kube-scheduler-x/{}] {}", names)
        result = analyse(write(tmp_path / "mixed.log", mixed))
        assert told(result) == told(alone)
        assert len(result.processes) == 1

    def test_a_restart_within_a_stream(self, tmp_path: Path, stale: bytes, missed: bytes) -> None:
        """The same pod and container, so one log; its start-up lines tell that the queue is empty again."""
        logs = [moved(stale, START, 1), moved(missed, START + timedelta(hours=1), 1)]
        alone = [analyse(write(tmp_path / f"{n}.log", log)) for n, log in enumerate(logs)]
        other = moved(stale, START + timedelta(minutes=10), 1)
        mixed = joined([b"".join(logs), other], "[pod/kube-scheduler-{}/kube-scheduler] {}")
        result = analyse(write(tmp_path / "mixed.log", mixed))
        assert told(result) == told(alone[0]) + told(alone[1]) + told(analyse(write(tmp_path / "other.log", other)))
        assert {process.id for process in result.processes} == {
            "1@kube-scheduler-a/kube-scheduler",
            "1/2@kube-scheduler-a/kube-scheduler",
            "1@kube-scheduler-b/kube-scheduler",
        }

    def test_of_two_releases_are_judged_by_their_own(self, tmp_path: Path) -> None:
        story = f"""
0.1 added web
0.2 popped web
0.21 unfit web "{CPU}"
0.211 handed-back web queue=Unschedulable
2.0 moved web event=NodeAdd queue=Backoff
3.2 backoff-complete web
3.3 popped web
3.31 failed web '{RESERVE}'
3.312 handed-back web queue=Unschedulable
3.32 condition web
30.0 renewed
"""
        paths = [
            write(tmp_path / f"{release}.log", moved("\n".join(lines(story, release)).encode(), start, 1))
            for release, start in (("1.28.0", START), ("1.28.3", START + timedelta(seconds=1.5)))
        ]
        alone = [analyse(path) for path in paths]
        both = analyse(*paths)
        assert told(both) == told(alone[0]) + told(alone[1])
        assert [result.release for result in alone] == ["1.28.0", "1.28.3"]
        assert (both.release, both.candidates) == (None, ("1.28.0", "1.28.3"))


AGAIN = """
0.000 gates
0.000 flag
0.001 started
0.002 acquired
"""


def shifted(story: str, seconds: float) -> str:
    """The story, later."""
    rows = [row.split(None, 1) for row in story.splitlines() if row]
    return "\n".join(f"{float(row[0]) + seconds:.6f} {row[1]}" for row in rows)


FAILS = f"""
0.1 added web
0.2 popped web
0.21 unfit web "{CPU}"
0.211 handed-back web queue=Unschedulable
"""


class TestOneStream:
    def test_a_start_begins_a_new_queue_under_the_same_id(self) -> None:
        result = replay(FAILS + shifted(AGAIN + FAILS, 100))
        assert [process.id for process in result.processes] == ["8833", "8833/2"]
        assert [(p.process, p.attempt, p.wake_up) for p in result.parkings] == [("8833", 1, None), ("8833/2", 1, None)]

    def test_the_end_of_a_process_ends_its_queue(self) -> None:
        for end in ("1.0 lost", "1.0 terminating", "1.0 closed"):
            result = replay(FAILS + end + "\n" + shifted(FAILS, 1.0 + AFTER_END_US / 1e6))
            assert [process.id for process in result.processes] == ["8833", "8833/2"], end
            assert [p.attempt for p in result.parkings] == [1, 1]

    def test_what_a_process_still_prints_at_its_end_is_its_own(self) -> None:
        result = replay(FAILS + "1.0 terminating\n1.5 moved web event=NodeAdd queue=Backoff")
        assert len(result.processes) == 1
        parking = only(result)
        assert parking.wake_up is not None
        assert parking.wake_up.event == "NodeAdd"

    def test_a_standby_s_queue_begins_with_the_lease(self) -> None:
        """What nodes and pods did before it is no concern of its first attempt."""
        story = f"""
0.000 gates
0.000 flag
0.001 started
| I1201 07:00:00.002000    8833 leaderelection.go:250] attempting to acquire leader lease kube-system/kube-scheduler...
0.1 added web
5.0 node-added early
99.5 node-added before
100.0 acquired
100.0005 node-added between
100.001 popped web
100.0012 node-added inside
100.21 unfit web "{CPU}"
100.211 handed-back web queue=Unschedulable
"""
        parking = only(replay(story, head=False))
        assert [event.object for event in parking.concurrent_events] == ["node between", "node inside"]
        assert parking.concurrent_events[0].evidence == "unknown"

    def test_records_without_an_id_are_of_the_process_around_them(self) -> None:
        log = lines(FAILS + "2.0 moved web event=NodeAdd queue=Backoff")
        for odd in range(len(log)):
            found = events(log)
            found[min(odd, len(found) - 1)].pid = None
            result = analyze_events(found)
            assert [process.id for process in result.processes] == ["8833"], log[odd]
            assert only(result).wake_up is not None

    def test_a_record_whose_header_is_cut_off_takes_the_time_around_it(self) -> None:
        log = lines(FAILS)
        log[-1] = log[-1].partition("] ")[2]
        parking = only(analyze_events(events(log)))
        assert parking.destination == "Unschedulable"
        assert parking.t > 0

    def test_a_log_in_which_no_record_has_an_id(self) -> None:
        found = events(lines(FAILS))
        for event in found:
            event.pid = None
        result = analyze_events(found)
        assert [(process.id, process.pid) for process in result.processes] == [("-", None)]
        assert only(result).verdict == "right"

    def test_a_log_with_a_new_id_on_each_line_is_followed_without_keeping_all(self) -> None:
        one = events(lines(FAILS))[-3:]
        replay = Replay(Options())
        for pid in range(4 * MOST_LIVE):
            for event in one:
                replay.feed(msgspec.structs.replace(event, pid=pid))
            if pid == 2 * MOST_LIVE:
                replay.decided()
        result = replay.finish()
        assert len(result.processes) == 4 * MOST_LIVE
        assert len(replay._processes.live) == MOST_LIVE


def live(log: list[SchedulerEvent]) -> Iterator[tuple[SchedulerEvent, list[Parking]]]:
    """After each event, what can be said that could not before."""
    replay = Replay(Options())
    for event in log:
        replay.feed(event)
        yield event, replay.decided()


class TestDecided:
    """A log that is still being written."""

    STORY = FAILS + "1.0 not-helping web event=NodeAdd\n2.0 moved web event=NodeAdd queue=Backoff\n9.0 renewed"

    def test_a_parking_is_given_as_soon_as_it_is_decided_and_once(self) -> None:
        log = events(lines(self.STORY))
        given = [(event, parking) for event, found in live(log) for parking in found]
        assert [(event.t - log[0].t, parking.pod) for event, parking in given] == [(1_000_000, "default/web")]
        assert given[0][1].wake_up is None

    def test_asking_changes_nothing_of_the_result(self, fixtures: Path) -> None:
        for path in sorted((fixtures / "analyze").glob("*.log")):
            with Reading([str(path)]) as reading:
                whole = analyze_events(reading.events(), Options(identified=reading, origins=reading))
            with Reading([str(path)]) as reading:
                replay = Replay(Options(identified=reading, origins=reading))
                given: list[Parking] = []
                for number, event in enumerate(reading.events()):
                    replay.feed(event)
                    if number % 7 == 0:
                        given += replay.decided()
                result = replay.finish()
                given += replay.decided()
            assert told(result) == told(whole), path.name
            keys = [(p.pod, p.attempt, p.verdict) for p in given]
            assert len(keys) == len(set(keys))
            assert set(keys) <= {(p.pod, p.attempt, p.verdict) for p in whole.parkings}
            assert {p.verdict for p in given} <= {"right", "wrong"}
            wrong = {(p.pod, p.attempt, p.verdict) for p in whole.parkings if p.verdict == "wrong"}
            assert wrong <= set(keys), path.name


@pytest.mark.recorded
def test_restarts_and_leader_changes_as_recorded(recorded: Path) -> None:
    """S13 and S14: two processes in one file. The pods of the truth beside them are those of the parkings."""
    rows = json.loads((recorded / "sched-logs" / "index.json").read_text())
    seen = 0
    for row in rows:
        if row["scenario"] not in ("S13", "S14") or "scheduler.log" not in row["logs"]:
            continue
        path = recorded / "sched-logs" / row["dir"] / "scheduler.log"
        result = analyse(path)
        assert len(result.processes) == 2, row["dir"]
        assert all(process.version == row["version"] for process in result.processes), row["dir"]
        seen += 1
    assert seen > 15


@pytest.mark.recorded
@pytest.mark.slow
def test_recorded_logs_in_pieces_say_what_the_whole_says(recorded: Path, tmp_path: Path) -> None:
    rows = json.loads((recorded / "sched-logs" / "index.json").read_text())
    seen = 0
    for row in rows:
        if row["scenario"] not in ("S02", "S07", "S08", "S13", "S15") or "scheduler.log" not in row["logs"]:
            continue
        log = (recorded / "sched-logs" / row["dir"] / "scheduler.log").read_bytes()
        folder = tmp_path / row["dir"].replace("/", "-")
        whole = analyse(write(folder / "whole.log", log))
        pieces = split(log, 3)
        paths = [write(folder / f"x.log.{3 - n}", piece) for n, piece in enumerate(pieces)]
        assert told(analyse(*reversed(paths))) == told(whole), row["dir"]
        seen += 1
    assert seen > 20
