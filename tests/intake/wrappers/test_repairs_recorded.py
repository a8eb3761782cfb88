"""Recorded logs: what is no copy stays, and copies of whatever kind change nothing that is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from klogreplay.cli.run import Request, analyse
from klogreplay.intake.batch import split_lines
from klogreplay.intake.limits import Limits
from klogreplay.intake.order_times import begins_record
from klogreplay.intake.repairs import Mending, doubled, errors_again, errors_first
from tests.conftest import FIXTURES

Records = list[list[bytes]]

LOGS = sorted((FIXTURES / "analyze").glob("*-1.28.0-v5.log"))


def records_of(path: Path) -> Records:
    records: Records = []
    for line in path.read_bytes().removesuffix(b"\n").split(b"\n"):
        if begins_record(line) or not records:
            records.append([line])
        else:
            records[-1].append(line)
    return records


def severe(records: Records) -> Records:
    return [record for record in records if record[0].startswith((b"E", b"W", b"F"))]


def every(step: int) -> Callable[[Records], Records]:
    return lambda records: [record for at, record in enumerate(records) for _ in range(1 if at % step else 2)]


FORMS: dict[str, Callable[[Records], Records]] = {
    **{f"every {step}": every(step) for step in (1, 2, 3, 5, 20)},
    "the second half": lambda records: [r for at, r in enumerate(records) for _ in range(1 + (2 * at > len(records)))],
    "three times": lambda records: [record for record in records for _ in range(3)],
    "merged by time": lambda records: [r for r in records for _ in range(1 + r[0].startswith((b"E", b"W")))],
    "errors last": lambda records: [*records, *severe(records)],
    "errors first": lambda records: [*severe(records), *records],
    "errors first and last": lambda records: [*severe(records), *records, *severe(records)],
}


CASES = [
    pytest.param(log, form, id=f"{log.stem}-{form}")
    for log in LOGS
    for form, change in FORMS.items()
    if change(records_of(log)) != records_of(log)  # one of the logs has no errors
]


@pytest.mark.parametrize(("log", "form"), CASES)
def test_copies_change_nothing(tmp_path: Path, log: Path, form: str) -> None:
    records = records_of(log)

    def told(name: str, records: Records) -> tuple[object, ...]:
        path = tmp_path / name
        path.write_bytes(b"".join(line + b"\n" for record in records for line in record))
        analysis = analyse(Request(paths=[str(path)]))
        assert analysis.parkings
        found = [(p.pod, p.attempt, p.time, p.verdict, p.grade, p.causes, p.parked_seconds) for p in analysis.parkings]
        return found, [(f.code, f.pod, f.grade) for f in analysis.findings]

    assert told("copies.log", FORMS[form](records)) == told("plain.log", records)


@pytest.mark.parametrize("place", [0.2, 0.5, 0.9])
def test_any_single_record_twice_changes_nothing(tmp_path: Path, place: float) -> None:
    """One of those that name the parked pod, such as that of its Pop."""
    records = records_of(FIXTURES / "analyze" / "stale-plugins-bind-1.28.0-v5.log")
    naming = [at for at, record in enumerate(records) if b"worker-v2f54w6dc-5fc7c" in record[0]]
    at = naming[int(place * len(naming))]
    told = []
    for name, lines in (("a", records), ("b", [*records[: at + 1], *records[at:]])):
        path = tmp_path / name
        path.write_bytes(b"".join(line + b"\n" for record in lines for line in record))
        analysis = analyse(Request(paths=[str(path)]))
        told.append([(p.pod, p.attempt, p.verdict, p.grade, p.causes, p.time) for p in analysis.parkings])
    assert told[0]
    assert told[0] == told[1]


@pytest.mark.recorded
def test_no_record_of_a_whole_log_is_taken_for_a_copy(recorded: Path) -> None:
    logs = sorted(recorded.glob("sched-logs/[0-9]*/*/*/scheduler*.log"))
    assert logs
    for log in logs:
        for repair in (doubled.repair, errors_first.repair, errors_again.repair):
            mending = Mending(Limits())
            with log.open("rb") as file:
                count = sum(
                    len(batch.lines)
                    for batch in repair(split_lines(iter(lambda: file.read(65536), b""), 1 << 18), mending)
                )
            assert (log, mending.damage.dropped, mending.damage.kinds) == (log, 0, {})
            assert count
