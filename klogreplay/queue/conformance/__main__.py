"""`python -m klogreplay.queue.conformance FILE...`: replay recordings and show where the model differs.

Exit codes: 0 all equal, 1 a mismatch, 2 usage, 3 a file that cannot be read (or whose release is unknown).
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TextIO

import msgspec

from klogreplay.queue.behaviours import AXES
from klogreplay.queue.conformance.compare import Difference, differences
from klogreplay.queue.conformance.player import Player
from klogreplay.queue.conformance.recording import DamagedRecordingError, Header, Row, read
from klogreplay.queue.profiles import Profile, UnknownRelease, profile_for

OK: Final = 0
MISMATCH: Final = 1
USAGE: Final = 2
UNREADABLE: Final = 3

_SHOWN: Final = 600


class Override(msgspec.Struct, frozen=True):
    """What `--profile` asked for instead of the header's release and gates."""

    release: str
    gates: dict[str, bool]
    behaviours: dict[str, str]


class Mismatch(msgspec.Struct, frozen=True):
    """A row at which the model differs, the recording it is in, and in what it differs."""

    header: Header
    row: Row
    differences: list[Difference]


class Report(msgspec.Struct):
    """What came out for one file."""

    ops: int = 0
    mismatches: int = 0
    first: Mismatch | None = None


def conform(items: Iterable[Header | Row], override: Override | None = None) -> Report:
    """Replay recordings: each header starts a new model, each row is done and compared.

    Raises UnknownRelease, DamagedRecordingError if a row comes before any header, and what reading the items raises.
    """
    report = Report()
    playing: tuple[Header, Player] | None = None
    for item in items:
        if isinstance(item, Header):
            playing = item, Player(item, profile_of(item, override))
            continue
        if playing is None:
            raise DamagedRecordingError("a row comes before the first header")
        header, player = playing
        result = player.play(item)
        report.ops += 1
        found = differences(item, result, player)
        if found:
            report.mismatches += 1
            report.first = report.first or Mismatch(header, item, found)
    return report


def profile_of(header: Header, override: Override | None) -> Profile:
    """The profile of the header's release and gates, or the one that was asked for.

    An override keeps the header's gates where it names none. Raises UnknownRelease.
    """
    if override is None:
        return profile_for(header.kubernetes, header.feature_gates)
    profile = profile_for(override.release, {**header.feature_gates, **override.gates})
    return profile.replace(**override.behaviours)


def parse_override(text: str) -> Override:
    """`RELEASE[:NAME=value,...]`, where a NAME is a gate (true, false) or an axis (one of its behaviours)."""
    release, _, settings = text.partition(":")
    gates: dict[str, bool] = {}
    behaviours: dict[str, str] = {}
    for setting in filter(None, settings.split(",")):
        name, _, value = setting.partition("=")
        if name in AXES:
            behaviours[name] = value
        elif value.lower() in ("true", "false"):
            gates[name] = value.lower() == "true"
        else:
            raise argparse.ArgumentTypeError(f"{setting!r} is neither GATE=true|false nor AXIS=BEHAVIOUR")
    try:
        profile_for(release, gates).replace(**behaviours)
    except KeyError as error:
        raise argparse.ArgumentTypeError(str(error.args[0])) from None
    return Override(release, gates, behaviours)


def files_below(paths: Iterable[Path]) -> Iterator[Path]:
    """The files as given; of a folder all recordings below it, sorted."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*.jsonl*") if file.is_file())
        else:
            yield path


def describe(mismatch: Mismatch) -> Iterator[str]:
    """The mismatch as a table, field by field."""
    op = mismatch.row.op
    subject = op.pod.name if op.pod is not None else op.event or ", ".join(op.pods) or op.gate
    header = mismatch.header
    recording = f"{header.kubernetes} {header.combo} {header.scenario}"
    yield f"  first difference in {_plain(recording)}, row {mismatch.row.i}: {_plain(op.op)} {_plain(subject)}".rstrip()
    width = max(len(difference.field) for difference in mismatch.differences)
    for difference in mismatch.differences:
        yield f"    {_plain(difference.field):<{width}}  expected  {_short(difference.expected)}"
        yield f"    {'':<{width}}  got       {_short(difference.got)}"


def run(paths: Iterable[Path], override: Override | None, out: TextIO, err: TextIO) -> int:
    """Replay the files and print what came out; gives the exit code."""
    files = ops = mismatches = 0
    unreadable = False
    for path in files_below(paths):
        files += 1
        try:
            report = conform(read(path), override)
        except (DamagedRecordingError, UnknownRelease) as error:
            unreadable = True
            print(f"{_plain(str(path))}: {_plain(str(error))}", file=err)
            continue
        ops += report.ops
        mismatches += report.mismatches
        print(f"{_plain(str(path))}: ops={report.ops} mismatches={report.mismatches}", file=out)
        if report.first is not None:
            print("\n".join(describe(report.first)), file=out)
    if not files:
        unreadable = True
        print("no recordings found", file=err)
    print(f"total files={files} ops={ops} mismatches={mismatches}", file=out)
    if unreadable:
        return UNREADABLE
    return MISMATCH if mismatches else OK


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m klogreplay.queue.conformance",
        description="Replay recordings of a real scheduling queue and show where the model differs.",
    )
    parser.add_argument("paths", metavar="FILE", nargs="+", type=Path, help="a recording, plain or .gz, or a folder")
    parser.add_argument(
        "--profile",
        type=parse_override,
        metavar="RELEASE[:NAME=VALUE,...]",
        help="use this release instead of the header's; NAME is a feature gate (true, false) or an axis (a behaviour)",
    )
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(options.paths, options.profile, sys.stdout, sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the interpreter must not try to flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return code


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ... ({len(text)} characters)"


if __name__ == "__main__":
    sys.exit(main())
