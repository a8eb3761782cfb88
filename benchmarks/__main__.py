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
from itertools import pairwise
from pathlib import Path

from benchmarks import growth, logs
from benchmarks.measure import ANALYZE, PYTHON, Cost, median, peak

HERE = Path(__file__).resolve().parent
MEGABYTE = 1_000_000
Row = tuple[str, str, str, str]
FEWEST = 10_000
"""Of what grows, to begin with."""
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
    plain = log.read_bytes()
    lines = plain.count(b"\n")
    inputs = {f"{kind} / plain": (path, "≤ 1.4") for kind, path in logs.compressed(log).items()}
    forms = {
        "escaped": logs.escaped,
        "CRI-wrapped": logs.in_cri,
        "Docker json-file": logs.in_docker,
        "kubectl --timestamps": logs.with_timestamps,
        "journalctl": logs.in_journald,
        "JSON of the same records": logs.in_json,
        "JSON with unknown keys": lambda text: logs.with_unknown_keys(logs.in_json(text)),
    }
    for name, change in forms.items():
        path = scratch / f"{name.split()[0]}-{len(inputs)}.log"
        path.write_bytes(change(plain))
        inputs[f"{name} / plain"] = (
            path,
            "≤ 1 / 1.5 (lines per second ≥ 1.5)" if name.startswith("JSON of") else "≤ 2.5",
        )
    costs = median([analyze(log), *(analyze(path) for path, _ in inputs.values())], rounds)
    for (name, (_, bar)), cost in zip(inputs.items(), costs[1:], strict=True):
        yield row(name, cost, costs[0], bar, lines)
    short = logs.make(scratch / "short.log", text, size // LARK_SHARE)
    lines = short.read_bytes().count(b"\n")
    (started,) = median([analyze(logs.make(scratch / "least.log", text, 20_000))], rounds)
    lark, ours = median([[*analyze(short), "--engine", "lark"], analyze(short)], min(rounds, 3))
    yield row("Lark on every line / analyze", lark, ours, "≥ 20", lines)
    net = Cost(ours.cpu - started.cpu, ours.wall - started.wall)
    yield row("the same without starting", Cost(lark.cpu - started.cpu, lark.wall), net, "", lines)


def of_several(scratch: Path, size: int, rounds: int) -> Iterator[Row]:
    """Eight logs, by wall clock."""
    text = logs.read(logs.sources()["healthy, 1.28.3"])
    paths = [logs.make(scratch / f"job-{number}.log", text, size // 8) for number in range(8)]
    one, two = median([[*analyze(*paths), "--jobs", "1"], [*analyze(*paths), "--jobs", "2"]], rounds)
    yield "8 logs: --jobs 1 / --jobs 2, wall clock", f"{two.wall:.1f} s", f"{one.wall / two.wall:.2f}", "≥ 1.7"


def of_growth(scratch: Path, rounds: int) -> Iterator[Row]:
    """Each doubled twice: how the time grows per doubling."""
    (started,) = median([analyze(_written(scratch, growth.of_lines(10)))], rounds)
    for name, make in growth.GROWING.items():
        counts = [FEWEST, 2 * FEWEST, 4 * FEWEST]
        paths = [_written(scratch, make(count), f"growth-{count}.log") for count in counts]
        costs = [cost.cpu - started.cpu for cost in median([analyze(path) for path in paths], rounds)]
        ratios = ", ".join(f"{more / less:.2f}" for less, more in pairwise(costs))
        lines = paths[-1].read_bytes().count(b"\n")
        yield (
            f"{name}: {counts[0]:,} to {counts[-1]:,}",
            f"{costs[-1] * 1e6 / lines:.1f} µs",
            ratios,
            "about 2 a doubling",
        )


def of_costly(scratch: Path) -> Iterator[Row]:
    for name, made in (
        ("every line a new variant, 200,000", growth.of_variants(200_000)),
        ("100,000 pods parked, 10,000 events", growth.of_parked_pods_and_events(100_000, 10_000)),
    ):
        path = _written(scratch, made)
        lines = path.read_bytes().count(b"\n")
        (cost,) = median([analyze(path)], 1)
        yield f"{name}: {lines:,} lines", f"{cost.cpu * 1e6 / lines:.1f} µs", f"{cost.cpu:.1f} s", "bounded"


def _written(scratch: Path, lines: Iterator[str], name: str = "made.log") -> Path:
    path = scratch / name
    with path.open("w") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


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
            of_several(scratch, size, given.rounds),
            of_growth(scratch, given.rounds),
            of_costly(scratch),
            of_memory(scratch, size),
            of_starting(given.rounds),
        ):
            for name, ours, ratio, bar in rows:
                print(f"| {name} | {ours} | {ratio} | {bar} |", flush=True)


if __name__ == "__main__":
    main()
