"""From bytes to lines."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.intake import InputStats, IntakeError, Limits, LogLine, open_source
from klogreplay.intake.batch import split_lines
from klogreplay.intake.errors import (
    BinaryInputError,
    DamagedInputError,
    EmptyInputError,
    InputTooLargeError,
    MissingInputError,
    NoLogsError,
)

LINE = 'I0831 20:03:47.184243       1 schedule_one.go:65] "About to try and schedule pod" pod="default/web-0"'
TEXT = "".join(f"{LINE} n={number}\n" for number in range(3000))


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scheduler.log", data)
    return out.getvalue()


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zip": zipped,
}


def read(path: Path | str, limits: Limits | None = None) -> tuple[list[LogLine], list[InputStats]]:
    with open_source(path, limits) as source:
        return list(source), source.inputs


def texts(path: Path | str) -> list[str]:
    return [line.text for line in read(path)[0]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "scheduler.log"


# --- lines ------------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.lists(st.integers(1, 20), min_size=1), st.integers(1, 50))
def test_pieces_joined_are_the_bytes(data: bytes, sizes: list[int], limit: int) -> None:
    chunks, rest = [], data
    while rest:
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(rest[:size])
        rest = rest[size:]
    batches = list(split_lines(chunks, limit))
    expected = data.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert [line for batch in batches for line in batch.lines] == [line[:limit] for line in expected]
    assert sum(batch.cut for batch in batches) == sum(len(line) > limit for line in expected)
    at = {}
    for batch in batches:
        offset = batch.offset
        for index, line in enumerate(batch.lines):
            at[batch.number + index] = offset
            offset += len(line) + 1
            assert data[at[batch.number + index] :].startswith(line)
    assert list(at) == list(range(1, len(expected) + 1))
    assert [data[at[number] - 1 : at[number]] for number in list(at)[1:]] == [b"\n"] * (len(expected) - 1)


def test_lines_have_number_and_offset(log: Path) -> None:
    log.write_bytes(b"one\ntwo\r\n\nthree \xff\xe2\x80\xa8x")
    lines, (stats,) = read(log)
    assert [(line.text, line.number, line.offset) for line in lines] == [
        ("one", 1, 0),
        ("two\r", 2, 4),
        ("", 3, 9),
        ("three \udcff\u2028x", 4, 10),
    ]
    assert (stats.lines, stats.bytes, stats.cut) == (4, 21, 0)
    assert stats.sha256 == hashlib.sha256(log.read_bytes()).hexdigest()


def test_a_line_beyond_the_limit_is_cut_and_counted(log: Path) -> None:
    log.write_bytes(b"a\n" + b"x" * 200_000 + b"\nb\n" + b"y" * 101)
    lines, (stats,) = read(log, Limits(line_bytes=100))
    assert [(line.text[:1], len(line.text), line.number, line.offset) for line in lines] == [
        ("a", 1, 1, 0),
        ("x", 100, 2, 2),
        ("b", 1, 3, 200_003),
        ("y", 100, 4, 200_005),
    ]
    assert (stats.cut, stats.lines, stats.bytes) == (2, 4, 200_106)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from Linux's /proc")
def test_a_line_of_a_gibibyte_takes_little_memory(tmp_path: Path) -> None:
    script = (
        "import re\n"
        "from klogreplay.intake import open_source\n"
        "from klogreplay.klog.reader import read_records\n"
        "records = list(read_records(open_source('-')))\n"
        "peak = re.search('VmHWM: *([0-9]+) kB', open('/proc/self/status').read().replace(chr(9), ' '))\n"
        "print(len(records), int(peak[1]) // 1024)\n"
    )
    reader = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    )
    assert reader.stdin is not None
    reader.stdin.write(LINE.encode())
    for _ in range(1024):
        reader.stdin.write(b"x" * (1 << 20))
    reader.stdin.write(b"\n" + LINE.encode())
    out, _ = reader.communicate()
    records, mebibytes = map(int, out.split())
    assert records == 2
    assert mebibytes < 200


# --- encodings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_with_its_mark(log: Path, encoding: str) -> None:
    mark = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else codecs.BOM_UTF16_BE
    log.write_bytes(mark + ("é👍 " + TEXT).encode(encoding))
    assert texts(log) == ("é👍 " + TEXT).split("\n")[:-1]


def test_utf16_cut_in_the_middle_of_a_character(log: Path) -> None:
    log.write_bytes(codecs.BOM_UTF16_LE + "ab\ncd".encode("utf-16-le")[:-1])
    assert texts(log) == ["ab", "c\ufffd"]


def test_utf8_mark_is_taken_off(log: Path) -> None:
    log.write_bytes(codecs.BOM_UTF8 + b"one\ntwo")
    assert texts(log) == ["one", "two"]


def test_a_hole_of_nul_bytes_in_front_of_a_line(log: Path) -> None:
    log.write_bytes(b"\0" * 100_000 + LINE.encode() + b"\n\0\0" + LINE.encode() + b" \0 inside\n")
    assert texts(log) == [LINE, f"{LINE} \0 inside"]


def test_a_mark_in_the_middle_of_joined_files(log: Path) -> None:
    log.write_bytes(codecs.BOM_UTF8 + b"one\n" + codecs.BOM_UTF8 + "two \ufeff é\n".encode())
    assert texts(log) == ["one", "two \ufeff é"]


# --- compression ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMPRESS)
def test_compression_is_told_by_content(log: Path, name: str) -> None:
    log.write_bytes(COMPRESS[name](TEXT.encode()))
    lines, (stats,) = read(log)
    assert "".join(f"{line.text}\n" for line in lines) == TEXT
    assert [line.offset for line in lines[:3]] == [0, len(LINE) + 5, 2 * (len(LINE) + 5)]
    assert (stats.compression, stats.lines, stats.bytes) == (name, 3000, log.stat().st_size)
    assert stats.sha256 == hashlib.sha256(log.read_bytes()).hexdigest()
    assert stats.warnings == []


@pytest.mark.parametrize("name", ["gzip", "zstd", "xz", "bzip2"])
def test_members_one_behind_the_other(log: Path, name: str) -> None:
    half = len(TEXT) // 2
    log.write_bytes(COMPRESS[name](TEXT[:half].encode()) + COMPRESS[name](TEXT[half:].encode()))
    assert texts(log) == TEXT.split("\n")[:-1]


@pytest.mark.parametrize("name", ["gzip", "xz", "bzip2"])
def test_compressed_data_padded_with_nul_bytes(log: Path, name: str) -> None:
    log.write_bytes(COMPRESS[name](TEXT.encode()) + b"\0" * 200_000)
    lines, (stats,) = read(log)
    assert (len(lines), stats.warnings) == (3000, [])


@pytest.mark.parametrize("name", ["gzip", "xz", "bzip2", "zstd"])
def test_cut_compressed_data_gives_what_is_there(log: Path, name: str) -> None:
    text = "".join(hashlib.sha256(str(number).encode()).hexdigest() + "\n" for number in range(30_000))
    data = COMPRESS[name](text.encode())
    log.write_bytes(data[: len(data) // 2])
    lines, (stats,) = read(log)
    assert len(lines) > 3_000
    assert text.startswith("\n".join(line.text for line in lines[:-1]))
    assert stats.warnings == [f"{log}: damaged or cut {name} data; what follows is lost"]
    assert stats.sha256 == hashlib.sha256(log.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", COMPRESS)
def test_damaged_compressed_data(log: Path, name: str) -> None:
    log.write_bytes(COMPRESS[name](TEXT.encode())[:12] + b"\xff\x13garbage" * 50)
    with pytest.raises(DamagedInputError, match=rf"^{log}: damaged {name} data$"):
        read(log)


@pytest.mark.parametrize("name", ["gzip", "xz", "bzip2", "zstd"])
def test_a_decompression_bomb_is_refused(log: Path, name: str) -> None:
    log.write_bytes(COMPRESS[name](b"x\n" * 600_000))
    with pytest.raises(InputTooLargeError, match=rf"^{log}: {name} data grows to more than 100 times its size$"):
        read(log, Limits(ratio=100, ratio_from_bytes=1 << 20))
    assert len(read(log, Limits(ratio=100_000, ratio_from_bytes=1 << 20))[0]) == 600_000


def test_a_zip_archive_gives_its_logs_by_name(log: Path) -> None:
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("b/scheduler.log.1", "second")
        archive.writestr("a/scheduler.log", "first\n")
        archive.writestr("pods.json", "{}")
    assert texts(log) == ["first", "second"]


def test_a_zip_archive_without_logs(log: Path) -> None:
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("pods.json", "{}")
        archive.writestr("nodes.json", "{}")
    with pytest.raises(NoLogsError, match="the archive holds no log file"):
        read(log)


# --- inputs that cannot be read ---------------------------------------------------------------------------------------


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match=r"^\S*nowhere\.log: no such file$"):
        open_source(tmp_path / "nowhere.log")
    with pytest.raises(MissingInputError, match="no input given"):
        open_source([])


@pytest.mark.parametrize(
    "data", [b"", gzip.compress(b""), zstandard.ZstdCompressor().compress(b"")], ids=["none", "gzip", "zstd"]
)
def test_empty(log: Path, data: bytes) -> None:
    log.write_bytes(data)
    with pytest.raises(EmptyInputError, match=r"the input is empty$"):
        read(log)


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0" + bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
        hashlib.shake_128(b"seed").digest(9000),
        "日本".encode("shift_jis") * 500,
    ],
    ids=["elf", "png", "random", "other encoding"],
)
def test_binary(log: Path, data: bytes) -> None:
    log.write_bytes(data)
    with pytest.raises(BinaryInputError, match=r"binary data, not a log$"):
        read(log)
    log.write_bytes(gzip.compress(data))
    with pytest.raises(BinaryInputError, match=r"binary data inside gzip, not a log$"):
        read(log)


def test_a_little_text_with_control_characters_is_text(log: Path) -> None:
    log.write_bytes(f"{LINE} s=<\n\t\x07\n\t\x1f\x07\n >\n".encode())
    assert texts(log) == [f"{LINE} s=<", "\t\x07", "\t\x1f\x07", " >"]


def test_a_log_with_escape_sequences_and_some_broken_bytes_is_text(log: Path) -> None:
    log.write_bytes(b"\x1b[31mI0831\x1b[0m \xff\xfe caf\xe9 text enough to be one\n")
    assert len(texts(log)) == 1


def test_errors_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.log").touch()
    for path in (tmp_path / "nowhere", tmp_path / "empty.log"):
        with pytest.raises(IntakeError) as caught:
            read(path)
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(log: Path) -> None:
    log.write_text("x")
    log.chmod(0)
    with pytest.raises(MissingInputError, match="Permission denied"):
        open_source(log)


# --- several inputs ---------------------------------------------------------------------------------------------------


def test_a_directory_gives_its_logs_by_path(tmp_path: Path) -> None:
    (tmp_path / "kube-scheduler").mkdir()
    (tmp_path / "kube-scheduler" / "0.log").write_text("two\n")
    (tmp_path / "kube-scheduler" / "0.log.20230831-200347.gz").write_bytes(gzip.compress(b"three\n"))
    (tmp_path / "a.log").write_text("one")
    (tmp_path / "link.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "gone.log").symlink_to(tmp_path / "nowhere")
    (tmp_path / "truth.json").write_text("{}")
    (tmp_path / ".hidden.log").write_text("no")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.log").write_text("no")
    lines, inputs = read(tmp_path)
    assert [(line.text, line.number, line.source) for line in lines] == [("one", 1, 0), ("two", 1, 1), ("three", 1, 2)]
    assert [Path(stats.name).name for stats in inputs] == ["a.log", "0.log", "0.log.20230831-200347.gz"]


def test_a_directory_without_logs(tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text("{}")
    with pytest.raises(NoLogsError, match=r"a directory without log files$"):
        open_source(tmp_path)


def test_a_directory_with_too_many_logs(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.log").write_text("x")
    with pytest.raises(NoLogsError, match=r"more than 3 log files$"):
        open_source(tmp_path, Limits(files=3))


def test_several_inputs_in_the_order_given(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.log").write_text(name)
    with open_source([tmp_path / "b.log", tmp_path / "a.log"]) as source:
        assert [(line.text, line.source) for line in source] == [("b", 0), ("a", 1)]
        assert [stats.bytes for stats in source.inputs] == [1, 1]


def test_standard_input(tmp_path: Path) -> None:
    script = (
        "from klogreplay.intake import open_source\n"
        "with open_source('-') as source:\n"
        "    print([line.text for line in source], source.inputs[0].name, source.inputs[0].compression)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=gzip.compress(b"one\ntwo"), cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "['one', 'two'] - gzip"


def test_a_pipe_that_gives_byte_by_byte(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = gzip.compress(b"one\ntwo")

    def write() -> None:
        with pipe.open("wb", buffering=0) as stream:
            for byte in data:
                stream.write(bytes([byte]))
                time.sleep(0.001)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    lines, (stats,) = read(pipe)
    writer.join(10)
    assert [line.text for line in lines] == ["one", "two"]
    assert (stats.bytes, stats.sha256) == (len(data), hashlib.sha256(data).hexdigest())


# --- anything at all --------------------------------------------------------------------------------------------------


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\x1f\x8b\x08", b"BZh9", b"PK\x03\x04", b"\xfd7zXZ\0", b"(\xb5/\xfd"]),
)
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes, magic: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.log"
    path.write_bytes(magic + data)
    refused = ""
    try:
        lines, (stats,) = read(path)
    except IntakeError as error:
        refused = str(error)
    if refused:
        assert refused.startswith(f"{path}: ")
    else:
        assert (stats.lines, stats.bytes) == (len(lines), len(magic + data))
