"""Which lines make a record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.intake import LogLine
from klogreplay.klog.assembler import LONGEST_RECORD
from klogreplay.klog.counts import Counts
from klogreplay.klog.reader import read_records
from tests.klog.texts import HEADER, block, read

OTHER = "E0831 20:03:48.000001       1 other.go:1] "


def test_block_with_lines_that_look_like_headers() -> None:
    inner = f'{HEADER}"x" y=1\n >\n\tdeep'
    records, _ = read(f'{HEADER}"m" s={block(inner)} t="after" u={block("a")}\n{OTHER}"n"')
    assert [(r.line, r.lines, r.msg) for r in records] == [(1, 7, "m"), (8, 1, "n")]
    assert records[0].values == {"s": inner, "t": "after", "u": "a"}


def test_block_cut_by_the_next_record_keeps_what_came() -> None:
    records, counts = read(f'{HEADER}"m" s=<\n\ta\n\tb\n{OTHER}"n"\n\tlate\n >')
    assert records[0].values == {"s": "a\nb"}
    assert records[0].forms == {"s": "block"}
    assert (counts.records, counts.unknown) == (4, 2)


def test_block_that_never_begins_is_bare() -> None:
    records, counts = read(f'{HEADER}"m" s=<\nno tab')
    assert (records[0].values, records[0].forms) == ({"s": "<"}, {"s": "bare"})
    assert [(shape.shape, shape.first_line) for shape in counts.commonest()] == [("no tab", 2)]


def test_printf_text_takes_all_lines_up_to_the_next_header() -> None:
    records, counts = read(f'{HEADER}Dump of cached NodeInfo\nNode name: n1\n\n\t"x" k=1\n >\n{OTHER}"n"')
    assert records[0].msg == 'Dump of cached NodeInfo\nNode name: n1\n\n\t"x" k=1\n >'
    assert (records[0].structured, records[0].lines) == (False, 5)
    assert counts.unknown == counts.framing == 0


def test_a_header_that_lost_its_last_blank_may_be_continued() -> None:
    for engine in ("fast", "lark"):
        records, _ = read(f"{HEADER[:-1]}\n \n{HEADER[:-1]}", engine)
        assert [(r.msg, r.lines) for r in records] == [("\n ", 2), ("", 1)]


def test_raw_line_break_in_an_unquoted_value() -> None:
    records, _ = read(f'{HEADER}"m" x=[l1\nl2] y="z"\n{OTHER}"n"')
    assert records[0].values == {"x": "[l1\nl2]", "y": "z"}
    assert records[0].lines == 2


def test_a_complete_record_takes_no_further_line() -> None:
    _, counts = read(f'{HEADER}"m" k="v"\ngoroutine 1 [running]:\ngoroutine 2 [running]:')
    assert (counts.records, counts.unknown) == (1, 2)
    assert [(s.shape, s.count, s.first_line) for s in counts.commonest()] == [("goroutine 0 [running]:", 2, 2)]


def test_skip_headers() -> None:
    records, counts = read('"a" k=1\n"b" s=<\n\tx\n > t=2\nstray\n"c"')
    assert [(r.line, r.lines, r.msg, r.values, r.header) for r in records] == [
        (1, 1, "a", {"k": 1}, None),
        (2, 3, "b", {"s": "x", "t": 2}, None),
        (6, 1, "c", {}, None),
    ]
    assert counts.unknown == 1


def test_a_line_without_header_continues_printf_text_before_it_is_a_record() -> None:
    records, _ = read(f'{HEADER}text\n"a" k=1')
    assert [r.msg for r in records] == ['text\n"a" k=1']


def test_preamble_is_framing_also_in_the_middle() -> None:
    created: list[tuple[int, ...]] = []
    counts = Counts()
    preamble = (
        "Log file created at: 2023/08/31 20:03:47\nRunning on machine: m\n"
        "Binary: Built with gc go1.20 for linux/amd64\n"
        "Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg"
    )
    text = f"{preamble}\n{HEADER}printf\n{preamble}\n{OTHER}last"
    lines = [LogLine(line, number) for number, line in enumerate(text.split("\n"), 1)]
    records = list(read_records(lines, counts, lambda *date: created.append(date)))
    assert [r.msg for r in records] == ["printf", "last"]
    assert (counts.total, counts.framing, counts.records, counts.unknown) == (10, 8, 2, 0)
    assert created == [(2023, 8, 31), (2023, 8, 31)]


def test_blank_lines_are_framing() -> None:
    _, counts = read(f'\n{HEADER}"m"\n\n')
    assert (counts.total, counts.framing, counts.records) == (4, 3, 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends(end: str) -> None:
    records, counts = read(
        f'{HEADER}"m" a="x" n=1\n{OTHER}"n" s=<\n\tl1\n\tl2\n > k={{}}\n{OTHER}printf\nmore'.replace("\n", end)
    )
    assert [r.values for r in records] == [{"a": "x", "n": 1}, {"s": "l1\nl2", "k": {}}, {}]
    assert records[2].msg == "printf\nmore"
    assert all("\r" not in r.text for r in records)
    assert counts.unknown == 0


def test_carriage_return_inside_a_block_is_kept() -> None:
    records, _ = read(f'{HEADER}"m" s=<\n\ta\r\n\tb\n >')
    assert records[0].values == {"s": "a\r\nb"}


def test_u2028_does_not_end_a_line() -> None:
    records, _ = read(f'{HEADER}"m" s=<\n\ta\u2028b\x85c\n\td\n > t=x\u2028y')
    assert records[0].values == {"s": "a\u2028b\x85c\nd", "t": "x\u2028y"}


def test_ktesting_block_and_message_over_lines_without_go_tests_indent() -> None:
    text = (
        "a.go:1: I1201 07:29:14.863736] first err=<\n\tl1\n\tl2\n > k=1\n"
        'a.go:2: E1201 07:29:14.863736] two\n    lines k="v"\nend'
    )
    records, counts = read(text)
    assert [(r.msg, r.values, r.lines) for r in records] == [
        ("first", {"err": "l1\nl2", "k": 1}, 4),
        ("two\nlines", {"k": "v"}, 2),
    ]
    assert counts.unknown == 1


def test_go_test_output_around_ktesting() -> None:
    text = (
        "=== RUN   TestX\n    a.go:1: I1201 07:29:14.863736] m k=1\n    a.go:2: plain\n"
        "--- PASS: TestX (0.00s)\nPASS\nok  \tpkg\t0.1s"
    )
    records, counts = read(text)
    assert [(r.msg, r.values) for r in records] == [("m", {"k": 1})]
    assert (counts.framing, counts.unknown) == (4, 1)


def test_truncated_record_is_text() -> None:
    (record,), _ = read(f'{HEADER}"Pod moved to an internal scheduling queue" pod="default/we')
    assert record.structured is False
    assert record.msg == '"Pod moved to an internal scheduling queue" pod="default/we'


def test_blanks_behind_a_structured_record() -> None:
    records, _ = read(f'{HEADER}"m" k="v"  \n{HEADER}"n" \n{HEADER}"quoted" text \n{HEADER}text ')
    assert [(r.msg, r.values) for r in records] == [("m", {"k": "v"}), ("n", {}), ('"quoted" text ', {}), ("text ", {})]


def test_a_record_beyond_the_limit_is_cut_and_counted() -> None:
    line = "x" * 1023
    count = 2 * LONGEST_RECORD // 1024
    records, counts = read(f"{HEADER}dump\n" + "\n".join([line] * count) + f'\n{OTHER}"n"')
    assert [r.lines for r in records] == [count + 1, 1]
    assert LONGEST_RECORD - 2048 < len(records[0].msg) <= LONGEST_RECORD
    assert (counts.cut, counts.records) == (1, count + 2)


def test_records_do_not_reach_from_one_input_into_the_next() -> None:
    counts = Counts()
    lines = [LogLine(f"{HEADER}text", 1, source=0), LogLine("more", 1, source=1)]
    (record,) = read_records(lines, counts)
    assert (record.msg, counts.unknown) == ("text", 1)


PIECES = st.sampled_from(
    [
        f'{HEADER}"m" k="v"',
        f'{HEADER}"m" s=<',
        f"{HEADER}printf",
        f'{OTHER}"m" x=[a',
        '{"ts":1.5,"caller":"a/b.go:1","msg":"m","v":0,"k":1}',
        "    a.go:1: I1201 07:29:14.863736] m k=1",
        "    a.go:1: I1201 07:29:14.863736] m err=<",
        "        \tx",
        "         >",
        "\ttext",
        " >",
        ' > t="u"',
        '"bare" k=1',
        "",
        "=== RUN x",
        "PASS",
        "Log file created at: 2023/08/31 20:03:47",
        "anything at all",
        "b] c",
    ]
)


@given(st.lists(PIECES, max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_every_line_is_in_one_record_or_counted(pieces: list[str], end: str) -> None:
    text = end.join(pieces)
    records, counts = read(text)
    assert counts.total == text.count("\n") + 1 == counts.records + counts.framing + counts.unknown
    assert sum(r.lines for r in records) == counts.records
    assert [r.line for r in records] == sorted({r.line for r in records})
    lines = text.split("\n")
    assert all(r.text == lines[r.line - 1].removesuffix("\r") for r in records)
    assert read(text, "lark") == (records, counts)
