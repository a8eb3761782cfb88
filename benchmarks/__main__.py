"""The whole table: `python -m benchmarks [--megabytes 300] [--rounds 5]` prints it as Markdown.

Logs are the recorded ones (../shared/data, or the folder that KLOGREPLAY_RECORDED names) where they are at hand, else
those in fixtures/, repeated to the size asked for. Peers that are not installed are named as skipped.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import logs
from benchmarks.measure import ANALYZE, PYTHON, Cost, median, peak

HERE = Path(__file__).resolve().parent
MEGABYTE = 1_000_000
Row = tuple[str, str, str, str]
LARK_SHARE = 20
"""Lark is so slow that it gets a log of this part of the size."""


def analyze(*paths: Path) -> list[str]:
    return [*ANALYZE, *map(str, paths)]


def script(name: str, *arguments: Path) -> list[str]:
    return [PYTHON, str(HERE / name), *map(str, arguments)]


def row(name: str, ours: Cost, other: Cost, bar: str, lines: int) -> Row:
    return name, f"{ours.cpu * 1e6 / lines:.1f} µs", f"{ours.cpu / other.cpu:.2f}", bar


def against_scripts(scratch: Path, size: int, rounds: int) -> Iterator[Row]:
    for name, source in logs.sources().items():
        if not name.startswith("-v"):
            continue
        log = logs.make(scratch / "plain.log", logs.read(source), size)
        lines = log.read_bytes().count(b"\n")
        ours, script_cost = median([analyze(log), script("two_regexes.py", log)], rounds)
        bar = "≤ 0.15" if name.startswith("-v=10") else "≤ 0.75"
        yield row(f"{name}: analyze / two regular expressions", ours, script_cost, bar, lines)
        if shutil.which("lnav") is None:
            yield f"{name}: analyze / lnav", "skipped: lnav is not installed", "", ""
        else:
            peer = ["lnav", "-n", "-c", ";select count(*) from glog_log", str(log)]
            ours, lnav = median([analyze(log), peer], rounds)
            yield row(f"{name}: analyze / lnav", ours, lnav, "≤ 1.2" if name.startswith("-v=10") else "≤ 5", lines)


def against_ourselves(scratch: Path, size: int, rounds: int) -> Iterator[Row]:
    sources = logs.sources()
    text = logs.read(sources.get("-v=5, 1.29", sources["healthy, 1.28.3"]))
    log = logs.make(scratch / "plain.log", text, size)
    lines = log.read_bytes().count(b"\n")
    inputs = {f"{kind} / plain": (path, "≤ 1.4") for kind, path in logs.compressed(log).items()}
    for name, change in (("escaped", logs.escaped), ("CRI-wrapped", logs.in_cri)):
        path = scratch / f"{name}.log"
        path.write_bytes(change(log.read_bytes()))
        inputs[f"{name} / plain"] = path, "≤ 2.5"
    costs = median([analyze(log), *(analyze(path) for path, _ in inputs.values())], rounds)
    for (name, (_, bar)), cost in zip(inputs.items(), costs[1:], strict=True):
        yield row(name, cost, costs[0], bar, lines)
    short = logs.make(scratch / "short.log", text, size // LARK_SHARE)
    lines = short.read_bytes().count(b"\n")
    lark, ours = median([script("with_lark.py", short), analyze(short)], 1)
    yield row("Lark on every line / analyze", lark, ours, "≥ 20", lines)
    if "JSON" in sources:
        yield from of_json(sources["JSON"], scratch, size // 4, rounds)


def of_json(source: Path, scratch: Path, size: int, rounds: int) -> Iterator[Row]:
    as_json = logs.make(scratch / "json.log", logs.read(source), size)
    as_text = logs.make(scratch / "text.log", logs.read(source.with_name("scheduler.log")), size)
    odd = scratch / "odd.log"
    odd.write_bytes(logs.with_unknown_keys(as_json.read_bytes()))
    lines, text_lines = (path.read_bytes().count(b"\n") for path in (as_json, as_text))
    cost, text, with_odd = median([analyze(as_json), analyze(as_text), analyze(odd)], rounds)
    ratio = (lines / cost.cpu) / (text_lines / text.cpu)
    yield "JSON: lines per second / those of text", f"{cost.cpu * 1e6 / lines:.1f} µs", f"{ratio:.2f}", "≥ 1.5"
    yield row("JSON with unknown keys / JSON", with_odd, cost, "≤ 2.5", lines)


def of_memory(scratch: Path, size: int) -> Iterator[Row]:
    sources = logs.sources()
    text = logs.read(sources["healthy, 1.28.3"])
    peaks = []
    for times in (1, 4, 16):
        log = logs.make(scratch / "long.log", text, size // 16 * times)
        peaks.append(peak(str(log)))
    told = ", ".join(f"{peak // MEGABYTE} MB" for peak in peaks)
    yield "peak at 1, 4 and 16 times the length", told, f"{max(peaks) / min(peaks):.2f}", "≤ 1.10"


def of_starting(rounds: int) -> Iterator[Row]:
    for option, bar in (("--version", 80), ("--help", 200)):
        (cost,) = median([[PYTHON, "-m", "klogreplay", option]], max(rounds, 5))
        yield f"klogreplay {option}", f"{cost.cpu * 1000:.0f} ms", "", f"< {bar} ms"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=300, help="size of each log")
    parser.add_argument("--rounds", type=int, default=5, help="runs of which the median counts")
    given = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, "
          f"logs of {given.megabytes} MB, medians of {given.rounds}.\n")  # fmt: skip
    print("| what | CPU per line | ratio | bar |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        scratch, size = Path(folder), given.megabytes * MEGABYTE
        for rows in (
            against_scripts(scratch, size, given.rounds),
            against_ourselves(scratch, size, given.rounds),
            of_memory(scratch, size),
            of_starting(given.rounds),
        ):
            for name, ours, ratio, bar in rows:
                print(f"| {name} | {ours} | {ratio} | {bar} |", flush=True)


if __name__ == "__main__":
    main()
