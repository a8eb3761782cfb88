"""The logs that the benchmarks read: recorded or from the project's fixtures, made as long as is asked for."""

from __future__ import annotations

import datetime
import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from klogreplay.intake import LogLine
from klogreplay.klog.counts import Counts
from klogreplay.klog.reader import read_records
from klogreplay.klog.record import KlogRecord

ROOT = Path(__file__).resolve().parents[1]
RECORDED = Path(os.environ.get("KLOGREPLAY_RECORDED", ROOT.parent / "shared" / "data")) / "sched-logs"
FIXTURES = ROOT / "fixtures" / "analyze"

_DATE = re.compile(rb"^([IWEF])([0-9]{4}) ", re.MULTILINE)
_JSON_TIME = re.compile(rb'"ts":([0-9]+)')
_DAY_MS = 86_400_000
_REFERENCES = frozenset({"pod", "node", "victim", "preemptor", "waitingPod", "claim"})


def first(*candidates: Path) -> Path | None:
    """The first of these files that is there."""
    return next((path for path in candidates if path.is_file()), None)


def sources() -> dict[str, Path]:
    """The logs that are at hand, by what they stand for."""
    found = {
        "-v=5, 1.29": first(RECORDED / "big" / "1.29.1-v5" / "scheduler.log.gz"),
        "-v=5, 1.28.0": first(
            RECORDED / "1.28.0" / "S01" / "seed1-v5" / "scheduler.log", FIXTURES / "stale-plugins-dra-1.28.0-v5.log"
        ),
        "-v=10, 1.28.0": first(RECORDED / "big" / "1.28.0-v10" / "scheduler.log.gz"),
        "healthy, 1.28.3": first(FIXTURES / "healthy-1.28.3-v5.log"),
        "JSON": next(iter(sorted(RECORDED.glob("*/*/*/scheduler.json.log"))), None),
    }
    return {name: path for name, path in found.items() if path is not None}


def read(path: Path) -> bytes:
    """A log's bytes, decompressed."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def on_day(text: bytes, days: int) -> bytes:
    """The log as it would have been written so many days later."""
    if not days:
        return text
    if text.startswith(b"{"):
        return _JSON_TIME.sub(lambda match: b'"ts":%d' % (int(match[1]) + days * _DAY_MS), text)

    def later(match: re.Match[bytes]) -> bytes:
        moved = moves.get(match[2])
        if moved is None:
            month, day = int(match[2][:2]), int(match[2][2:])
            date = datetime.date(2001, month, day) + datetime.timedelta(days)
            moved = moves[match[2]] = b"%02d%02d" % (date.month, date.day)
        return match[1] + moved + b" "

    moves: dict[bytes, bytes] = {}
    return _DATE.sub(later, text)


def repeated(text: bytes, size: int) -> Iterator[bytes]:
    """The log over and over, each time a day later, until there are `size` bytes; cut at a line's end.

    The scheduler's start, which makes half of a short log, comes once.
    """
    if not text.endswith(b"\n"):
        text += b"\n"
    begun = max(text.find(b"Add event for"), 0)
    after_start = text[text.rfind(b"\n", 0, begun) + 1 :]
    written = 0
    for days in range(1_000_000):
        piece = on_day(after_start if days else text, days % 360)
        if written + len(piece) >= size:
            yield piece[: piece.rfind(b"\n", 0, max(size - written, 1)) + 1]
            return
        yield piece
        written += len(piece)


def make(target: Path, text: bytes, size: int) -> Path:
    """Write a log of `size` bytes."""
    with target.open("wb") as file:
        for piece in repeated(text, size):
            file.write(piece)
    return target


def compressed(log: Path) -> dict[str, Path]:
    """The log as gz and as zst."""
    text = log.read_bytes()
    gz, zst = log.with_suffix(".log.gz"), log.with_suffix(".log.zst")
    gz.write_bytes(gzip.compress(text, 6, mtime=0))
    zst.write_bytes(zstandard.compress(text))
    return {"gz": gz, "zst": zst}


def escaped(text: bytes) -> bytes:
    """The log with an escape in the first value of each line that has one."""
    return re.sub(rb'(\] "[^"\n]*" [A-Za-z]+=")', rb"\1\\t", text)


def with_unknown_keys(text: bytes) -> bytes:
    """A JSON log with two keys in each line that no scheduler prints."""
    return re.sub(rb"\}$", rb',"zone":"eu-1","extra":{"a":[1,2,3]}}', text, flags=re.MULTILINE)


def in_cri(text: bytes) -> bytes:
    """The log as a container runtime keeps it."""
    return re.sub(rb"^(?=.)", b"2026-12-01T07:41:53.756956001Z stderr F ", text, flags=re.MULTILINE)


def in_docker(text: bytes) -> bytes:
    """The log as Docker's json-file driver keeps it."""
    return b"".join(
        msgspec.json.encode(
            {"log": f"{line.decode(errors='replace')}\n", "stream": "stderr", "time": "2026-12-01T07:41:53.756956001Z"}
        )
        + b"\n"
        for line in text.split(b"\n")
        if line
    )


def with_timestamps(text: bytes) -> bytes:
    """The log as `kubectl logs --timestamps` prints it."""
    return re.sub(rb"^(?=.)", b"2026-12-01T07:41:53.756956001Z ", text, flags=re.MULTILINE)


def in_journald(text: bytes) -> bytes:
    """The log as `journalctl` prints it."""
    return re.sub(rb"^(?=.)", b"Dec 01 07:41:53 node-1 kube-scheduler[812]: ", text, flags=re.MULTILINE)


def in_json(text: bytes) -> bytes:
    """The same records as `--logging-format=json` has them.

    The keys' order is that of component-base: time, logger, caller, message, verbosity, the pairs, the error.
    """
    return b"".join(msgspec.json.encode(each) + b"\n" for each in map(_as_json, _records(text)) if each)


def _records(text: bytes) -> Iterator[KlogRecord]:
    lines = text.decode("utf-8", "surrogateescape").split("\n")
    return read_records((LogLine(line, number) for number, line in enumerate(lines, 1)), Counts())


def _as_json(record: KlogRecord) -> dict[str, Any] | None:
    header = record.header
    if header is None or header.time is None or header.month is None or header.day is None:
        return None
    midnight = datetime.datetime(2026, header.month, header.day, tzinfo=datetime.UTC).timestamp() * 1000
    hours, minutes, seconds = header.time.split(":")
    values = {key: _reference(value) if key in _REFERENCES else value for key, value in record.values.items()}
    made: dict[str, Any] = {"ts": midnight + int(hours) * 3_600_000 + int(minutes) * 60_000 + float(seconds) * 1000}
    if "logger" in values:
        made["logger"] = values.pop("logger")
    made |= {"caller": f"scheduler/{header.file}:{header.line}", "msg": record.msg}
    if header.severity == "I":
        made["v"] = 4
    err = {"err": values.pop("err")} if "err" in values else {}
    return made | values | err


def _reference(value: Any) -> Any:
    namespace, _, name = str(value).rpartition("/")
    return ({"name": name} | ({"namespace": namespace} if namespace else {})) if name else value
