"""The 215 lines with their right parse, as recorded by running klog's releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from klogreplay.intake import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.logger_names import bare_message
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import KlogRecord

EXAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures" / "klog" / "examples.jsonl").read_text("utf-8").split("\n")
    if line
]

UNDECIDABLE = {
    "printf-structured-like@v2.9.0": "printf text that is exactly what a structured call prints",
    "kobjslice-nil-slice@v2.90.1": "bare text of an empty slice, which is JSON as well",
}


def records_of(text: str) -> tuple[list[KlogRecord], Counts]:
    counts = Counts()
    lines = (LogLine(line, number) for number, line in enumerate(text.split("\n"), 1))
    return list(read_records(lines, counts)), counts


def expected_form(form: str) -> str:
    """`bytes` prints as `quoted` does: the text does not tell them apart."""
    return "quoted" if form == "bytes" else form


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e["id"] not in UNDECIDABLE], ids=lambda e: e["id"])
def test_example(example: dict[str, Any]) -> None:
    records, counts = records_of(example["line"])
    assert len(records) == 1
    record = records[0]
    if example["header"] is None:
        assert record.header is None
    else:
        assert {key: getattr(record.header, key) for key in example["header"]} == example["header"]
    assert record.msg == example["msg"]
    assert record.logger == example.get("logger")
    assert list(record.values) == list(dict.fromkeys(example["keys"]))
    assert record.values == example["values"]
    assert record.forms == {key: expected_form(form) for key, form in example.get("forms", {}).items()}
    assert record.structured == (example["kind"] == "structured")
    assert record.dialect == example["format"]
    assert record.lines == counts.total == example["line"].count("\n") + 1
    if "msgWithoutPrefix" in example:
        assert bare_message(record) == example["msgWithoutPrefix"]


def test_undecidable_printf_reads_as_what_it_looks_like() -> None:
    example = next(e for e in EXAMPLES if e["id"] == "printf-structured-like@v2.9.0")
    (record,), _ = records_of(example["line"])
    assert (record.msg, record.values, record.structured) == ("msg", {"key": "v"}, True)


def test_undecidable_empty_slice_reads_as_json() -> None:
    example = next(e for e in EXAMPLES if e["id"] == "kobjslice-nil-slice@v2.90.1")
    (record,), _ = records_of(example["line"])
    assert (record.values, record.forms) == ({"pods": []}, {"pods": "json"})


def test_all_examples_in_one_stream() -> None:
    """Dialects may be mixed: each record is detected for itself."""
    text = "\n".join(example["line"] for example in EXAMPLES)
    records, counts = records_of(text)
    assert [record.text for record in records] == [example["line"].split("\n")[0] for example in EXAMPLES]
    assert counts.records == counts.total == text.count("\n") + 1
    assert {record.dialect for record in records} == {"klog-text", "ktesting", "json"}
