"""The fast reader gives what the grammar gives."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.intake import open_source
from klogreplay.klog.fast import KEEP, Decide, FastReader
from klogreplay.klog.record import KlogRecord
from tests.klog.test_examples import EXAMPLES
from tests.klog.texts import HEADER, PAIRS, VALUES, body

KEEP_ALL: Decide = lambda record: KEEP  # noqa: E731 - the type needs a name


def outcome(path: Path, decide: Decide, engine: Any) -> tuple[list[KlogRecord], Any]:
    with open_source(path) as source:
        reader: FastReader[KlogRecord] = FastReader(source, decide, engine=engine)
        return list(reader), reader.counts


def agree(path: Path, decide: Decide = KEEP_ALL) -> list[KlogRecord]:
    """The records on which both engines agree.

    A line that starts as those of a dropped message do is dropped with their label, though its end may be damaged; the
    grammar takes it for text, and where it was damaged for a hole. So the labels need not agree, nor holes among what
    is dropped, but all else must.
    """
    (fast, fast_counts), (lark, lark_counts) = outcome(path, decide, "fast"), outcome(path, decide, "lark")
    assert fast == lark
    assert sum(fast_counts.dropped.values()) == sum(lark_counts.dropped.values())
    holes, judged = fast_counts.holes.lines, lark_counts.holes.lines
    assert holes == judged or (fast_counts.dropped and set(holes.get(0, ())) <= set(judged[0]))
    fast_counts.dropped, fast_counts.holes = lark_counts.dropped, lark_counts.holes
    assert fast_counts == lark_counts
    return fast


def by_message(record: KlogRecord) -> str:
    return KEEP if record.structured and len(record.msg) % 2 else "no"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "scheduler.log"


def write(log: Path, text: str) -> Path:
    log.write_bytes(text.encode("utf-8", "surrogateescape"))
    return log


def test_examples_again_and_again(log: Path) -> None:
    lines = [example["line"] for example in EXAMPLES]
    # Each time in another order: a piece that stands in a log twice is read once. Some still do, by chance.
    shuffled = random.Random(1)
    records = agree(write(log, "\n".join(line for _ in range(4) for line in shuffled.sample(lines, len(lines)))))
    assert 3 * len(EXAMPLES) < len(records) <= 4 * len(EXAMPLES)
    assert len({(record.text, record.lines) for record in records}) == len(set(lines))
    agree(log, by_message)


SITES = st.sampled_from(
    [
        "I0831 20:03:47.{:06}       1 scheduling_queue.go:745] ",
        "E0831 20:03:47.{:06}       1 scheduling_queue.go:745] ",
        "I0831 20:03:48.{:06}    9922 scheduling_queue.go:812] ",
        "I0831 20:03:47.{:06}       1 x.go:1] ",
        "I0831 20:03:47.{:06}       1 x.go:1] ",
        "I0831 20:03:47.{:06}       1 scheduling_queue.go:634] ",
        'I0831 20:03:47.{:06}       1 x.go:1] "outer" k="I0831 20:03:47.000001       1 x.go:1] ',
        "\tI0831 20:03:47.{:06}       1 x.go:1] ",
        "X0831 20:03:47.{:06}       1 x.go:1] ",
        "I0831 20:03:67.{:06}       1 x.go:1] ",
        "",
        "\0\0I0831 20:03:47.{:06}       1 x.go:1] ",
    ]
)
MESSAGES = st.sampled_from(
    ["Pod moved", "Pod moved too", "Reserve/A: Plugin failed", "a", 'quote " in it', "Plugin failed", "é"]
)
BODIES = st.builds(body, MESSAGES, PAIRS) | st.sampled_from(
    [
        '"Pod moved"',
        '"Pod moved" pod="ns/a" event="PodAdd" queue="Active"',
        '"Pod moved" pod="ns/b" event="PodAdd" queue="Active"',
        '"Pod moved" pod="ns/b" event="PodAdd" queue="Active" hint=1 unschedulable plugins={"A":{},"B":{}}',
        '"Pod moved" pod="ns/b" event="PodAdd" queue="Active" hint=2 unschedulable plugins={}',
        '"Pod moved" pod="ns/b" event={Resource:Node ActionType:1 Label:NodeAdd} queue="Active"',
        '"Pod moved" pod="ns/b" event={} queue="Active"',
        '"Pod moved" pod="ns/b',
        '"Pod moved" pod="ns\\"b" event="PodAdd" queue="Active"',
        '"Pod moved" pod="a"b" event="PodAdd" queue="Active"',
        '"Pod moved" k=1 k=2',
        '"Pod moved" hint=1_0 n=٣',
        '"Pod moved" hint=007',
        '"Pod moved" x=[1,2',
        '"Pod moved" x=[1,2] junk y="z"',
        '"Pod moved" s=<',
        '"Pod moved"x k="v"',
        '"Pod moved" err="say \\"x\\" pod=\\"y\\"" pod="ns/a"',
        '"Pod moved" err="tab\\t" pod="ns/b"',
        '"Pod moved" err="\\u2028\\xc3" pod="\\"ns/b"',
        '"Pod moved" err="odd \\q" pod="ns/b"',
        '"Pod moved" err=" " pod="ns/b"',
        '"Pod moved" type=Scheduled status=False pod="ns/b"',
        '"Pod moved" type=true status=Nan pod="ns/b"',
        '"Pod moved" pod="ns/b" status=&{code:2 reasons:[a b=c [d]] err:<nil>}',
        '"Pod moved" pod="ns/b" status=&{code:2 reasons:[a b=c [d]]',
        "successfully renewed lease kube-system/kube-scheduler",
        "successfully renewed lease kube-system/kube-scheduler ",
        "from a pool   of nodes",
        '"Pod moved"  ',
        "Pod moved",
        "\ttext",
        " >",
        ' > t="u" n=1',
        "",
    ]
)
LINES = st.builds(lambda site, micros, text: site.format(micros) + text, SITES, st.integers(0, 999_999), BODIES)


@settings(max_examples=200, deadline=None)
@given(lines=st.lists(LINES, max_size=20), end=st.sampled_from(["\n", "\r\n"]), data=st.data())
def test_equal_on_made_logs(lines: list[str], end: str, data: st.DataObject) -> None:
    text = end.join(lines + lines + data.draw(st.permutations(lines + lines))) or HEADER
    with tempfile.TemporaryDirectory() as folder:
        log = write(Path(folder) / "scheduler.log", text[: data.draw(st.integers(1, len(text)))] + "x")
        agree(log)
        agree(log, by_message)


def test_records_are_read_by_what_earlier_lines_taught(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = 'I0831 20:03:47.{:06}       1 x.go:745] "Pod moved" pod="ns/a{}" hint=1 unschedulable plugins={{"A":{{}}}}\n'
    write(log, "".join(line.format(index, index) for index in range(100)))
    fed: list[int] = []
    original = FastReader._learn
    monkeypatch.setattr(FastReader, "_learn", lambda self, raw: (fed.append(1), original(self, raw))[1])
    records = agree(log)
    assert len(fed) == 2
    assert records[99].values == {"pod": "ns/a99", "hint": 1, "unschedulable plugins": {"A": {}}}
    assert records[99].line == 100


def test_dropped_lines_are_counted_by_label(log: Path) -> None:
    line = 'I0831 20:03:47.{:06}       1 x.go:1] "{}" k="v"\n'
    lines = [line.format(index, "wanted" if index % 3 == 0 else "other") for index in range(30)]
    write(log, "".join(lines) + f"{HEADER}text\nmore\n")
    asked: list[str] = []

    def decide(record: KlogRecord) -> str:
        asked.append(record.msg)
        return KEEP if record.msg == "wanted" else "irrelevant" if record.structured else "unknown"

    records, counts = outcome(log, decide, "fast")
    assert [record.line for record in records] == list(range(1, 31, 3))
    assert counts.dropped == {"irrelevant": 20, "unknown": 2}
    assert (counts.total, counts.records) == (32, 32)
    assert asked == ["wanted", "other", "text\nmore"]


def test_a_dropped_record_with_a_block_is_dropped_whole(log: Path) -> None:
    inner = 'I0831 20:03:47.000001       1 x.go:1] "wanted" k="v"'
    text = f'I0831 20:03:47.{{:06}}       1 x.go:1] "other" s=<\n\t{inner}\n >\n'
    write(log, "".join(text.format(index) for index in range(5)))
    records, counts = outcome(log, lambda record: "no" if record.msg == "other" else KEEP, "fast")
    assert records == []
    assert counts.dropped == {"no": 15}


def test_a_truncated_line_teaches_nothing(log: Path) -> None:
    whole = [
        f'I0831 20:03:47.00000{n}       1 x.go:1] "Pod moved to an internal scheduling queue" pod="ns/a"\n'
        for n in range(3)
    ]
    write(log, whole[0][:80] + "\n" + "".join(whole))
    records, counts = outcome(log, lambda record: KEEP if record.structured else "text", "fast")
    assert [record.line for record in records] == [2, 3, 4]
    assert counts.dropped == {"text": 1}


def test_lines_a_builder_takes_are_no_records(log: Path) -> None:
    line = 'I0831 20:03:47.{:06}       1 x.go:1] "m" pod="ns/{}" n={}\n'
    write(log, "".join(line.format(index, index, index) for index in range(6)) + line.format(9, "\\t", 9))
    keys: list[tuple[str, ...]] = []

    def compile_for(record: KlogRecord, given: tuple[str, ...], _read: Any) -> Any:
        keys.append(given)
        return lambda text, number, source, groups, second: (
            (text[1:21], number, source, groups) if number != 4 else None
        )

    with open_source(log) as source:
        made = list(FastReader(source, KEEP_ALL, compile_for=compile_for))
    records = {record.line: record.values for record in made if isinstance(record, KlogRecord)}
    assert records == {
        1: {"pod": "ns/0", "n": 0},
        2: {"pod": "ns/1", "n": 1},
        4: {"pod": "ns/3", "n": 3},
        7: {"pod": "ns/\t", "n": 9},
    }
    assert made[2] == ("0831 20:03:47.000002", 3, 0, ("ns/2", "2"))
    assert made[4:6] == [("0831 20:03:47.00000" + n, int(n) + 1, 0, (f"ns/{n}", n)) for n in "45"]
    assert keys == [("pod", "n")]


def test_lines_a_runtime_split_are_read_whole(log: Path) -> None:
    lines = [f'I0831 20:03:47.00000{n}       1 x.go:1] "m" pod="ns/a" event="x"' for n in range(5)]
    cri = "2023-08-31T20:03:47.184243001Z stderr {} {}\n"
    whole = [cri.format("F", line) for line in lines]
    whole[3] = cri.format("P", lines[3][:50]) + cri.format("F", lines[3][50:])
    write(log, "".join(whole))
    records = agree(log)
    assert [record.line for record in records] == [1, 2, 3, 4, 6]
    assert [record.lines for record in records] == [1, 1, 1, 2, 1]
    assert [record.text for record in records] == lines


@pytest.mark.recorded
def test_equal_on_recorded_logs(recorded: Path) -> None:
    """One log of each release, and those of each dialect and wrapper, with everything kept and with half dropped."""
    logs = [next(folder.glob("*/*/scheduler.log")) for folder in sorted(recorded.glob("sched-logs/1.*"))]
    others = ("*json.log", "*ktesting-derived.log", "*cri-derived.log")
    logs += [sorted(recorded.glob(f"sched-logs/**/{name}"))[0] for name in others]
    for path in logs:
        assert agree(path), path
        agree(path, by_message)


@pytest.mark.recorded
@pytest.mark.slow
def test_equal_on_every_recorded_log(recorded: Path) -> None:
    """Every line of the recorded logs; of the big ones, whose lines are alike, those after the first of each shape."""
    paths = [path for path in sorted(recorded.glob("sched-logs/1.*/**/*.log*")) if "truth" not in path.name]
    assert len(paths) > 400
    for path in paths:
        fast, lark = outcome(path, KEEP_ALL, "fast"), outcome(path, KEEP_ALL, "lark")
        assert fast == lark, path
        assert fast[1].unknown == 0, path


@pytest.mark.recorded
@pytest.mark.slow
def test_equal_on_the_big_logs_shapes(recorded: Path, log: Path) -> None:
    for path in sorted(recorded.glob("sched-logs/big/*/scheduler.log.gz")):
        seen: dict[str, int] = {}
        lines = []
        with open_source(path) as source:
            for line in source:
                shape = re.sub(r"[0-9a-z]+", "0", line.text[21:])
                seen[shape] = seen.get(shape, 0) + 1
                if seen[shape] <= 5:
                    lines.append(line.text)
        write(log, "\n".join(lines))
        assert len(agree(log)) > 200


# --- text that comes from the grammar ---------------------------------------------------------------------------------

CALL_SITES = ["scheduling_queue.go:745", "scheduling_queue.go:634", "schedule_one.go:1049"]
"""The first two are one call of two releases."""
TEMPLATES = st.tuples(st.sampled_from("IE"), st.sampled_from([1, 9922]), st.sampled_from(CALL_SITES), MESSAGES, PAIRS)


@settings(max_examples=50, deadline=None)
@given(
    templates=st.lists(TEMPLATES, min_size=1, max_size=4),
    more=st.lists(st.lists(VALUES, min_size=1, max_size=5), min_size=6, max_size=14),
    end=st.sampled_from(["\n", "\r\n"]),
    cut=st.integers(1, 60),
)
def test_equal_on_lines_of_a_few_call_sites(templates: list[Any], more: list[Any], end: str, cut: int) -> None:
    """Some call sites, each with its messages and keys, print again and again with values of every kind."""
    lines = []
    for number, values in enumerate(more * 2):
        severity, pid, site, message, pairs = templates[number % len(templates)]
        told = [(key, values[index % len(values)]) for index, (key, _) in enumerate(pairs)]
        lines.append(f"{severity}0831 20:03:{number:02}.000001 {pid:7} {site}] {body(message, told)}")
    text = end.join(lines)
    with tempfile.TemporaryDirectory() as folder:
        log = write(Path(folder) / "scheduler.log", text[:-cut] if cut < len(text) else text)
        agree(log)
        agree(log, by_message)


def test_lines_with_escapes_are_read_by_what_two_of_them_taught(log: Path) -> None:
    line = 'I0831 20:03:47.{:06}       1 x.go:745] "Pod moved" err="no \\"{}\\"" pod="ns/a{}"\n'
    write(log, "".join(line.format(index, index, index) for index in range(100)))
    records = agree(log)
    assert records[99].values == {"err": 'no "99"', "pod": "ns/a99"}
    assert slow_lines(log, KEEP_ALL) == 2


def test_lines_that_come_again_to_the_letter_are_not_read_again(log: Path) -> None:
    texts = ["successfully renewed lease kube-system/kube-scheduler", '"Stopping fake watcher"', "caches populated"]
    lines = [f"I0831 20:03:47.{n:06}       1 a.go:1] {texts[n % 3]}" for n in range(300)]
    write(log, "\n".join(lines) + "\n")
    agree(log)
    assert agree(log, lambda record: "no") == []
    assert slow_lines(log, KEEP_ALL) <= 8
    assert slow_lines(log, lambda record: "no") == 3


def test_formatted_text_may_go_on_all_the_same(log: Path) -> None:
    line = "I0831 20:03:47.000001       1 a.go:1] successfully renewed lease\n"
    write(log, line * 5 + "and more\n" + line * 2 + '\tand "more"\n' + line)
    messages = [record.msg.partition("\n")[2] for record in agree(log)]
    assert messages == ["", "", "", "", "and more", "", '\tand "more"', ""]
    agree(log, lambda record: "more" if "more" in record.msg else "no")


def slow_lines(log: Path, decide: Decide) -> int:
    with open_source(log) as source:
        reader: FastReader[KlogRecord] = FastReader(source, decide)
        list(reader)
        return reader.slow
