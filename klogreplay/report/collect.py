"""What to collect next, so that more can be said: from what decides single verdicts to what all of the log lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from klogreplay.report.model import Analysis
from klogreplay.report.rows import needs_of
from klogreplay.rules.phrases import counted

ENOUGH = 5
"""The level at which events that come while a pod is in flight are printed, from 1.28.3 on."""

SWITCH = (
    'the level of a running scheduler, without a restart: curl -k -X PUT -H "Authorization: Bearer $TOKEN" '
    "https://127.0.0.1:10259/debug/flags/v -d {level} on its node (10259 is its default port; the token's owner needs "
    "the verb put on the URL /debug/flags/v, and enableProfiling is not to be off); note the old level and put it back"
)
"""Since Kubernetes 1.12 (kubernetes#63777)."""

_LEVEL = re.compile(r"-v=([0-9])")


def to_collect(analysis: Analysis) -> list[str]:
    """Each thing to collect, those first that decide the most."""
    needs = needs_of(analysis.parkings)
    listed = [
        f"{need} ({counted(count, 'failed attempt')})"
        for need, count in sorted(needs.items(), key=lambda item: (-item[1], item[0]))
    ]
    return [*listed, *_of_the_log(analysis, listed)]


def _of_the_log(analysis: Analysis, needs: list[str]) -> Iterator[str]:
    for process in analysis.log.processes:
        if process.standby:
            holder = f", {process.lease_holder}" if process.lease_holder else ""
            yield f"the log of the replica that held the lease{holder}: process {process.id} only waited for it"
    unknown = sorted(name for name, gate in analysis.kubernetes.gates.items() if gate.value is None)
    if unknown and needs:
        yield (
            f"the feature gates {', '.join(unknown)} (--feature-gate, or the log from its start: “feature gates:” is "
            "among its first lines)"
        )
    levels = [int(level) for need in needs for level in _LEVEL.findall(need)]
    if analysis.log.verbosity is None or analysis.log.verbosity < ENOUGH:
        levels.append(ENOUGH)
    if levels:
        yield SWITCH.format(level=max(levels))
