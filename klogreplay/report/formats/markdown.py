"""Markdown to paste into a ticket: no wide tables, long parts folded, within the size a GitHub comment may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from klogreplay.report.digest import Block, Digest, digest
from klogreplay.report.formats import Options
from klogreplay.report.lines import TABLE_TITLE, cost, head, place, shorten, story
from klogreplay.report.model import Analysis, FindingOut, PodOut, ProofLine, Upstream
from klogreplay.report.sanitize import markdown_code, markdown_fence, sanitize_markdown
from klogreplay.report.waiting import attempt_lines

LIMIT = 64_000
"""Bytes of UTF-8 that the whole text stays within; GitHub takes 65,536 characters."""
_REST = 12_000
"""Bytes kept free for what stands behind the findings."""
MAX_LINE = 1000
MAX_ITEM = 400
MAX_BRIEF = 100
MAX_LIST = 20
UNFOLDED = 6
"""Proofs of up to so many lines stand open, longer ones are folded."""


class _Cut(NamedTuple):
    """How much of a proof is shown: lines, and characters of each."""

    lines: int
    characters: int


FULL = _Cut(lines=40, characters=MAX_LINE)
SHORT = _Cut(lines=10, characters=200)

_UPSTREAM = "https://github.com/kubernetes/kubernetes/pull/"


def render(analysis: Analysis, options: Options) -> Iterator[str]:
    """Render as Markdown. Log text stands in code spans and code blocks only, or is escaped."""
    told = digest(analysis)
    page = _Page()
    page.add([f"**{_text(told.verdict)}**"])
    left_out = 0
    for block in told.blocks:
        if not any(page.add(_block(analysis, block, cut), reserve=_REST) for cut in (FULL, SHORT)):
            left_out += 1
    page.add(_brief(analysis, told))
    page.add([_left_out(left_out + told.more + max(0, len(told.brief) - MAX_LIST))])
    page.add(_observations(analysis, told))
    for pod in analysis.pods:
        page.add(_pod(analysis, pod, told))
    if options.details:
        page.add(_folded("Parkings", _parkings(analysis)))
    page.add(_list("What cannot be concluded", told.limits))
    page.add(_list("What to collect next", told.collect))
    if analysis.plugin_table is not None:
        page.add(_folded(TABLE_TITLE, markdown_fence(analysis.plugin_table.splitlines())))
    page.add(_folded("What was read", _head(analysis, told)))
    yield page.text()


def _text(text: str, limit: int = MAX_ITEM) -> str:
    return sanitize_markdown(shorten(text, limit))


def _headline(analysis: Analysis, block: Block, finding: FindingOut, limit: int = MAX_ITEM) -> str:
    parts = [f"{finding.code} {sanitize_markdown(finding.name)} ({finding.grade})"]
    if finding.pod:
        parts.append(markdown_code(shorten(finding.pod, limit)))
    if block.parking is not None:
        parts.append(sanitize_markdown(place(analysis, block.parking.line, block.parking.input)))
    return ", ".join(parts)


def _block(analysis: Analysis, block: Block, cut: _Cut) -> Iterator[str]:
    for finding in block.findings:
        yield f"### {_headline(analysis, block, finding, cut.characters)}"
        yield ""
        yield _text(finding.summary, 2 * cut.characters)
        yield ""
    proof = list(_proof(analysis, block.head.proof, cut))
    if len(block.head.proof) > UNFOLDED:
        yield from _folded(f"Proof, {len(block.head.proof)} lines", proof)
    else:
        yield from proof
    if block.parking is not None:
        spent = cost(block.parking)
        if spent:
            yield f"- Cost: {_text(spent)}"
        if block.parking.verdict == "wrong" and block.parking.expected_queue:
            yield f"- Expected: {_text(block.parking.expected_queue)}"
    yield from map(_upstream, block.upstream)


def _proof(analysis: Analysis, proof: list[ProofLine], cut: _Cut) -> Iterator[str]:
    for cited in proof[: cut.lines]:
        yield f"{_text(place(analysis, cited.line, cited.input))}: {_text(cited.says, cut.characters)}"
        yield ""
        yield from markdown_fence([shorten(cited.text, cut.characters)])
        yield ""
    if len(proof) > cut.lines:
        yield f"{len(proof) - cut.lines} more lines are left out here; `--format json` has all of them."


def _upstream(change: Upstream) -> str:
    number = change.ref.partition("kubernetes#")[2]
    name = markdown_code(change.ref)
    linked = f"[{name}]({_UPSTREAM}{number})" if number.isdecimal() and number.isascii() else name
    return f"- Upstream: {linked} {_text(change.title)}; fixed in {_text(', '.join(change.fixed_in))}"


def _brief(analysis: Analysis, told: Digest) -> Iterator[str]:
    if told.brief:
        yield "### Further findings"
        yield ""
        for block in told.brief[:MAX_LIST]:
            yield f"- {_headline(analysis, block, block.head, MAX_BRIEF)}"


def _left_out(more: int) -> str:
    return f"{more} more findings are left out here; `--format json` has all of them." if more else ""


def _observations(analysis: Analysis, told: Digest) -> Iterator[str]:
    if not told.observations:
        return
    yield "### Worth knowing, no defect by itself"
    yield ""
    for finding in told.observations[:MAX_LIST]:
        where = f" ({_text(place(analysis, finding.proof[0].line, finding.proof[0].input))})" if finding.proof else ""
        yield f"- {finding.code} {_text(finding.name)}: {_text(finding.summary)}{where}"
    if len(told.observations) > MAX_LIST:
        yield f"- and {len(told.observations) - MAX_LIST} more"


def _pod(analysis: Analysis, pod: PodOut, told: Digest) -> Iterator[str]:
    yield f"### Attempts of {markdown_code(shorten(pod.pod, MAX_ITEM))}"
    yield ""
    if pod.answer != told.verdict:
        yield _text(pod.answer, MAX_LINE)
        yield ""
    for line in attempt_lines(analysis, pod, place):
        yield f"- {_text(line, MAX_LINE)}"


def _parkings(analysis: Analysis) -> Iterator[str]:
    for parking in analysis.parkings[:MAX_LIST]:
        where = _text(place(analysis, parking.line, parking.input))
        pod = markdown_code(shorten(parking.pod, MAX_ITEM))
        yield f"- {where}, {_text(parking.time or 'no time printed')}, {pod}, {_text(story(parking))}"
    if len(analysis.parkings) > MAX_LIST:
        yield f"- and {len(analysis.parkings) - MAX_LIST} more"


def _list(title: str, items: list[str]) -> Iterator[str]:
    if not items:
        return
    yield f"### {title}"
    yield ""
    for item in items[:MAX_LIST]:
        yield f"- {_text(item)}"
    if len(items) > MAX_LIST:
        yield f"- and {len(items) - MAX_LIST} more"


def _head(analysis: Analysis, told: Digest) -> Iterator[str]:
    rows = list(head(analysis))
    for label, text in rows[: 2 * MAX_LIST]:
        yield f"- {label}: {_text(text)}"
    if len(rows) > 2 * MAX_LIST:
        yield f"- and {len(rows) - 2 * MAX_LIST} more"
    if analysis.parkings:
        yield "- verdicts: " + ", ".join(f"{count} {verdict}" for verdict, count in told.counts.items())


def _folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


class _Page:
    """Paragraphs within a budget of bytes."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes = 0

    def add(self, lines: Iterable[str], reserve: int = 0) -> bool:
        """Add a section as a whole if it fits while `reserve` bytes stay free; say whether it did."""
        section = "\n".join(lines).strip("\n")
        if not section:
            return True
        size = len(section.encode("utf-8")) + 2
        if self._bytes + size > LIMIT - reserve:
            if not reserve:
                self._parts.append("(a section is left out here for its length; `--format json` has it)")
            return False
        self._parts.append(section)
        self._bytes += size
        return True

    def text(self) -> str:
        """The whole text."""
        return "\n\n".join(self._parts) + "\n"
