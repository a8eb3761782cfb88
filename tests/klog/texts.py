"""Log text for the tests: made by rule, together with what it says."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from klogreplay.intake import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Engine
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import KlogRecord

HEADER = "I0831 20:03:47.184243       1 schedule_one.go:65] "


def lines_of(text: str) -> list[LogLine]:
    return [LogLine(line, number) for number, line in enumerate(text.split("\n"), 1)]


def read(text: str, engine: Engine = "fast") -> tuple[list[KlogRecord], Counts]:
    counts = Counts()
    return list(read_records(lines_of(text), counts, engine=engine)), counts


def go_quote(text: str) -> str:
    """strconv.Quote, as the Go documentation describes it."""
    short = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
    out = []
    for character in text:
        code = ord(character)
        if character in '"\\':
            out.append("\\" + character)
        elif character in short:
            out.append(short[character])
        elif 0xDC80 <= code <= 0xDCFF:
            out.append(f"\\x{code - 0xDC00:02x}")
        elif code < 0x20 or code == 0x7F:
            out.append(f"\\x{code:02x}")
        elif character == " " or character.isprintable():
            out.append(character)
        else:
            out.append(f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def block(text: str) -> str:
    return "<\n" + "".join(f"\t{line}\n" for line in text.split("\n")) + " >"


SURROGATES_OF_BYTES = st.integers(0xDC80, 0xDCFF).map(chr)
CHARACTERS = st.one_of(
    st.sampled_from(list("ab \"\\=<>{}[]\t\n\r/:.,'\u2028\x85\u00a0\ufeff\x00\x1b")),
    st.characters(exclude_categories=["Cs"]),
    SURROGATES_OF_BYTES,
)
TEXTS = st.text(CHARACTERS, max_size=30)
LINES = st.text(
    st.one_of(st.sampled_from(list('ab "\\=<>{}[]\t\u2028')), st.characters(exclude_categories=["Cs"])), max_size=25
).map(lambda text: text.replace("\n", " "))
KEYS = st.text(st.sampled_from(list("abcKey.-/_")), min_size=1, max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
HEADER_LIKE = st.just('I0831 20:03:47.184243       1 a.go:1] "x" y="z"')


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


QUOTED_VALUES = TEXTS.map(lambda text: (go_quote(text), text, "quoted"))
BLOCK_VALUES = st.lists(st.one_of(LINES, HEADER_LIKE), min_size=2, max_size=4).map(
    lambda lines: (block("\n".join(lines)), "\n".join(lines), "block")
)
JSON_VALUES = JSON.filter(lambda value: not isinstance(value, str)).map(lambda value: (_compact(value), value, "json"))
BARE_VALUES = st.sampled_from(
    [
        ("<nil>", "<nil>", "bare"),
        ("", "", "bare"),
        ("{Resource:Node ActionType:1 Label:NodeAdd}", "{Resource:Node ActionType:1 Label:NodeAdd}", "bare"),
        ("map[A:{} B:{}]", "map[A:{} B:{}]", "bare"),
        ("&{a b=c d}", "&{a b=c d}", "bare"),
        ("[x y]", "[x y]", "bare"),
        ("1.5s", "1.5s", "bare"),
        ("NaN", "NaN", "bare"),
        ("two words", "two words", "bare"),
    ]
)
VALUES = st.one_of(QUOTED_VALUES, BLOCK_VALUES, JSON_VALUES, BARE_VALUES)
PAIRS = st.lists(st.tuples(st.one_of(KEYS, st.just("unschedulable plugins")), VALUES), max_size=5)


def body(message: str, pairs: list[tuple[str, tuple[str, Any, str]]]) -> str:
    return go_quote(message) + "".join(f" {key}={value[0]}" for key, value in pairs)


def values_of(pairs: list[tuple[str, tuple[str, Any, str]]]) -> tuple[dict[str, Any], dict[str, str]]:
    values = {key: value[1] for key, value in pairs}
    forms = {key: value[2] for key, value in pairs}
    return values, forms
