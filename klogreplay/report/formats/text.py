"""Plain text for a terminal, with colours where it takes them. Verdict first, then the proof, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Console
from rich.text import Text

from klogreplay.report.digest import Block, Digest, digest
from klogreplay.report.formats import Options
from klogreplay.report.lines import TABLE_TITLE, cost, head, place, shorten, story
from klogreplay.report.model import Analysis, FindingOut
from klogreplay.report.sanitize import sanitize_terminal
from klogreplay.report.waiting import attempt_lines

MAX_LINE = 4000
"""Characters of a log line that are shown."""
MAX_LISTED = 500
"""Parkings listed with `details`."""
MAX_OBSERVATIONS = 10
"""Observations told; further ones are counted."""

_GRADES = {"proven": "bold red", "likely": "red", "suspected": "yellow", "undecided": "yellow"}


def render(analysis: Analysis, options: Options) -> Iterator[str]:
    """Render as text. Nothing here is ever taken for Rich markup: all of it is `Text`."""
    page = _Page(options)
    told = digest(analysis)
    page.prose(told.verdict, style="bold red" if told.bad else "bold green" if not told.counts["undecided"] else "bold")
    for block in told.blocks:
        page.gap()
        _block(page, analysis, block)
    _brief(page, analysis, told)
    _observations(page, analysis, told)
    _pods(page, analysis, told)
    if options.details:
        _parkings(page, analysis)
    _list(page, "What cannot be concluded", told.limits)
    _list(page, "What to collect next", told.collect)
    if analysis.plugin_table is not None:
        page.gap()
        page.title(TABLE_TITLE)
        for line in analysis.plugin_table.splitlines():
            page.line(Text(sanitize_terminal(line)))
    page.gap()
    page.title("What was read")
    for label, text in head(analysis):
        page.row(label, text)
    if analysis.parkings:
        page.row("verdicts", ", ".join(f"{count} {verdict}" for verdict, count in told.counts.items()))
    yield page.text()


def _block(page: _Page, analysis: Analysis, block: Block) -> None:
    for finding in block.findings:
        page.line(_headline(analysis, block, finding))
        page.prose(finding.summary, indent=2)
    proof = block.head.proof
    if proof:
        page.gap()
    for cited in proof:
        page.prose(f"{place(analysis, cited.line, cited.input)}: {cited.says}", indent=2, style="cyan")
        page.log(cited.text)
    rows = [("cost", cost(block.parking))] if block.parking is not None else []
    if block.parking is not None and block.parking.verdict == "wrong" and block.parking.expected_queue:
        rows.append(("expected", block.parking.expected_queue))
    for change in block.upstream:
        rows.append(("upstream", f"{change.ref} {change.title}"))
        rows.append(("fixed in", ", ".join(change.fixed_in)))
    if rows:
        page.gap()
    for label, text in rows:
        if text:
            page.row(label, text)


def _headline(analysis: Analysis, block: Block, finding: FindingOut) -> Text:
    text = Text(f"{finding.code} {finding.name}", style="bold")
    text.append(f"  {finding.grade}", style=_GRADES.get(finding.grade, ""))
    if finding.pod:
        text.append(f"  {sanitize_terminal(finding.pod)}")
    if block.parking is not None:
        text.append(f"  {sanitize_terminal(place(analysis, block.parking.line, block.parking.input))}")
    return text


def _brief(page: _Page, analysis: Analysis, told: Digest) -> None:
    if not told.brief:
        return
    page.gap()
    page.title("Further findings")
    for block in told.brief:
        line = _headline(analysis, block, block.head)
        spent = cost(block.parking) if block.parking is not None else None
        if spent:
            line.append(f"  {sanitize_terminal(spent)}")
        page.line(Text("  ").append_text(line))
    if told.more:
        page.prose(f"and {told.more} more; --format json has all of them.", indent=2)


def _observations(page: _Page, analysis: Analysis, told: Digest) -> None:
    if not told.observations:
        return
    page.gap()
    page.title("Worth knowing, no defect by itself")
    for finding in told.observations[:MAX_OBSERVATIONS]:
        where = f" ({place(analysis, finding.proof[0].line, finding.proof[0].input)})" if finding.proof else ""
        page.prose(f"{finding.code} {finding.name}: {finding.summary}{where}", indent=2)
    if len(told.observations) > MAX_OBSERVATIONS:
        page.prose(f"and {len(told.observations) - MAX_OBSERVATIONS} more.", indent=2)


def _pods(page: _Page, analysis: Analysis, told: Digest) -> None:
    for pod in analysis.pods:
        page.gap()
        page.title(f"Attempts of {sanitize_terminal(pod.pod)}")
        if pod.answer != told.verdict:
            page.prose(pod.answer, indent=2)
        for line in attempt_lines(analysis, pod, place):
            page.prose(line, indent=2, hang=3)


def _parkings(page: _Page, analysis: Analysis) -> None:
    page.gap()
    page.title("Parkings")
    if not analysis.parkings:
        page.prose("none", indent=2)
    for parking in analysis.parkings[:MAX_LISTED]:
        where = place(analysis, parking.line, parking.input)
        page.prose(f"{where}, {parking.time or 'no time printed'}, {parking.pod}, {story(parking)}", indent=2)
    if len(analysis.parkings) > MAX_LISTED:
        page.prose(f"and {len(analysis.parkings) - MAX_LISTED} more.", indent=2)


def _list(page: _Page, title: str, items: Iterable[str]) -> None:
    rows = list(items)
    if not rows:
        return
    page.gap()
    page.title(title)
    for row in rows:
        page.prose(f"- {row}", indent=2, hang=2)


class _Page:
    """Collects lines; everything that comes in is made safe here, so that no caller can forget it."""

    def __init__(self, options: Options) -> None:
        self._out = StringIO()
        self._width = max(40, options.width)
        self._console = Console(
            file=self._out,
            width=self._width,
            color_system="standard" if options.colour else None,
            force_terminal=options.colour,
            no_color=not options.colour,
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
        )

    def text(self) -> str:
        """All that was put down."""
        return self._out.getvalue()

    def gap(self) -> None:
        """An empty line."""
        self._out.write("\n")

    def line(self, text: Text) -> None:
        """One line, never wrapped."""
        self._console.print(text, soft_wrap=True)

    def title(self, text: str) -> None:
        """A section's title."""
        self.line(Text(text, style="bold"))

    def prose(self, text: str, *, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """Running text, wrapped at the page's width."""
        safe = Text(sanitize_terminal(text), style=style)
        for number, part in enumerate(safe.wrap(self._console, self._width - indent - hang)):
            part.rstrip()
            self.line(Text(" " * (indent + (hang if number else 0))).append_text(part))

    def row(self, label: str, text: str) -> None:
        """A label and its text."""
        row = Text("  ").append(f"{label:<9}", style="dim").append(f" {sanitize_terminal(text)}")
        self.line(row)

    def log(self, text: str) -> None:
        """A line of the log, as it stood."""
        self.line(Text("    | ", style="dim").append(sanitize_terminal(shorten(text, MAX_LINE)), style="default"))
