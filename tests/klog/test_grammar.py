"""The grammar and the tokenizer beside it."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark import UnexpectedInput

from klogreplay.klog.grammar import grammar_text, load_grammar
from klogreplay.klog.headers import KTESTING_HEADER, TEXT_HEADER
from klogreplay.klog.pairs import KEYS, Piece, lark_tokens
from klogreplay.klog.scanner import scan_tokens
from tests.klog.test_examples import EXAMPLES
from tests.klog.texts import CHARACTERS, HEADER, PAIRS, TEXTS, body, read, values_of

ROOT = Path(__file__).parents[2]


def same(tokens: Any) -> list[Piece] | None:
    """Which kind of key a key is matters to the grammar alone."""
    if tokens is None:
        return None
    return [("KEY" if kind in KEYS else kind, start, end) for kind, start, end in tokens]


@given(message=TEXTS, pairs=PAIRS)
def test_reads_what_was_printed(message: str, pairs: list[Any]) -> None:
    text = HEADER + body(message, pairs)
    for engine in ("lark", "fast"):
        (record, *more), counts = read(text, engine)
        assert more == []
        values, forms = values_of(pairs)
        assert (record.msg, record.values, record.forms) == (message, values, forms)
        assert list(record.values) == list(values)
        assert (record.structured, record.lines) == (True, text.count("\n") + 1)
        assert (counts.total, counts.records) == (record.lines, record.lines)


@given(message=TEXTS, pairs=PAIRS, data=st.data())
def test_tokenizer_equals_grammar_on_damaged_text(message: str, pairs: list[Any], data: st.DataObject) -> None:
    text = body(message, pairs)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        until = data.draw(st.integers(at, min(at + 3, len(text))))
        text = text[:at] + data.draw(st.text(CHARACTERS, max_size=3)) + text[until:]
    assert same(scan_tokens(HEADER + text, "record")) == same(lark_tokens(HEADER + text, "record"))
    assert same(scan_tokens(text, "body")) == same(lark_tokens(text, "body"))
    assert same(scan_tokens(" " + text, "pairs")) == same(lark_tokens(" " + text, "pairs"))


SOUP = st.text(st.sampled_from(list('a1 ="\\<>{}[],:\n\t')), max_size=40)


@settings(max_examples=400)
@given(SOUP)
@example(' a="b"c" d=')
@example(' a=[ b="]" c={"x":"y z=1"}')
@example(" a=" + "[" * 12 + "]" * 12 + " b=1")
@example(' k=x=y="z" q')
@example(' a="b" loose key="c" d=1 other key=2')
@example(" a=<\n\tb\n > c=<\n\td")
def test_tokenizer_equals_grammar_on_soup(text: str) -> None:
    for start, whole in (("record", f'{HEADER}"m"{text}'), ("body", f'"m"{text}'), ("pairs", text)):
        assert same(scan_tokens(whole, start)) == same(lark_tokens(whole, start))


@settings(max_examples=300)
@given(SOUP, PAIRS)
@example(' a=b="c" d=[1', [])
@example(" a=" + "[" * 12 + "]" * 12 + " b=1", [])
def test_ktesting_reads_the_same_with_both(text: str, pairs: list[Any]) -> None:
    head = "    a.go:1: I1201 07:29:14.863736] m"
    whole = head + text.replace("\n", "\n        ") + body("", pairs)[2:].replace("\n", "\n        ")
    assert read(whole, "fast") == read(whole, "lark")


@pytest.mark.parametrize("text", [e["line"] for e in EXAMPLES if e["format"] == "klog-text"])
def test_tokenizer_equals_grammar_on_examples(text: str) -> None:
    start = "record" if TEXT_HEADER.match(text) else "body"
    assert same(scan_tokens(text, start)) == same(lark_tokens(text, start))


def _shape(text: str) -> str:
    return re.sub(r"[0-9a-z]+", "0", text[21:])


@pytest.mark.recorded
@pytest.mark.slow
def test_tokenizer_equals_grammar_on_every_recorded_shape(recorded: Path) -> None:
    shapes: set[str] = set()
    for path in sorted(recorded.glob("sched-logs/**/scheduler.log*")):
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as log:
            for raw in log:
                text = raw.rstrip(b"\n").decode("utf-8", "surrogateescape")
                if TEXT_HEADER.match(text) and (shape := _shape(text)) not in shapes:
                    shapes.add(shape)
                    assert same(scan_tokens(text, "record")) == same(lark_tokens(text, "record"))
    assert len(shapes) > 2000


@given(st.text(st.sampled_from(list("IWEFX0123456789 :.]/ag\t")), max_size=60) | st.just(HEADER), st.data())
def test_header_expression_equals_grammar(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.sampled_from(["", "9", " ", "0", "x", ":"])) + text[at + 1 :]
    assert (TEXT_HEADER.match(text) is not None) == (lark_tokens(text, "record") is not None)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("    a_test.go:24: I1201 07:29:14.863736] ", True),
        ("a_test.go:24: E1201 07:29:14.863736]", True),
        ("I1201 07:29:14.863736] ", False),
        ("    a_test.go:24: I1301 07:29:14.863736] ", False),
        ("    a_test.go:24: I1201 07:29:14.863736", False),
    ],
)
def test_ktesting_header_expression_equals_grammar(text: str, valid: bool) -> None:
    try:
        load_grammar("klog_ktesting.lark", "header").parse(text)
        parsed = True
    except UnexpectedInput:
        parsed = False
    assert (KTESTING_HEADER.match(text) is not None, parsed) == (valid, valid)


def test_grammar_is_found_in_the_source_tree() -> None:
    assert grammar_text("klog.lark") == (ROOT / "grammars" / "klog.lark").read_text("utf-8")


def test_grammar_is_found_in_a_zipped_package(tmp_path: Path) -> None:
    """As in a wheel on sys.path: the grammars stand inside the package, and there is no source tree around it."""
    archive = tmp_path / "klogreplay.zip"
    with zipfile.ZipFile(archive, "w") as package:
        for path in sorted((ROOT / "klogreplay").rglob("*")):
            if path.suffix in {".py", ".json"} and "__pycache__" not in path.parts:
                package.write(path, path.relative_to(ROOT))
        for path in sorted((ROOT / "grammars").glob("*.lark")):
            package.write(path, f"klogreplay/grammars/{path.name}")
    script = (
        "from klogreplay.klog.pairs import lark_tokens; import klogreplay;"
        "print(klogreplay.__file__, len(lark_tokens('\"m\" unschedulable plugins={}', 'body')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(archive)}, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.split() == [str(archive / "klogreplay" / "__init__.py"), "2"]
