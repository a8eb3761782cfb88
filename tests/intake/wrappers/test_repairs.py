"""Damaged lines: what is mended, what is not, and that it is told with line numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.intake import InputStats, open_source
from klogreplay.intake.batch import Batch
from klogreplay.intake.limits import Limits
from klogreplay.intake.repairs import Known, Mending, elision, headers, repaired, torn
from klogreplay.intake.repairs.damage import Damage
from klogreplay.klog.counts import Counts
from klogreplay.klog.fast import KEEP, FastReader
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import KlogRecord

LINE = 'I0831 20:03:47.184243    4711 schedule_one.go:65] "About to try and schedule pod" pod="default/web-0"'
ERROR = (
    'E0831 20:03:47.184244    4711 schedule_one.go:99] "Error scheduling pod; retrying" err="no" pod="default/web-0"'
)
OTHER = 'I0831 20:03:47.184245    4711 queue.go:7] "Pod moved" pod="default/web-1" queue="Active"'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "0.log"


def read(log: Path, *lines: str) -> tuple[list[KlogRecord], Counts, InputStats]:
    """The records; by the fast reader the same."""
    log.write_text("".join(f"{line}\n" for line in lines))
    counts = Counts()
    source = open_source(log)
    records = list(read_records(source, counts))
    assert counts.total == counts.records + counts.framing + counts.unknown
    fast = FastReader[KlogRecord](open_source(log), lambda record: KEEP)
    assert list(fast) == records
    assert fast.counts == counts
    return records, counts, source.inputs[0]


def damage(counts: Counts) -> list[tuple[str, list[str]]]:
    return [(damage.text, damage.lines) for damage in counts.damage.all()]


# --- headers ----------------------------------------------------------------------------------------------------------

HEADERS = {
    "severity": (LINE[1:], "severity"),
    "severity of an error": (ERROR[1:], "severity"),
    "process id": (LINE[:21] + " " + LINE[30:], "process id"),
    "severity and process id": (LINE[1:21] + " " + LINE[30:], "severity and process id"),
    "severity and date": (LINE[6:], "severity and date"),
    "all but time and caller": (LINE[6:21] + " " + LINE[30:], "severity and date and process id"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_is_completed(log: Path, name: str) -> None:
    line, missing = HEADERS[name]
    whole = ERROR if "error" in name else LINE
    (before, record, after), counts, _ = read(log, LINE, line, LINE)
    (expected,), _, _ = read(log, whole)
    assert (record.header, record.msg, record.values, record.line) == (
        expected.header,
        expected.msg,
        expected.values,
        2,
    )
    assert record.text == line
    assert before.header == after.header
    assert damage(counts) == [(headers.COMPLETED.format(missing=missing), ["2"])]


def test_a_header_without_a_date_where_none_is_known(log: Path) -> None:
    (record,), counts, _ = read(log, LINE[6:])
    assert record.header is not None
    assert (record.header.month, record.header.day, record.header.time) == (1, 1, "20:03:47.184243")
    assert damage(counts) == [(headers.NO_DATE, ["1"])]


@pytest.mark.parametrize("at", [8, 12, 17, 22, 28, 33])
def test_a_header_cut_into_its_time_keeps_the_body(log: Path, at: int) -> None:
    records, counts, _ = read(log, LINE[at:], LINE)
    assert [(record.msg, record.values) for record in records] == [(records[1].msg, records[1].values)] * 2
    assert records[0].header is None
    assert damage(counts) == [(headers.WITHOUT_TIME, ["1"])]


@pytest.mark.parametrize(
    "line",
    [
        "\t/go/src/scheduler/schedule_one.go:65 +0x1d",
        "schedule_one.go:65] printf text without its time",
        "goroutine 1 [running]:",
        "main.go: something] else",
        "",
    ],
)
def test_other_lines_have_no_header_to_mend(line: str) -> None:
    assert headers.mend(line, Known("0831", 1)) is None


def test_a_damaged_header_ends_printf_text(log: Path) -> None:
    text = "I0831 20:03:47.184243    4711 dump.go:1] Dump of nodes"
    records, _, _ = read(log, text, "more of it", LINE[1:], OTHER)
    assert [(record.msg.split("\n"), record.line) for record in records] == [
        (["Dump of nodes", "more of it"], 1),
        (["About to try and schedule pod"], 3),
        (["Pod moved"], 4),
    ]


# --- torn records -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(55, len(LINE), 7))
def test_records_written_into_each_other(log: Path, at: int) -> None:
    expected, _, _ = read(log, LINE, OTHER, ERROR)
    records, counts, _ = read(log, LINE[:at] + OTHER, LINE[at:], ERROR)
    assert [(r.header, r.msg, r.values) for r in records] == [(r.header, r.msg, r.values) for r in expected]
    assert [record.line for record in records] == [1, 1, 3]
    assert damage(counts) == [(torn.JOINED, ["1"])]


def test_a_torn_record_without_its_rest(log: Path) -> None:
    records, counts, _ = read(log, LINE[:70] + OTHER, ERROR)
    assert [record.msg for record in records] == ["Pod moved", "Error scheduling pod; retrying"]
    assert damage(counts) == [(torn.LOST, ["1"])]


def test_a_line_that_fits_no_torn_record_is_not_joined(log: Path) -> None:
    records, counts, _ = read(log, LINE[:90] + OTHER, "something else", ERROR)
    assert [record.msg for record in records] == ["Pod moved", "Error scheduling pod; retrying"]
    assert (counts.unknown, damage(counts)) == (1, [(torn.LOST, ["1"])])


def test_a_record_that_quotes_another_is_whole(log: Path) -> None:
    quoting = LINE + ' log="' + OTHER.replace('"', '\\"') + '"'
    printf = f"I0831 20:03:47.184243    4711 request.go:1] Response Body: {OTHER}"
    assert torn.part(quoting) is None
    assert torn.part(printf) is None
    assert torn.part(LINE) is None
    assert torn.part(LINE + OTHER) == (LINE, OTHER)
    records, counts, _ = read(log, quoting, printf)
    assert len(records) == 2
    assert damage(counts) == []


# --- elisions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mark", ["...", "…", "[...]", "(…)", "<snip>", "-- snip --", "... snip ...", "  .....  ", "[truncated]"]
)
def test_a_mark_of_lines_left_out(log: Path, mark: str) -> None:
    printf = "I0831 20:03:47.184243    4711 dump.go:1] Dump of nodes"
    records, counts, _ = read(log, printf, mark, LINE)
    assert [record.msg for record in records] == ["Dump of nodes", "About to try and schedule pod"]
    assert (counts.framing, counts.unknown) == (1, 0)
    assert damage(counts) == [(elision.LEFT_OUT, ["2"])]


@pytest.mark.parametrize("line", ["..", "a ...", "... b", "cutting", "[1]", "()", "--"])
def test_no_mark(line: str) -> None:
    assert elision.mend(line) is None


# --- streams ----------------------------------------------------------------------------------------------------------


def lines_of(count: int) -> list[str]:
    return [
        f'I0831 20:03:47.{index:06}       1 schedule_one.go:65] "About to try and schedule pod" pod="default/p-{index}"'
        f' n="{"x" * (index % 60)}"'
        for index in range(count)
    ]


def texts(log: Path, *lines: str) -> tuple[list[str], InputStats]:
    log.write_text("".join(f"{line}\n" for line in lines))
    with open_source(log) as source:
        got = list(source)
    (stats,) = source.inputs
    assert sum(line.physical for line in got) + stats.framing == stats.lines
    return [line.text for line in got], stats


@pytest.mark.parametrize("width", [60, 80, 97, 120])
@pytest.mark.parametrize("prefix", ["", "> ", "scheduler.log:"])
def test_lines_broken_at_a_width_are_joined(log: Path, width: int, prefix: str) -> None:
    expected = lines_of(100)
    broken = [prefix + line[at : at + width] for line in expected for at in range(0, len(line), width)]
    got, stats = texts(log, *broken)
    assert got == expected
    assert len(stats.warnings) == 1
    assert f"lines broken at {width + len(prefix)} columns were joined" in stats.warnings[0]


def test_a_terminal_breaks_what_a_wrapper_put_in_front_as_well(log: Path) -> None:
    expected = lines_of(100)
    wrapped = [f"2023-08-31T20:03:47.184243001Z {line}" for line in expected]
    broken = [line[at : at + 100] for line in wrapped for at in range(0, len(line), 100)]
    got, stats = texts(log, *broken)
    assert got == expected
    assert stats.wrappers == ("timestamps",)


def test_records_of_one_length_are_not_joined(log: Path) -> None:
    lines = [f"{LINE[:15]}{index:06}{LINE[21:]}" for index in range(50)] + [
        "I0831 20:03:47.184243    4711 dump.go:1] Dump",
        "one",
        "two",
        "three",
        "four",
    ]
    got, stats = texts(log, *lines)
    assert got == lines
    assert stats.warnings == []


def test_the_lines_of_a_block_are_not_joined(log: Path) -> None:
    block = [f"{LINE} s=<", *["\t" + "x" * (len(LINE) + 3)] * 30, " >"]
    got, _ = texts(log, *block, LINE, *block)
    assert got == [*block, LINE, *block]


def test_doubled_records_are_read_once(log: Path) -> None:
    block = [f"{OTHER} s=<", "\tx", "\tx", " >"]
    got, stats = texts(log, *[line for line in lines_of(20) for _ in range(2)], *block, *block, LINE)
    assert got == [*lines_of(20), *block, LINE]
    assert stats.framing == 24
    assert stats.warnings == [f"{log}: records that stand twice in a row were read once (21: lines 2, 4, 6, 8, 10, …)"]


def test_a_record_that_stands_twice_is_read_once_wherever_it_is(log: Path) -> None:
    block = [f"{OTHER} s=<", "\tx", "\tx", " >"]
    head, tail = lines_of(600)[:500], lines_of(600)[500:]
    got, stats = texts(log, *head, LINE, LINE, LINE, *tail, *block, *block, ERROR)
    assert got == [*head, LINE, *tail, *block, ERROR]
    assert stats.framing == 6
    assert stats.warnings == [f"{log}: records that stand twice in a row were read once (3: lines 502, 503, 608)"]


ALIKE = {
    "no value": 'I1201 07:26:57.175241   14103 watch.go:183] "Stopping fake watcher"',
    "plain text": "I1201 07:50:25.602199   16731 shared_informer.go:341] caches populated",
    "JSON without a value": '{"ts":1796113731033.1948,"caller":"watch/watch.go:218","msg":"Stopping","v":4}',
    "JSON in milliseconds": '{"ts":1796113731033.0,"caller":"a.go:1","msg":"m","pod":"default/a"}',
    "JSON in whole milliseconds": '{"ts":1796113731033,"caller":"a.go:1","msg":"m","pod":"default/a"}',
    "JSON in seconds": '{"ts":1796113731.033,"caller":"a.go:1","msg":"m","pod":"default/a"}',
    "JSON in text": '{"ts":"2026-12-01T07:26:57.175Z","caller":"a.go:1","msg":"m","pod":"default/a"}',
    "no record": "x=1",
}
ONE = {
    "text": LINE,
    "JSON": '{"ts":1796113731033.1948,"caller":"a.go:1","msg":"m","v":4,"pod":"default/a"}',
    "JSON in seconds": '{"ts":1796113731.033194,"caller":"a.go:1","msg":"m","pod":"default/a"}',
    "JSON in text": '{"ts":"2026-12-01T07:26:57.175241Z","caller":"a.go:1","msg":"m","pod":"default/a"}',
    "a test's": '    queue.go:7: I0831 20:03:47.184245] "Pod moved" pod="default/web-1"',
}


def read_once(lines: list[str], size: int) -> tuple[list[str], int]:
    """What is left of the lines, given so many at once, and how many were left out."""
    mending = Mending(Limits())
    encoded = [line.encode() for line in lines]
    batches = iter([Batch(encoded[at : at + size], at + 1, 0) for at in range(0, len(encoded), size)])
    return [line.decode() for batch in repaired(batches, mending) for line in batch.lines], mending.damage.dropped


@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("name", ALIKE)
def test_records_that_may_be_two_are_kept(name: str, size: int) -> None:
    lines = [*lines_of(20), ALIKE[name], ALIKE[name], *lines_of(25)[20:]]
    assert read_once(lines, size) == (lines, 0)


@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("name", ONE)
def test_a_copy_is_left_out_in_every_dialect(name: str, size: int) -> None:
    lines = [*lines_of(20), ONE[name], *lines_of(25)[20:]]
    assert read_once([*lines[:21], *lines[20:]], size) == (lines, 1)


@pytest.mark.parametrize("size", range(1, 9))
def test_a_block_that_differs_makes_another_record(size: int) -> None:
    one = [f"{OTHER} s=<", "\tx", "\ty", " >"]
    other = [f"{OTHER} s=<", "\tx", "\tz", " >"]
    longer = [f"{OTHER} s=<", "\tx", "\ty", "\tz", " >"]
    shorter = [f"{OTHER} s=<", "\tx", "\ty"]
    for second in (other, longer, shorter):
        lines = [*one, *second, LINE]
        assert read_once(lines, size) == (lines, 0)
        assert read_once([*one, *one, *second, *second, LINE], size) == (lines, len(one) + len(second))


def test_a_block_stripped_of_its_tabs(log: Path) -> None:
    block = [f"{OTHER} s=<", "\tone", "\t  two", " > n=1"]
    prefix = "[kube-scheduler-node-1] "
    given = [prefix + line.strip(" \t") + " " for line in [*lines_of(9), *block, LINE, f"{OTHER} s=<", "cut", LINE]]
    got, stats = texts(log, *given)
    assert got == [*lines_of(9), f"{OTHER} s=<", "\tone", "\ttwo", " > n=1", LINE, f"{OTHER} s=<", "cut", LINE]
    assert stats.wrappers == ("kubetail",)
    assert len(stats.warnings) == 1


def test_damage_names_the_first_lines() -> None:
    assert str(Damage("broken")) == "broken"
    assert str(Damage("broken", 1, ["7"])) == "broken (1: line 7)"
    assert str(Damage("broken", 9, ["1", "2"])) == "broken (9: lines 1, 2, …)"
