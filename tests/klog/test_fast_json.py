"""JSON lines that take the short way give what the JSON dialect gives."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.intake import open_source
from klogreplay.klog.builds import KEEP
from klogreplay.klog.fast import FastReader
from klogreplay.klog.json_shape import JsonShape, json_shape
from klogreplay.klog.record import KlogRecord
from tests.klog.test_fast import LINES as TEXT_LINES
from tests.klog.test_fast import agree, by_message, write
from tests.klog.texts import lines_of, read

FRAME = '{{"ts":1796113718223.{},"caller":"queue/scheduling_queue.go:745","msg":"Pod moved",{}'
POD = '"pod":{"name":"web-1","namespace":"ns"}'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "scheduler.log"


def shape_of(line: str) -> JsonShape | None:
    record = read(line)[0][0]
    return json_shape(record, line.index('"msg":"Pod moved"') + len('"msg":"Pod moved"'))


def slow_lines(log: Path) -> int:
    with open_source(log) as source:
        reader: FastReader[KlogRecord] = FastReader(source, by_message)
        list(reader)
        return reader.slow


# --- what is learnt ---------------------------------------------------------------------------------------------------


def test_the_third_line_of_a_shape_is_read_the_short_way(log: Path) -> None:
    pods = [POD.replace("web-1", f"web-{number}") for number in range(50)]
    write(log, "".join(FRAME.format(n, f'"v":4,{pod}}}\n') for n, pod in enumerate(pods)))
    assert [record.values["pod"]["name"] for record in agree(log)] == [f"web-{n}" for n in range(50)]
    assert slow_lines(log) == 2


def test_lines_of_a_message_nobody_wants_are_dropped_from_the_second_on(log: Path) -> None:
    write(log, "".join(FRAME.format(n, f'"v":4,{POD}}}\n').replace("moved", "move") for n in range(50)))
    assert agree(log, by_message) == []
    assert slow_lines(log) == 1


def test_a_reference_is_told_as_text_tells_it() -> None:
    shape = shape_of(FRAME.format(1, f'"v":4,{POD},"node":{{"name":"n-1"}},"hint":1,"plugins":{{"A":{{}}}}}}'))
    assert shape is not None
    assert shape.keys == ("pod", "node", "hint", "plugins")
    assert shape.texts("", ("web-1", "ns", "n-1", "1", '{"A":{}}')) == ("ns/web-1", "n-1", "1", '{"A":{}}')
    assert shape.texts("", ("web/1", "ns", "n-1", "1", '{"A":{}}')) is None


def test_escapes_are_undone() -> None:
    line = FRAME.format(1, r'"err":"a \"b\" é\n"}')
    shape = shape_of(line)
    assert shape is not None
    assert shape.texts(line, (r"a \"b\" é\n",)) == ('a "b" é\n',)


def test_of_a_key_given_twice_the_last_counts() -> None:
    shape = shape_of(FRAME.format(1, f'{POD},"v":4,{POD}}}'))
    assert shape is not None
    assert (shape.keys, shape.references) == (("pod",), (0,))


@pytest.mark.parametrize(
    "rest",
    ['"v":4,"v":5}', '"v":4,"msg":"again"}', '"v":4,"ts":1}', '"v":4,"logger":"x"}', '"v":4,"x":[[[[[[1]]]]]]}'],
)
def test_what_is_left_to_the_dialect(rest: str) -> None:
    assert shape_of(FRAME.format(1, rest)) is None


# --- the same, whatever is in it --------------------------------------------------------------------------------------

TIMES = st.sampled_from(
    [
        *(
            "1796113718223.7007",
            "1796113718223",
            "1796113718",
            "1796113718.25",
            '"2026-12-01T07:41:53Z"',
            "true",
            "1e12",
        ),
        *("17961137182230", "999999999999999", "-1796113718223", "01796113718223", "1796113718223.", "null"),
    ]
)
CALLERS = st.sampled_from(["queue/a.go:1", "a.go:2", "a.go", "a.go:x", 'a\\"b.go:1', ""])
MESSAGES = st.sampled_from(["Pod moved", "Pod moved too", "a", "abc", 'say \\"x\\"', "é", "\\u00e9", "\\ud800", ""])
VALUES = st.sampled_from(
    [
        *('"x"', '""', '"a\\"b"', '"\\ud800"', '"\\ud83d\\ude00"', '"\u2028"', '"\\u2028"', '"\\x41"', '"\\/"', '"{}"'),
        *("0", "-0", "1", "-1", "1.5", "1.", "1e5", "1e999", "01", "9" * 18, "9" * 19, "9" * 5000, "NaN", "٣"),
        *("true", "null", "{}", "[]", "[1,2]", "[1,]", "[1 2]", '{"a":1}', '{"a":[{"b":{}}]}', '{"a":1,"a":2}'),
        *("[1e999]", "[[[[[[1]]]]]]", '{"a" : 1}', '"a\tb"', "nul", '{"a":"}"}', '["]"]', '"]"'),
        *('{"name":"web-1","namespace":"ns"}', '{"name":"n-1"}', '{"namespace":"ns","name":"web-1"}'),
        *('{"name":"a/b","namespace":"ns"}', '{"name":"","namespace":"ns"}', '{"name":"a\\u0062","namespace":"ns"}'),
        *('{"name":"web-1","namespace":"ns","x":1}', '{"name":1,"namespace":"ns"}'),
    ]
)
KEYS = st.sampled_from(
    ["pod", "node", "err", "hint", "event", "msg", "v", "logger", "ts", "caller", "a\\nb", "zone", ""]
)
EXTRA = st.lists(st.tuples(KEYS, VALUES), max_size=4)


@st.composite
def json_lines(draw: st.DrawFn) -> str:
    fields = [f'"ts":{draw(TIMES)}', f'"caller":"{draw(CALLERS)}"', f'"msg":"{draw(MESSAGES)}"']
    if draw(st.booleans()):
        fields.insert(1, f'"logger":"{draw(st.sampled_from(["Filter", "a.b", ""]))}"')
    if draw(st.integers(0, 9)) == 0:
        fields = draw(st.permutations(fields))
    fields += [f'"{key}":{value}' for key, value in draw(EXTRA)]
    return (
        "{" + draw(st.sampled_from([",", ",", ",", ", "])).join(fields) + draw(st.sampled_from(["}"] * 6 + ["", "}}"]))
    )


@settings(max_examples=300, deadline=None)
@given(
    line=json_lines(),
    others=st.lists(st.one_of(json_lines(), TEXT_LINES, st.just("junk"), st.just("\ttext")), max_size=6),
    end=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_equal_on_made_lines(line: str, others: list[str], end: str, data: st.DataObject) -> None:
    lines = [line] * 3 + others + others
    text = end.join(lines + data.draw(st.permutations(lines)))
    with tempfile.TemporaryDirectory() as folder:
        log = write(Path(folder) / "log", text[: data.draw(st.integers(len(text) // 2, len(text)))] + end)
        agree(log)
        agree(log, by_message)


@settings(max_examples=100, deadline=None)
@given(
    fields=st.dictionaries(
        st.text(max_size=6),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
            max_leaves=8,
        ),
        max_size=5,
    ),
    ascii_only=st.booleans(),
)
def test_whatever_json_holds_comes_back(fields: dict[str, Any], ascii_only: bool) -> None:
    values = {key: value for key, value in fields.items() if key not in ("ts", "caller", "msg", "v", "logger")}
    frames = [{"ts": 1796113718223.5 + n, "caller": "a.go:1", "msg": "m"} for n in range(5)]
    lines = [json.dumps(frame | values, separators=(",", ":"), ensure_ascii=ascii_only) for frame in frames]
    with tempfile.TemporaryDirectory() as folder:
        log = write(Path(folder) / "log", "\n".join(lines) + "\n")
        assert [record.values for record in agree(log)] == [values] * 5


def test_a_mixed_stream_is_read_in_order(log: Path) -> None:
    text = 'I1201 07:41:53.{:06}       1 x.go:1] "Pod moved" pod="ns/{}"\n'
    lines = []
    for n in range(60):
        lines.append(FRAME.format(n, f'"v":4,{POD}}}\n') if n % 3 else text.format(n, n))
        if n % 7 == 0:
            lines.append("junk\n")
    write(log, "".join(lines))
    records = agree(log)
    assert [record.dialect for record in records] == ["json" if n % 3 else "klog-text" for n in range(60)]
    assert len(lines_of("".join(lines))) == 70


def test_a_line_that_is_cut_is_not_dropped_as_a_record(log: Path) -> None:
    whole = [FRAME.format(n, f'"v":4,{POD}}}').replace("moved", "move") for n in range(6)]
    write(log, "\n".join([*whole[:5], whole[5][:-9], ""]))
    with open_source(log) as source:
        reader: FastReader[KlogRecord] = FastReader(source, lambda record: "no")
        assert list(reader) == []
    assert reader.counts.dropped == {"no": 5}
    assert reader.counts.unknown == 1
    agree(log, lambda record: "no")


def test_long_lines_are_left_to_the_dialect(log: Path) -> None:
    write(log, "".join(FRAME.format(n, f'"n":{"9" * 5000}}}\n') for n in range(4)))
    assert agree(log) == []
    write(log, "".join(FRAME.format(n, f'"err":"{"x" * 5000}"}}\n') for n in range(4)))
    assert len(agree(log)) == 4


@pytest.mark.recorded
def test_equal_on_every_recorded_json_log(recorded: Path) -> None:
    paths = sorted(recorded.glob("sched-logs/**/scheduler.json.log"))
    assert len(paths) > 10
    for path in paths:
        assert agree(path), path
        agree(path, by_message)
        agree(path, lambda record: KEEP if "pod" in record.msg.lower() else "no")
