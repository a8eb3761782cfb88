"""`python -m klogreplay.queue.conformance`: what it prints, how it ends, and that no file brings it down."""

from __future__ import annotations

import gzip
import io
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klogreplay.queue.conformance import __main__ as runner
from klogreplay.queue.conformance import recording
from klogreplay.queue.conformance.recording import DamagedRecordingError, Header, Row, read
from tests.conftest import FIXTURES, ROOT

VECTORS = FIXTURES / "queue-vectors"


def scenario(release: str, combo: str, name: str) -> list[dict[str, Any]]:
    """The rows of one recorded scenario, its header first."""
    rows: list[dict[str, Any]] = []
    for line in gzip.decompress((VECTORS / f"{release}.jsonl.gz").read_bytes()).splitlines():
        row = json.loads(line)
        if "kubernetes" in row:
            wanted = row["combo"] == combo and row["scenario"].startswith(name)
        if wanted:
            rows.append(row)
    assert rows
    return rows


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(rows: list[dict[str, Any]], name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return written


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = runner.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


MARKER = ("1.28.0", "hints", "12-seed")


def test_equal_files_are_counted_and_end_with_zero(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path]
) -> None:
    plain, zipped = write(scenario(*MARKER)), write(scenario(*MARKER), "again.jsonl.gz")
    code, out, err = run(capsys, plain, zipped)
    assert code == 0
    assert err == ""
    assert out == f"{plain}: ops=8 mismatches=0\n{zipped}: ops=8 mismatches=0\ntotal files=2 ops=16 mismatches=0\n"


def test_skipped_operations_count_as_operations(capsys: pytest.CaptureFixture[str], write: Callable[..., Path]) -> None:
    rows = scenario("1.35.4", "hints-pop", "50")
    skipped = sum("skipped" in row["result"] for row in rows[1:])
    assert skipped
    code, out, _ = run(capsys, write(rows))
    assert code == 0
    assert out.endswith(f"total files=1 ops={len(rows) - 1} mismatches=0\n")


def test_a_folder_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, VECTORS)
    assert code == 0
    assert out.splitlines()[-1].startswith("total files=16 ops=")
    assert "README" not in out


def test_the_first_difference_is_shown_field_by_field(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path]
) -> None:
    path = write(scenario(*MARKER))
    code, out, _ = run(capsys, path, "--profile", "1.28.0:in_flight=own-entry")
    assert code == 1
    assert out.splitlines() == [
        f"{path}: ops=8 mismatches=6",
        "  first difference in 1.28.0 hints 12-seed-bug-A-marker-removed, row 2: pop",
        '    state.inFlightPods    expected  [{"uid":"p1-u1","marker":null}]',
        '                          got       [{"uid":"p1-u1","marker":0}]',
        "    state.inFlightEvents  expected  []",
        '                          got       [{"pod":"p1-u1","event":"","resource":"","action":0,"oldObj":null,'
        '"newObj":null,"refCount":null}]',
        "total files=1 ops=8 mismatches=6",
    ]


def test_every_kind_of_difference_is_told(capsys: pytest.CaptureFixture[str], write: Callable[..., Path]) -> None:
    def first_fields(change: Callable[[list[dict[str, Any]]], None]) -> list[str]:
        rows = scenario(*MARKER)
        change(rows)
        code, out, _ = run(capsys, write(rows))
        assert code == 1
        return [line.split()[0] for line in out.splitlines() if "expected  " in line]

    def pop_other(rows: list[dict[str, Any]]) -> None:
        rows[3]["result"]["pod"] = "p9"

    def clock(rows: list[dict[str, Any]]) -> None:
        rows[1]["clock"] += 1

    def error(rows: list[dict[str, Any]]) -> None:
        rows[1]["result"]["error"] = "Pod p1 is bad"

    def priority(rows: list[dict[str, Any]]) -> None:
        rows[1]["state"]["podInfo"][0]["priority"] = 3

    def missing(rows: list[dict[str, Any]]) -> None:
        rows[1]["state"]["podInfo"].clear()

    def disorder(rows: list[dict[str, Any]]) -> None:
        rows[:] = scenario("1.22.6", "nohints", "10")
        for row in rows[1:]:
            if len(row["state"]["backoffQ"]) > 1:
                row["state"]["backoffQ"].reverse()

    def unknown(rows: list[dict[str, Any]]) -> None:
        rows[1]["op"]["op"] = "explode"

    def undelivered(rows: list[dict[str, Any]]) -> None:
        del next(row for row in rows if row.get("op", {}).get("op") == "moveAll")["result"]["event"]

    def unnamed(rows: list[dict[str, Any]]) -> None:
        del rows[3]["op"]["handle"]

    assert first_fields(pop_other) == ["result.pod"]
    assert first_fields(clock) == ["clock"]
    assert first_fields(error) == ["result.error"]
    assert first_fields(priority) == ["podInfo[active"]
    assert first_fields(missing) == ["podInfo[active"]
    assert first_fields(disorder) == ["state.backoffQ"]
    assert first_fields(unknown)[0] == "result.error"
    assert first_fields(undelivered)[0] == "result.error"
    assert first_fields(unnamed) == ["podInfo[held"]


def test_what_the_format_says_not_to_compare_is_not(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path]
) -> None:
    rows = scenario("1.33.0", "hints-nopop", "33")
    for row in rows[1:]:
        row["log"] = ["anything"]
        for info in row["state"]["podInfo"]:
            info["backoffExpiration"] = 17
            if info["where"] == "held":
                info["expiry"] = 18
        row["state"]["podInfo"].reverse()
        row["state"]["unschedulable"].reverse()
        row["state"]["inFlightPods"].reverse()
    assert run(capsys, write(rows))[0] == 0


def test_long_values_are_cut(capsys: pytest.CaptureFixture[str], write: Callable[..., Path]) -> None:
    rows = scenario(*MARKER)
    rows[1]["state"]["activeQ"] = ["x" * 1000]
    _, out, _ = run(capsys, write(rows))
    assert f'["{"x" * 598} ... (1004 characters)' in out


def test_control_characters_of_a_recording_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path]
) -> None:
    rows = scenario(*MARKER)
    rows[0]["scenario"] = "\x1b[31mred"
    rows[1]["op"]["op"] = "pop\x1b]0;title\x07"
    _, out, _ = run(capsys, write(rows))
    assert "\x1b" not in out
    assert "\\x1b[31mred, row 0: pop\\x1b]0;title\\x07 p1" in out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"{", "line 1: Input data was truncated"),
        (b"nonsense", "line 1: JSON is malformed"),
        (b"{}", "line 1: Object missing required field `kubernetes`"),
        (b"[1]", "line 1: Expected `object`, got `array`"),
        (b"\xff\xfe", "line 1: "),
        (b"[" * 100_000, "line 1: "),
        (b"\x1f\x8b", "Compressed file ended before the end-of-stream marker was reached"),
        (b"\x1f\x8bgarbage that is no gzip", "Unknown compression method"),
    ],
)
def test_a_damaged_file_is_told_and_ends_with_three(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, told: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    code, out, err = run(capsys, path)
    assert code == 3
    assert out == "total files=1 ops=0 mismatches=0\n"
    assert err.startswith(f"{path}: {told}")
    assert err.count("\n") == 1


def test_a_damaged_row_is_told_by_its_own_error(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path], tmp_path: Path
) -> None:
    rows = scenario(*MARKER)
    rows[2]["clock"] = "noon"
    code, _, err = run(capsys, write(rows))
    assert code == 3
    assert "line 3: Expected `int`, got `str` - at `$.clock`" in err
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes((VECTORS / "1.22.6.jsonl.gz").read_bytes()[:-400])
    assert run(capsys, cut)[0] == 3


def test_unreadable_outweighs_a_mismatch_and_the_other_files_are_still_done(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path], tmp_path: Path
) -> None:
    rows = scenario(*MARKER)
    rows[1]["clock"] += 1
    code, out, err = run(capsys, tmp_path / "missing.jsonl", write(rows))
    assert code == 3
    assert "missing.jsonl: " in err
    assert out.endswith("total files=2 ops=8 mismatches=1\n")


def test_an_empty_folder_has_nothing_to_say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, tmp_path) == (3, "total files=0 ops=0 mismatches=0\n", "no recordings found\n")


def test_an_unknown_release_is_told(capsys: pytest.CaptureFixture[str], write: Callable[..., Path]) -> None:
    rows = scenario(*MARKER)
    rows[0]["kubernetes"] = "1.28.2"
    code, _, err = run(capsys, write(rows))
    assert code == 3
    assert "no Kubernetes release '1.28.2'" in err
    assert run(capsys, write(rows), "--profile", "1.28.0")[0] == 0


def test_a_profile_keeps_the_recording_s_gates_where_it_names_none(
    capsys: pytest.CaptureFixture[str], write: Callable[..., Path]
) -> None:
    path = write(scenario("1.29.1", "hints", "12-seed"))
    assert run(capsys, path, "--profile", "1.29.3")[0] == 0
    assert run(capsys, path, "--profile", "1.29.3:SchedulerQueueingHints=false")[0] == 1
    assert run(capsys, path, "--profile", "1.29.3:SchedulerQueueingHints=TRUE,Unknown=false")[0] == 0
    assert run(capsys, path, "--profile", "v1.28.0:in_flight=own-entry,")[0] == 0
    assert run(capsys, path, "--profile", "v1.28.0")[0] == 1


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        ("1.28.2", "no Kubernetes release '1.28.2'"),
        ("1.28.0:in_flight=magic", "axis in_flight has no behaviour 'magic'"),
        ("1.28.0:Gate=maybe", "'Gate=maybe' is neither GATE=true|false nor AXIS=BEHAVIOUR"),
    ],
)
def test_a_bad_profile_is_a_usage_error(capsys: pytest.CaptureFixture[str], profile: str, told: str) -> None:
    with pytest.raises(SystemExit) as ended:
        runner.main([str(VECTORS), "--profile", profile])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_no_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        runner.main([])
    assert ended.value.code == 2


def test_a_row_before_any_header_is_damage() -> None:
    row = next(item for item in read(VECTORS / "1.22.6.jsonl.gz") if isinstance(item, Row))
    with pytest.raises(DamagedRecordingError, match="a row comes before the first header"):
        runner.conform([row])


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_LINE_BYTES", 100)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b" " * 1000)
    with pytest.raises(DamagedRecordingError, match="line 1: longer than 100 bytes"):
        list(read(path))


def test_it_runs_as_a_module_and_bears_a_closed_pipe() -> None:
    command = [sys.executable, "-m", "klogreplay.queue.conformance", str(VECTORS / "1.22.6.jsonl.gz")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("total files=1 ops=672 mismatches=0\n")
    reading, writing = os.pipe()
    os.close(reading)
    closed = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    os.close(writing)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_it_writes_to_streams_that_are_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["conformance", str(VECTORS / "1.22.6.jsonl.gz")])
    monkeypatch.delitem(sys.modules, "klogreplay.queue.conformance.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("klogreplay.queue.conformance", run_name="__main__", alter_sys=True)
    assert ended.value.code == 0
    assert out.getvalue().endswith("total files=1 ops=672 mismatches=0\n")


def test_a_row_without_its_pod_is_damage(capsys: pytest.CaptureFixture[str], write: Callable[..., Path]) -> None:
    rows = scenario(*MARKER)
    del rows[1]["op"]["pod"]
    code, _, err = run(capsys, write(rows))
    assert code == 3
    assert err.endswith("row 0: add without a pod\n")


def test_a_closed_pipe_is_borne_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(runner, "run", broken)
    kept = os.dup(1)
    try:
        with open(os.devnull, "w", encoding="utf-8") as out:
            monkeypatch.setattr(sys, "stdout", out)
            assert runner.main([str(VECTORS)]) == 0
    finally:
        os.dup2(kept, 1)
        os.close(kept)


ROWS = scenario(*MARKER)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def paths_in(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [deeper for key, inner in items for deeper in paths_in(inner, (*path, key))]


@settings(
    max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(data=st.data())
def test_no_recording_whatever_it_says_gives_a_traceback(
    data: st.DataObject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(json.dumps(ROWS))
    number = data.draw(st.integers(0, len(rows) - 1))
    path = data.draw(st.sampled_from(paths_in(rows[number])[1:]))
    holder = rows[number]
    for key in path[:-1]:
        holder = holder[key]
    if data.draw(st.booleans()):
        holder[path[-1]] = data.draw(JSON)
    elif isinstance(holder, dict):
        del holder[path[-1]]
    else:
        holder.pop(path[-1])
    file = tmp_path / "hostile.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    code, out, _ = run(capsys, file)
    assert code in (0, 1, 3)
    assert out.splitlines()[-1].startswith("total files=1 ops=")


def test_the_header_says_which_gates_were_set() -> None:
    header = next(iter(read(VECTORS / "1.28.0.jsonl.gz")))
    assert isinstance(header, Header)
    assert runner.profile_of(header, None).gates == {"SchedulerQueueingHints": header.combo == "hints"}
