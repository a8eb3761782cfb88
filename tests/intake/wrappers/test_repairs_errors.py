"""klog's files of one run in one stream: every error and warning counts once, where the whole log has it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.intake.batch import Batch
from klogreplay.intake.limits import Limits
from klogreplay.intake.repairs import Mending, errors_again, errors_first, repaired
from tests.intake.wrappers.test_copied_blocks import rows

HEADER = [
    b"Log file created at: 2026/12/01 08:00:00",
    b"Running on machine: cp-1",
    b"Binary: Built with gc go1.20.7 for linux/amd64",
    b"Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg",
]


def info(count: int, severe: dict[int, bytes], blocks: bool = False) -> list[bytes]:
    """So many records, 10 ms apart; those named have another severity, and every second of these a block."""
    out = []
    for n, row in enumerate(rows(count)):
        line = severe.get(n, b"I") + row[1:]
        out += [line + b" err=<", b"\tone", b"\ttwo", b" >"] if blocks and n in severe and n % 2 else [line]
    return out


def severe_of(lines: list[bytes], kinds: bytes = b"WEF") -> list[bytes]:
    out, taken = [], False
    for line in lines:
        if not line.startswith((b"\t", b" >")):
            taken = line[0] in kinds
        out += [line] * taken
    return out


def read(lines: list[bytes], size: int = 400) -> tuple[list[bytes], Mending]:
    mending = Mending(Limits())
    batches = iter([Batch(lines[n : n + size], n + 1, 0) for n in range(0, len(lines), size)])
    return [line for batch in repaired(batches, mending) for line in batch.lines], mending


SEVERE = {5: b"E", 12: b"E", 31: b"W", 32: b"E", 70: b"E", 71: b"E", 72: b"W", 73: b"E", 99: b"W"}
SIZES = [1, 2, 3, 7, 50, 4000]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("chosen", [{12: b"E"}, {3: b"W", 50: b"E"}, SEVERE], ids=["one", "two", "many"])
def test_files_joined_in_any_order(chosen: dict[int, bytes], blocks: bool, size: int) -> None:
    whole = info(100, chosen, blocks)
    warnings, errors = severe_of(whole), severe_of(whole, b"EF")
    for lines in (
        [*whole, *warnings],
        [*whole, *warnings, *errors],
        [*whole, *errors, *warnings],
        [*warnings, *whole],
        [*errors, *warnings, *whole],
        [*errors, *whole, *warnings],
    ):
        out, mending = read(lines, size)
        assert out == whole
        assert mending.damage.dropped == len(lines) - len(whole)
        assert all(damage.count for damage in mending.damage.all())


@pytest.mark.parametrize("size", SIZES)
def test_headers_of_the_files_stay(size: int) -> None:
    whole = info(100, SEVERE)
    errors = severe_of(whole)
    assert read([*HEADER, *whole, *HEADER, *errors], size)[0] == [*HEADER, *whole, *HEADER]
    assert read([*HEADER, *errors, *HEADER, *whole], size)[0] == [*HEADER, *HEADER, *whole]


@pytest.mark.parametrize("size", SIZES)
def test_the_warning_says_how_many_and_where(size: int) -> None:
    whole = info(100, {5: b"E", 12: b"E"})
    errors = severe_of(whole)
    _, after = read([*whole, *errors], size)
    assert [str(damage) for damage in after.damage.all()] == [f"{errors_again.READ_ONCE} (2: lines 101, 102)"]
    _, before = read([*errors, *whole], size)
    assert [str(damage) for damage in before.damage.all()] == [f"{errors_first.READ_ONCE} (2: lines 1, 2)"]


@pytest.mark.parametrize("size", SIZES)
def test_records_in_front_that_the_log_does_not_have_stand_where_their_time_is(size: int) -> None:
    """Its first file was rotated away, or lines of it are lost."""
    whole = info(100, SEVERE)
    errors = severe_of(whole)
    out, mending = read([*errors, *whole[20:72]], size)
    assert out == [*severe_of(whole[:20]), *whole[20:72], *severe_of(whole[72:])]
    assert mending.damage.dropped == 4
    without = [line for line in whole if line not in errors]
    out, mending = read([*errors, *without], size)
    assert out == whole
    assert mending.damage.dropped == 0


@pytest.mark.parametrize("size", SIZES)
def test_merged_by_time(size: int) -> None:
    whole = info(100, SEVERE, blocks=True)
    out = []
    for at, line in enumerate(whole):
        out.append(line)
        if line == b" >" or (line[:1] in (b"E", b"W") and not line.endswith(b"=<")):
            begin = next(n for n in range(at, -1, -1) if whole[n][:1] in (b"E", b"W"))
            out += whole[begin : at + 1]
    assert len(out) > len(whole)
    assert read(out, size)[0] == whole


@pytest.mark.parametrize("size", SIZES)
def test_errors_that_are_not_the_same_are_kept(size: int) -> None:
    whole = info(50, {5: b"E", 7: b"W"}, blocks=True)
    errors = severe_of(whole)
    block = next(line for line in errors if line.endswith(b"=<"))
    for other in (
        [line.replace(b" 1 a.go", b" 2 a.go") for line in errors],
        [line.replace(b'n="', b'n="x') for line in errors],
        [block, b"\tone", b"\tthree", b" >"],
    ):
        if size > len(whole):
            out, mending = read([*whole, *other], size)
            assert (out, mending.damage.dropped) == ([*whole, *other], 0)


@pytest.mark.parametrize("size", SIZES)
def test_a_log_that_begins_with_warnings_is_left_alone(size: int) -> None:
    for severe in ({0: b"W"}, {0: b"W", 1: b"E", 2: b"F"}, dict.fromkeys(range(100), b"E")):
        whole = info(100, severe, blocks=True)
        out, mending = read([*HEADER, *whole], size)
        assert (out, mending.damage.kinds) == ([*HEADER, *whole], {})


def test_far_more_than_the_memory_of_blocks_between() -> None:
    whole = info(60_000, {5: b"E", 30_000: b"E", 59_000: b"W"})
    assert sum(map(len, whole)) < errors_again.MOST_KEPT
    filled = [line + b' x="' + b"y" * 200 + b'"' for line in whole]
    errors = severe_of(filled)
    assert sum(map(len, filled)) > 2 * errors_again.MOST_KEPT
    assert read([*filled, *errors])[0] == filled
    assert read([*errors, *filled])[0] == filled


def test_more_errors_than_are_remembered() -> None:
    whole = info(30_000, dict.fromkeys(range(30_000), b"E"))
    filled = [line + b' x="' + b"y" * 300 + b'"' for line in whole]
    lines = [*filled, *[b"I" + line[1:] for line in filled[:1]]]
    out, mending = read(lines)
    assert (out, mending.damage.kinds) == (lines, {})


@given(
    st.lists(
        st.sampled_from([*info(6, {1: b"E", 2: b"W", 4: b"E"}, blocks=True), b"\tx", b"plain", b"{", HEADER[0], b""]),
        max_size=40,
    ),
    st.integers(1, 12),
)
def test_nothing_is_lost_or_made_up(lines: list[bytes], size: int) -> None:
    out, mending = read(lines, size)
    assert len(out) + mending.damage.dropped == len(lines)
    assert set(out) <= set(lines)
    assert {line for line in lines if line[:1] in (b"I", b"E", b"W")} == {
        line for line in out if line[:1] in (b"I", b"E", b"W")
    }


def test_twice_the_lines_take_twice_the_time() -> None:
    """Nothing but errors, in front and behind, and all of them copies."""

    def seconds(count: int) -> float:
        whole = info(count, dict.fromkeys(range(0, count, 2), b"E"), blocks=True)
        errors = severe_of(whole)
        begun = time.process_time()
        read([*errors, *whole, *errors])
        return time.process_time() - begun

    seconds(500)
    assert min(seconds(8000) for _ in range(3)) < 6 * min(seconds(2000) for _ in range(3))
