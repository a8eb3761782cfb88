"""The measurement: every recorded log, whole, thinned and damaged, against the truth recorded beside it."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from klogreplay.claims.evidence import ClaimCollector
from klogreplay.cli.reading import Reading
from klogreplay.replay.analyze import Options, Replay
from klogreplay.rules.base import Case
from klogreplay.rules.registry import run_rules
from klogreplay.rules.sensors.bank import SensorBank
from tests.replay.truth import score, truths
from tests.rules.calibration.truth import Truth
from tests.rules.calibration.variants import AS_RECORDED, CUTS, DAMAGES, at_level, levels

LOGS = ("scheduler.log", "scheduler.log.gz")
GRADES = ("proven", "likely", "suspected")
BARS = {"proven": 1.0, "likely": 0.98, "suspected": 0.6}
"""The share of what bears a grade that has to be right."""

BUGGY = ("1.28.0", "1.28.3", "1.29.1")
"""Releases of which every log is changed: most of the wrong parkings, and their nearest right ones, are here."""
EVERY = 4
"""Of the other releases every so-manieth log is."""
SWAPPED = "1.34.1/S21/"
"""Retries several hundred times a second: truth and log are matched by time, and one pair of neighbours is swapped."""


@dataclass
class Row:
    """What came of one kind of logs: (grade, right?) -> how many. `examples` names what was not right."""

    logs: int = 0
    verdicts: Counter[tuple[str, bool]] = field(default_factory=Counter)
    findings: Counter[tuple[str, bool]] = field(default_factory=Counter)
    undecided: int = 0
    examples: list[str] = field(default_factory=list)


Table = dict[str, Row]


def measure(recorded: Path, scratch: Path) -> Table:
    """Analyse every log as recorded, and some of -v=5 as they would be at lower levels or with lines lost."""
    table: Table = {name: Row() for name in (AS_RECORDED, *CUTS, *DAMAGES)}
    piece = scratch / "scheduler.log"
    for number, row in enumerate(json.loads((recorded / "sched-logs" / "index.json").read_text())):
        name = next((log for log in LOGS if log in row["logs"]), None)
        if name is None or row["dir"].startswith("big/"):
            continue
        source = recorded / "sched-logs" / row["dir"] / name
        _add(table[AS_RECORDED], row["dir"], source, source.parent)
        if row["v"] != 5 or (row["dir"].split("/")[0] not in BUGGY and number % EVERY):
            continue
        data = source.read_bytes()
        text = (gzip.decompress(data) if source.suffix == ".gz" else data).decode(errors="surrogateescape")
        for kind, changed in _variants(text, levels(recorded)[row["dir"].split("/")[0]]):
            piece.write_text(changed, errors="surrogateescape", newline="")
            _add(table[kind], row["dir"], piece, source.parent)
    return table


def _variants(text: str, known: dict[tuple[str, int], int]) -> Iterator[tuple[str, str]]:
    for kind, level in CUTS.items():
        yield kind, at_level(text, level, known)
    for kind, damage in DAMAGES.items():
        yield kind, damage(text)


def _add(row: Row, name: str, path: Path, directory: Path) -> None:
    case = _case_of(path)
    truth = Truth(directory, name)
    row.logs += 1
    if truth.tells and not name.startswith(SWAPPED):
        found = score(name, case.parkings, truths(directory))
        row.verdicts += found.grades
        row.undecided += sum(n for (_, said), n in found.table.items() if said.endswith("undecided"))
        row.examples += [*found.accused, *(line for line in found.missed if "called right" in line)]
        for line in found.misplaced:
            row.verdicts["proven", False] += 1
            row.examples.append(line)
    for finding in run_rules(case):
        right = truth.right(finding, case)
        if right is not None and finding.grade != "undecided":
            row.findings[finding.grade, right] += 1
            if not right:
                row.examples.append(f"{name}: {finding.code} {finding.grade} {finding.pod}: {finding.summary[:100]}")


def _case_of(path: Path) -> Case:
    with Reading([str(path)]) as reading:
        replay, bank, claims = Replay(Options(identified=reading)), SensorBank(), ClaimCollector()
        for event in reading.events():
            claims.feed(event)
            bank.feed(event)
            replay.feed(event)
    result = replay.finish()
    release = result.release or (result.candidates[-1] if result.candidates else None)
    return Case(
        parkings=result.parkings,
        attempts=result.attempts,
        failures=result.failures,
        verbosity=result.verbosity,
        release=result.release,
        candidates=result.candidates,
        gates={name: gate.value for name, gate in result.gates.items()},
        claims=claims.finish(None, release),
        sensed=bank.finish(),
    )


def shares(counts: Counter[tuple[str, bool]], grade: str) -> tuple[int, int]:
    """How many of this grade are right, and how many there are."""
    right = counts[grade, True]
    return right, right + counts[grade, False]


def rendered(table: Table) -> str:
    """The table in Markdown, verdicts and findings by grade, and all kinds of logs together at the end."""
    lines = [
        "| logs | number | verdicts proven | likely | undecided | findings proven | likely | suspected |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for name, row in [*table.items(), ("all", together(table))]:
        cells = [_cell(*shares(row.verdicts, grade)) for grade in GRADES[:2]]
        cells += [str(row.undecided), *(_cell(*shares(row.findings, grade)) for grade in GRADES)]
        lines.append(f"| {name} | {row.logs} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(right: int, of: int) -> str:
    return "-" if of == 0 else f"{right} of {of} ({100 * right / of:.1f} %)" if right < of else f"{right} of {of}"


def together(table: Table) -> Row:
    """The sum of all rows."""
    whole = Row()
    for row in table.values():
        whole.logs += row.logs
        whole.verdicts += row.verdicts
        whole.findings += row.findings
        whole.undecided += row.undecided
        whole.examples += row.examples
    return whole
