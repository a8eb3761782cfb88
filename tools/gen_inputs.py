"""Write one small fixture for each form in which people have logs, and the table of what becomes of them.

python tools/gen_inputs.py          writes fixtures/inputs/ and docs/inputs.md
python tools/gen_inputs.py --check  writes nothing, exits 1 and names the files that differ

The plain log is cut out of a recorded one: what is said of one pod, how the scheduler began, and the nodes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from klogreplay.cli.run import Request, analyse  # noqa: E402
from klogreplay.intake import Limits  # noqa: E402
from klogreplay.intake.compression import detect_compression  # noqa: E402
from klogreplay.intake.repairs.copied_blocks import MOST_KEPT  # noqa: E402
from klogreplay.intake.wrappers import WRAPPERS  # noqa: E402
from klogreplay.intake.wrappers.exports import EXPORTS  # noqa: E402
from klogreplay.report.model import Analysis  # noqa: E402
from tests.intake.forms import FORMS, Form  # noqa: E402
from tests.intake.forms.several import SEVERAL, SeveralForm  # noqa: E402

RECORDED = ROOT / "fixtures" / "analyze" / "stale-plugins-bind-1.28.0-v5.log"
INPUTS = ROOT / "fixtures" / "inputs"
SEVERAL_INPUTS = ROOT / "fixtures" / "several"
PAGE = ROOT / "docs" / "inputs.md"
_KEPT = ("worker-v2f54w6dc-5fc7c", "Starting Kubernetes", "feature gates", "Golang", "Add event for node")
_BLOCK_LINES = 6
_MAGIC = 6

_README = """# A log in every form

Written by `python tools/gen_inputs.py` from a piece of a recorded log (`plain.log`). `docs/inputs.md` tells what each
form is and what becomes of it.
"""

_SEVERAL = """
## Several files

The same log in several files, packed, or told by two schedulers (the second a little later, of another pod). Each is a
folder of `fixtures/several/`, given as a whole. The processes are the schedulers that were told apart: each has a queue
of its own.

| form | folder | inputs | processes | result |
| --- | --- | --- | --- | --- |
"""

_HEAD = """# Inputs: what may be around a log

`klogreplay analyze`, `parse` and `events` take logs as people have them, and say what they saw: the report's head names
for each input what its log is wrapped in, and the warnings name with line numbers what was mended. Nothing has to be
told; wrappers are recognised by what is inside them, and may stand in one another.

Written by `python tools/gen_inputs.py`; a test holds it up to date.

## Forms and results

Each line is one form of the same small log, a file of `fixtures/inputs/`. The plain log has one pod that was parked
rightly once and wrongly once. "Lines" are those read, and how many of them were understood, irrelevant (to the queue,
or not of the log at all) and not understood. "Result" compares pods, verdicts, causes and times with those of the plain
log.

| form | file | recognised as | lines | result | lost by the form |
| --- | --- | --- | --- | --- | --- |
"""

_TAIL = """
## How a wrapper is told

- By the first lines, and by some lines of each later piece of 64 KiB, so that a stream may change: each wrapper is
  tried, and inside it each other, up to four deep. Those that leave the most lines that look like a log's are taken.
- A form that nothing else looks like (marked ✓) is also taken where no line of a log is seen inside.
- What is not wrapped in a wrapped stream is read as it is; up to six different wrappings in one stream are known.
- A wrapper's time gives the year, which klog does not print.
- A line number is that of the line in the input. An entry of an export over several lines has the number of its first
  line; where an export has several entries on a line, entries are counted instead. Where the newest line comes first,
  numbers count from the last line.

## What is mended

- Newest line first: the log is turned round, if it takes no more than {reorder} MiB of memory; else the report says so.
- Lines broken at a fixed width, as copied from a terminal, are joined, also where a blank at the end got lost.
- Records that stand twice in a row, time to the microsecond included, are read once. One without any value, or with a
  time in milliseconds, may be two that are alike: it is read once only where the first lines all come in pairs.
- Errors and warnings that stand in the log a second time, as klog's files of one run do when they are joined
  (`cat INFO ERROR`, `sort`), are read once. Known are the last {kept} MiB of them; of those in front of the log
  (`cat ERROR INFO`) as much, and what the log itself does not have is put in where its time belongs.
- Pieces of the log that stand in it a second time, as where it was pasted twice, are read once: three lines in a row
  that are the same and go back in time. Known of what was read within the last {kept} MiB.
- Blocks of values (`key=<`) whose lines were stripped of their tabs get them back.
- Headers without severity, date or process id are completed from the record itself and from the records before. A
  header that is cut into its time leaves a record without a time. Without any date it is taken for 1 January.
- Records written into each other by two processes are parted, and joined if both are whole then. This is seen where a
  line goes the long way: not inside a record that nobody asks for, unless its rest follows at once.
- `...`, `[…]`, `<snip>` and the like are no lines of the log; the report warns that something was left out.

Each is done only where it is certain; what is left is counted as not understood, with the commonest shapes and their
first lines. Where that looks like the remains of records, or lines were left out, the log has a hole: no verdict rests
on what is silent across one. A line is cut at {line} KiB, and that is counted as well.

## Wrappers

| name | written by | certain |
| --- | --- | --- |
"""


def plain_lines() -> list[str]:
    """The plain log: the lines that are kept, and a block."""
    lines = RECORDED.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    block = next(index for index, line in enumerate(lines) if line.endswith("=<"))
    end = next(index for index in range(block, len(lines)) if lines[index].startswith(" >"))
    return [
        line
        for index, line in enumerate(lines)
        if any(kept in line for kept in _KEPT) or block <= index < block + _BLOCK_LINES or index == end
    ]


def told(analysis: Analysis) -> object:
    """What has to be the same in every form."""
    return (
        analysis.kubernetes.version,
        [
            (
                parking.pod,
                parking.verdict,
                parking.grade,
                parking.causes,
                parking.wake_up and parking.wake_up.event,
                parking.parked_seconds,
            )
            for parking in analysis.parkings
        ],
        [(finding.code, finding.pod, finding.grade) for finding in analysis.findings],
    )


def rows(data: dict[Form, bytes]) -> Iterator[str]:
    """The table's lines."""
    with TemporaryDirectory() as folder:
        results = {}
        for form, content in data.items():
            path = Path(folder) / f"{form.name}.log"
            path.write_bytes(content)
            results[form] = analyse(Request(paths=[str(path)]))
    expected = told(next(iter(results.values())))
    for form, analysis in results.items():
        lines = analysis.log.lines
        counts = f"{lines.total} ({lines.understood} / {lines.irrelevant} / {lines.unknown})"
        result = "the same" if told(analysis) == expected else "differs"
        yield (
            f"| {_cell(form.title)} | `{form.name}.log` | {analysis.inputs[0].form} | {counts} | {result} "
            f"| {_cell(form.loses)} |\n"
        )


def told_shortly(analysis: Analysis) -> list[object]:
    """What each scheduler says of its pod, whatever it is called."""
    return sorted(
        (p.verdict, p.grade, p.causes, p.wake_up.event if p.wake_up else "", p.parked_seconds or 0)
        for p in analysis.parkings
    )


def several_rows(files: dict[SeveralForm, dict[str, bytes]], plain: bytes) -> Iterator[str]:
    """The table of forms in several files."""
    with TemporaryDirectory() as folder:
        alone = Path(folder) / "plain.log"
        alone.write_bytes(plain)
        expected = told_shortly(analyse(Request(paths=[str(alone)])))
        for form, content in files.items():
            place = Path(folder) / form.name
            for name, data in content.items():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(data)
            analysis = analyse(Request(paths=paths_of(place, content)))
            same = told_shortly(analysis) == sorted(expected * form.schedulers)
            told = ("the same" if form.schedulers == 1 else "the same for each") if same else "differs"
            yield (
                f"| {_cell(form.title)} | `{form.name}/` | {len(analysis.inputs)} | {len(analysis.log.processes)} "
                f"| {told} |\n"
            )


def paths_of(place: Path, content: dict[str, bytes]) -> list[str]:
    """How to name the files of a form: as their folder, or each by itself where a name does not tell a log."""
    return [str(place / name) for name in content] if len(content) == 1 else [str(place)]


def page(data: dict[Form, bytes], several: dict[SeveralForm, dict[str, bytes]]) -> str:
    """docs/inputs.md."""
    limits = Limits()
    tail = _TAIL.format(reorder=limits.reorder_bytes >> 20, line=limits.line_bytes >> 10, kept=MOST_KEPT >> 20)
    names = [(wrapper.name, wrapper.title, wrapper.certain) for wrapper in WRAPPERS]
    names += [(export.name or "the wrapper inside", export.title, True) for export in EXPORTS]
    table = "".join(f"| {name} | {_cell(title)} | {'✓' if certain else ''} |\n" for name, title, certain in names)
    plain = next(iter(data.values()))
    return _HEAD + "".join(rows(data)) + _SEVERAL + "".join(several_rows(several, plain)) + tail + table


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace(">", "\\>").replace("<", "\\<")


def generated() -> dict[Path, bytes]:
    """The generated files, by path, with what they should hold."""
    lines = plain_lines()
    data = {form: form.convert(lines) for form in FORMS}
    files = {INPUTS / f"{form.name}.log": content for form, content in data.items()}
    files[INPUTS / "README.md"] = _README.encode()
    several = {form: form.make(lines) for form in SEVERAL}
    for one, content in several.items():
        files |= {SEVERAL_INPUTS / one.name / name: part for name, part in content.items()}
    files[SEVERAL_INPUTS / "README.md"] = _README.replace("every form", "several files").encode()
    files[PAGE] = page(data, several).encode()
    return files


def is_current(path: Path, data: bytes) -> bool:
    """Whether the file is there as it should be. Packed data differ by the version of the library that packed them."""
    if not path.is_file():
        return False
    there = path.read_bytes()
    packed = detect_compression(data[:_MAGIC])
    return there == data or (packed is not None and packed is detect_compression(there[:_MAGIC]))


def main(arguments: list[str]) -> int:
    """Write or check; 0 when all is as it should be."""
    stale = {path: data for path, data in generated().items() if not is_current(path, data)}
    for path, data in stale.items():
        if "--check" in arguments:
            print(f"differs: {path.relative_to(ROOT)}")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        print(f"wrote {path.relative_to(ROOT)}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
