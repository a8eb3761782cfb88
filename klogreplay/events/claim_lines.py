"""The DynamicResources plugin's own lines: which claims a pod has, and what it waits for (1.26 and later).

The lines of its hint functions are in `klogreplay.events.hints`.
"""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, Reader
from klogreplay.events.values import optional_ref, optional_text, refs

CLAIM_KEYS = ("resourceclaims", "resourceclaim", "claim", "podSchedulingCtx", "podScheduling", "podscheduling")


def claims_of(line: Line) -> tuple[str, ...]:
    """The claims (or the PodSchedulingContext) named by the line, () where it names none."""
    values = line.values
    for key in CLAIM_KEYS:
        if key in values:
            return refs(values[key])
    return ()


def _claim_line(message: str, what: str, *, claims_needed: bool = False) -> Reader:
    def read(line: Line) -> ev.SchedulerEvent | None:
        values = line.values
        pod = optional_ref(values.get("pod"))
        claims = claims_of(line)
        if claims_needed and not claims:
            return None
        reason = values.get("reason")
        reason = optional_text(values.get("err") if reason is None else reason)
        if pod is None and not claims and reason is None:
            return None
        return ev.ClaimLine(
            **line.base,
            pod=pod,
            claims=claims,
            what=what,
            message=message,
            reason=reason,
            node=optional_ref(values.get("node")),
        )

    return read


_MESSAGES = {
    "pod unschedulable": "unschedulable",
    "pod waiting for external component": "waiting",
    "dynamic resource plugin failed": "failed",
    "start allocation": "allocating",
    "Preparing allocation with structured parameters": "allocating",
    "reserve": "reserving",
    "reserved": "reserved",
    "is reserved": "reserved",
    "unreserve": "unreserving",
    "Requesting deallocation of ResourceClaim": "deallocating",
    "Deallocation of ResourceClaim": "deallocating",
    "creating PodScheduling": "publishing",
    "updating PodScheduling": "publishing",
    "Creating PodScheduling": "publishing",
    "Updating PodScheduling": "publishing",
    "Creating PodSchedulingContext": "publishing",
    "Updating PodSchedulingContext": "publishing",
    "Patching PodSchedulingContext": "publishing",
    "PodScheduling object deleted": "context-deleted",
    "PodSchedulingContext object deleted": "context-deleted",
    "create claim for extended resources": "creating",
    "created claim for extended resources": "created",
    "Claim timed out waiting for binding conditions": "binding-timeout",
    "Claim failed binding conditions check": "binding-failed",
}

STRUCTURED: dict[str, Reader] = {
    # Printed for every pod; an empty list of claims tells nothing.
    "pod resource claims": _claim_line("pod resource claims", "claims", claims_needed=True),
    **{message: _claim_line(message, what) for message, what in _MESSAGES.items()},
}
