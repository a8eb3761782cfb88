"""Values, logger names, the border of unquoted messages, and the JSON form of records."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from klogreplay.intake import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.jsonlines import json_line
from klogreplay.klog.known import known_keys
from klogreplay.klog.logger_names import bare_message, split_logger
from klogreplay.klog.reader import read_records
from klogreplay.klog.unquoted import message_end
from klogreplay.klog.values import bare, block_text, parse_json, unquote
from tests.klog.test_examples import EXAMPLES
from tests.klog.texts import HEADER, TEXTS, block, go_quote, read
from tools import known_keys as generator


@given(TEXTS)
def test_unquote_undoes_go_quote(text: str) -> None:
    assert unquote(go_quote(text)) == text


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        (r'"\a\b\f\n\r\t\v\\\""', '\a\b\f\n\r\t\v\\"'),
        (r'"\x00\x7f\x80\xff"', "\x00\x7f\udc80\udcff"),
        (r'"\u00e9\ufeff\U0001f44d"', "é\ufeff👍"),
        (r'"\ud800\U00110000"', "\ufffd\ufffd"),
        (r'"\\x41\\\\n"', r"\x41\\n"),
        ('""', ""),
    ],
)
def test_unquote(quoted: str, text: str) -> None:
    assert unquote(quoted) == text


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("<\n\ta\n >", "a"),
        ("<\n\t\n\t\ta\n >", "\n\ta"),
        ("<\n\ta\n\tb", "a\nb"),
        ("<\n\ta\n", "a"),
        ("<\n >", ""),
        ("<\n", ""),
    ],
)
def test_block_text(printed: str, text: str) -> None:
    assert block_text(printed) == text


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("12", 12, "json"),
        ("-0.5e3", -500.0, "json"),
        ("null", None, "json"),
        ('{"a":[1,{}]}', {"a": [1, {}]}, "json"),
        ("[]", [], "json"),
        ("NaN", "NaN", "bare"),
        ("-Infinity", "-Infinity", "bare"),
        ("[NaN]", "[NaN]", "bare"),
        ("1e999", "1e999", "bare"),
        ('{"a":[-1e999]}', '{"a":[-1e999]}', "bare"),
        ("1 ", "1 ", "bare"),
        (" 1", " 1", "bare"),
        ("1_0", "1_0", "bare"),
        ("٣", "٣", "bare"),
        ("007", "007", "bare"),
        ("map[]", "map[]", "bare"),
        ("", "", "bare"),
        ("1" * 5000, "1" * 5000, "bare"),
        ("[" * 100_000 + "]" * 100_000, "[" * 100_000 + "]" * 100_000, "bare"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_bare(text: str, value: Any, form: str) -> None:
    assert bare(text) == (value, form)


def test_parse_json_is_strict() -> None:
    assert parse_json('{"a":1,"a":2}') == {"a": 2}
    with pytest.raises(ValueError, match="behind"):
        parse_json("1 2")


@pytest.mark.parametrize(
    ("message", "logger", "rest"),
    [
        ("Reserve/DynamicResources: start allocation", "Reserve/DynamicResources", "start allocation"),
        ("PV Cache: m", "PV Cache", "m"),
        ("attacher-detacher: Plugin failed", "attacher-detacher", "Plugin failed"),
        ("AssumePodVolumes: fail to GetBindVolumeToClaim", None, "AssumePodVolumes: fail to GetBindVolumeToClaim"),
        ("Warning: something new", None, "Warning: something new"),
        ("PreBind: Warning: something new", "PreBind", "Warning: something new"),
        ("colon: in message", None, "colon: in message"),
        ("Failed to do it: because", None, "Failed to do it: because"),
        (": m", None, ": m"),
        ("A" * 300 + ": m", None, "A" * 300 + ": m"),
    ],
)
def test_logger_in_front_of_the_message(message: str, logger: str | None, rest: str) -> None:
    assert split_logger(message) == (logger, rest)


def test_bare_message_is_without_the_logger() -> None:
    (record,), _ = read(f'{HEADER}"Filter/Fit: m" k=1')
    assert (record.logger, record.msg, bare_message(record)) == ("Filter/Fit", "Filter/Fit: m", "m")
    (record,), _ = read(f'{HEADER}"Filter: m" logger="Score" k=1')
    assert (record.logger, bare_message(record)) == ("Score", "Filter: m")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('Pod moved to an internal scheduling queue pod="a/b" hint=1 unschedulable plugins={"A":{}}', None),
        ('Pod moved to an internal scheduling queue unschedulable plugins={"A":{}} pod="a/b"', None),
        ('Reserve/DynamicResources: Plugin failed err="x y=z" pod="a/b"', "Reserve/DynamicResources: Plugin failed"),
        ('msg with k=v inside k="v"', "msg with k=v inside"),
        ("no pairs", "no pairs"),
        ("", ""),
        ("a=b", "a=b"),
        ("m x=[a b] y=map[c:{d e}] z=", "m"),
        ("m x=[a b", "m x=[a b"),
        ('m pod="a"b/c" k=1', "m"),
        ('m pod="unterminated', 'm pod="unterminated'),
        ('m err=<\n\ta k="v"\n\tb\n > k=1', "m"),
        ('m err=<\n\ta k="v"\n\tb', 'm err=<\n\ta k="v"\n\tb'),
    ],
)
def test_where_an_unquoted_message_ends(text: str, message: str | None) -> None:
    expected = "Pod moved to an internal scheduling queue" if message is None else message
    assert text[: message_end(text, 0)] == expected


@pytest.mark.parametrize(
    "piece",
    [' k="v"', ' k="v"x', " k=[", " k=[]", " k={[", ' k="', " k=<\n\tx", " k=v w", " unschedulable plugins=", ' "'],
)
def test_the_search_for_it_is_linear(piece: str) -> None:
    """Four times the text in less than ten times the time, or in no time at all."""

    def seconds(size: int) -> float:
        text = f"m{piece * (size // len(piece))} end"
        started = time.process_time()
        message_end(text, 0)
        return time.process_time() - started

    small, large = min(seconds(20_000) for _ in range(3)), min(seconds(80_000) for _ in range(3))
    assert large < max(10 * small, 0.1)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["id"])
def test_json_lines_have_the_fields_of_the_examples(example: dict[str, Any]) -> None:
    lines = [LogLine(line, number) for number, line in enumerate(example["line"].split("\n"), 5)]
    (record,) = read_records(lines)
    line = json_line(record)
    assert line.isascii()
    assert "\n" not in line
    parsed = json.loads(line)
    assert list(parsed) == ["line", "header", "logger", "msg", "values"]
    assert (parsed["line"], parsed["header"], parsed["msg"]) == (5, example["header"], record.msg)
    assert (parsed["logger"], parsed["values"]) == (record.logger, record.values)
    assert list(parsed["values"]) == list(record.values)


def test_a_key_given_twice_keeps_its_first_place_and_last_value() -> None:
    for text in (f'{HEADER}"m" a=1 b=2 a=3', '{"ts":1.5,"caller":"a.go:1","msg":"m","a":1,"b":2,"a":3}'):
        (record,), _ = read(text)
        assert json_line(record).endswith('"values":{"a":3,"b":2}}')


def test_json_record_may_repeat_the_names_of_its_frame() -> None:
    (record,), _ = read(
        '{"ts":1.5,"logger":"l","caller":"d/a.go:7","msg":"m","v":0,"msg":"own","ts":9,"v":"x","logger":1}'
    )
    assert record.header is not None
    assert (record.header.tsMillis, record.header.verbosity, record.msg, record.logger) == (1.5, 0, "m", "l")
    assert record.values == {"msg": "own", "ts": 9, "v": "x", "logger": 1}


@pytest.mark.parametrize(
    "text",
    [
        '{"ts":1e999,"caller":"a.go:1","msg":"m"}',
        '{"ts":1.5,"caller":"a.go:1"}',
        '{"ts":1.5,"msg":"m"',
        '{"ts":1.5,"msg":' + "[" * 100_000,
        '{"msg":"m"}',
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_json_record_is_unknown(text: str) -> None:
    records, counts = read(text)
    assert (records, counts.unknown) == ([], 1)


def test_shapes_not_understood() -> None:
    counts = Counts()
    for number in range(5000):
        counts.add_unknown(f"line {number}", number + 1)
    for number, word in enumerate("abcdefgh"):
        counts.add_unknown(word, number)
    assert counts.unknown == 5008
    commonest = counts.commonest()
    assert (commonest[0].shape, commonest[0].count, commonest[0].first_line) == ("line 0", 5000, 1)
    assert [shape.shape for shape in commonest[1:]] == ["a", "b", "c", "d"]


def test_only_a_thousand_shapes_are_told_apart() -> None:
    counts = Counts()
    for number in range(3000):
        counts.add_unknown("x" * (number % 50) + chr(0x4E00 + number), number)
    assert (len(counts.shapes), counts.unknown) == (1000, 3000)


def test_counts_do_not_share_their_shapes() -> None:
    Counts().add_unknown("x", 1)
    assert Counts().shapes == {}


@pytest.mark.recorded
def test_known_keys_are_those_of_the_catalogue(recorded: Path) -> None:
    keys = generator.known_keys(recorded / "catalog")
    assert generator.data_text(keys) == generator.DATA.read_text("utf-8")
    assert generator.grammar_text(keys) == generator.GRAMMAR.read_text("utf-8")


def test_known_keys() -> None:
    keys = known_keys()["Pod moved to an internal scheduling queue"]
    assert {"pod", "event", "queue", "hint", "schedulingCycle", "unschedulable plugins"} <= keys


def test_block_strategy_is_what_klog_prints() -> None:
    """The helper the other tests lean on, against a recorded line."""
    example = next(e for e in EXAMPLES if e["id"] == "str-nl-line-is-end-marker@v2.60.1")
    assert example["line"].endswith(block("a\n >\nb"))
