"""What a report for people says, before any format puts it down: the verdict, the findings by parking, the limits.

The order is that of the report: first the verdict, then the proof, then the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from klogreplay.report.collect import to_collect
from klogreplay.report.model import Analysis, FindingOut, Grade, ParkingOut, Upstream
from klogreplay.report.rows import Summary, summary_of
from klogreplay.report.waiting import verdict_of
from klogreplay.rules.phrases import counted, seconds
from klogreplay.rules.registry import BY_CODE

GRADES: tuple[Grade, ...] = ("proven", "likely", "suspected")
LISTED = 5
"""Names in one sentence."""
MAX_BLOCKS = 20
"""Findings that are told with their proof; further ones get one line each."""
MAX_BRIEF = 200
"""Findings told in one line each; further ones are counted."""


class Block(msgspec.Struct):
    """The findings about one parking (several fixes may be needed at once), or a single one without a parking."""

    findings: list[FindingOut]
    parking: ParkingOut | None

    @property
    def head(self) -> FindingOut:
        """The first finding, which stands for the block."""
        return self.findings[0]

    @property
    def upstream(self) -> list[Upstream]:
        """The changes that the findings point to, each once."""
        return list({change.ref: change for finding in self.findings for change in finding.upstream}.values())


class Digest(msgspec.Struct):
    """A report's content, in order.

    `blocks` are told in full, `brief` in one line each, `more` findings are only counted. `observations` are worth
    telling and no defects. `limits` says what cannot be concluded, `collect` what to record next.
    """

    verdict: str
    bad: bool
    blocks: list[Block]
    brief: list[Block]
    more: int
    observations: list[FindingOut]
    counts: dict[str, int]
    limits: list[str]
    collect: list[str]


def is_observation(finding: FindingOut) -> bool:
    """Whether the finding's rule only observes."""
    rule = BY_CODE.get(finding.code)
    return rule is not None and rule.observation


def _is_limit(finding: FindingOut) -> bool:
    return finding.code.startswith("KR9")


def digest(analysis: Analysis) -> Digest:
    """Sort a report's content for reading."""
    defects = [finding for finding in analysis.findings if not is_observation(finding)]
    told = {finding.parking for finding in defects}
    observations = [
        finding
        for finding in analysis.findings
        if is_observation(finding)
        and not _is_limit(finding)
        and (finding.parking is None or finding.parking not in told)
    ]
    blocks = _blocks(defects)
    summary = summary_of(analysis.parkings)
    counts = summary.counts
    brief = blocks[MAX_BLOCKS:]
    return Digest(
        verdict=_verdict(analysis, defects, summary),
        bad=bool(defects),
        blocks=[_told(analysis, block) for block in blocks[:MAX_BLOCKS]],
        brief=[_told(analysis, block) for block in brief[:MAX_BRIEF]],
        more=max(0, len(brief) - MAX_BRIEF),
        observations=observations,
        counts={verdict: counts[verdict] for verdict in ("wrong", "right", "undecided")},
        limits=list(_limits(analysis)),
        collect=to_collect(analysis),
    )


def _blocks(findings: list[FindingOut]) -> list[Block]:
    """The blocks in order, without their parkings: of many findings few are told in full."""
    by_parking: dict[int, Block] = {}
    alone: list[Block] = []
    for finding in findings:
        index = finding.parking
        if index is None:
            alone.append(Block(findings=[finding], parking=None))
        elif index in by_parking:
            by_parking[index].findings.append(finding)
        else:
            by_parking[index] = Block(findings=[finding], parking=None)
    return [*(by_parking[index] for index in sorted(by_parking)), *alone]


def _told(analysis: Analysis, block: Block) -> Block:
    if block.head.parking is not None:
        block.parking = analysis.parkings[block.head.parking]
    return block


def _verdict(analysis: Analysis, defects: list[FindingOut], summary: Summary) -> str:
    counts = summary.counts
    if counts["wrong"]:
        sentence = f"{counted(summary.pods, 'pod was', 'pods were')} wrongly parked in unschedulablePods"
        if counts["wrong"] != summary.pods:
            sentence += f", {counted(counts['wrong'], 'time')}"
        grades = summary.grades
        sentence += f" ({', '.join(f'{grades[grade]} {grade}' for grade in GRADES if grades[grade])})"
        if summary.lost:
            sentence += f"; {seconds(summary.lost * 1_000_000)} were lost"
        others = [finding for finding in defects if finding.parking is None]
        if others:
            sentence += f"; {counted(len(others), 'other finding')}"
        return sentence + "."
    answer = verdict_of(analysis.pods)
    if answer is not None and not defects:
        return answer
    if analysis.not_seen and not analysis.pods and not defects:
        many = "is" if len(analysis.not_seen) == 1 else "are"
        return f"Nothing can be said: {listed(analysis.not_seen)} {many} not in this log."
    if defects:
        return f"{counted(len(defects), 'finding')}; no pod was wrongly parked, as far as the log shows."
    if counts["undecided"]:
        return (
            "Nothing proven wrong in the queue; "
            f"{counted(counts['undecided'], 'failed attempt')} cannot be judged from this log."
        )
    if any(finding.code == "KR903" for finding in analysis.findings):
        return "Nothing can be said: the log shows no scheduling attempt."
    if counts["right"]:
        return f"Nothing wrong in the queue: {_rightly(summary)}."
    return "Nothing wrong in the queue: no pod was parked."


def _rightly(summary: Summary) -> str:
    parked = summary.parked
    unseen = summary.counts.total() - parked
    if not unseen:
        return f"{counted(parked, 'failed attempt was', 'failed attempts were')} parked, rightly"
    told = f"{counted(unseen, 'failed attempt')} may have been parked, and if so rightly"
    return (
        f"{counted(parked, 'failed attempt was', 'failed attempts were')} parked, rightly; {told}" if parked else told
    )


def listed(names: list[str]) -> str:
    """Names in a sentence, the first few of many."""
    shown = ", ".join(names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"


def _limits(analysis: Analysis) -> Iterator[str]:
    if analysis.log.verbosity is not None and analysis.log.verbosity < 5:
        yield f"The lines prove -v={analysis.log.verbosity}; events that came while a pod was in flight need -v=5."
    named = {process.version for process in analysis.log.processes}
    if len(named) > 1 and None not in named:
        versions = listed(sorted(version for version in named if version is not None))
        yield f"The processes are of different releases, {versions}; each is judged as its own."
    elif analysis.kubernetes.version is None and analysis.kubernetes.named is None:
        candidates = analysis.kubernetes.candidates
        if candidates:
            yield (
                f"The release is not certain: {counted(len(candidates), 'release')} from {candidates[0]} to "
                f"{candidates[-1]} could have printed these lines."
            )
        else:
            yield "The release is not known."
    yield from (finding.summary for finding in analysis.findings if _is_limit(finding))
    yield from analysis.log.warnings
