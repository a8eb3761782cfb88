"""From the replay's parkings and the rules' findings to the report model.

Text is made encodable here (bytes that were not UTF-8 become U+FFFD), and no further: making it harmless for a
terminal or a ticket is each format's business, and JSON keeps the log lines as they stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from klogreplay import __version__
from klogreplay.knowledge import releases
from klogreplay.replay.parkings import stored
from klogreplay.replay.types import Parking
from klogreplay.report.model import (
    Analysis,
    FindingOut,
    Input,
    Kubernetes,
    Log,
    ProofLine,
    Tool,
    Upstream,
)
from klogreplay.report.rows import Clock, Rows
from klogreplay.report.sanitize import readable
from klogreplay.rules.types import Finding


def build(
    *,
    inputs: Sequence[Input],
    log: Log,
    kubernetes: Kubernetes,
    parkings: Iterable[Parking],
    findings: Sequence[Finding],
    clock: Clock,
) -> Analysis:
    """Make the report. `findings` index into `parkings`; `clock` formats the log's microseconds."""
    return Analysis(
        tool=Tool(version=__version__),
        inputs=list(inputs),
        log=log,
        kubernetes=_known(kubernetes),
        parkings=Rows(stored(parkings), clock),
        findings=[_finding(finding) for finding in findings],
    )


def _known(kubernetes: Kubernetes) -> Kubernetes:
    """With the release apart from the known ones where it is none of them."""
    if kubernetes.version is None or kubernetes.version in releases():
        return kubernetes
    return kubernetes.model_copy(update={"version": None, "named": kubernetes.version})


def _finding(finding: Finding) -> FindingOut:
    return FindingOut(
        code=finding.code,
        name=finding.name,
        pod=None if finding.pod is None else readable(finding.pod),
        parking=finding.parking,
        grade=finding.grade,
        summary=readable(finding.summary),
        proof=[
            ProofLine(line=cited.line, text=readable(cited.text), says=readable(cited.says), input=cited.source)
            for cited in finding.proof
        ],
        upstream=[
            Upstream(ref=change.ref, title=change.title, fixed_in=list(change.fixed_in)) for change in finding.upstream
        ],
    )
