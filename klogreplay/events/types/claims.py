"""Resource claims: the DynamicResources plugin's own lines (dynamicresources.go)."""

from __future__ import annotations

from klogreplay.events.types.base import SchedulerEvent


class ClaimLine(SchedulerEvent, tag="claim-line"):
    """A line of the DynamicResources plugin from its extension points (from its hint functions: `HintLine`).

    `what` is a short word for the message; `claims` the names "namespace/name" or "name" as printed under the keys
    `resourceclaims`, `resourceclaim`, `claim`, `podSchedulingCtx` or `podScheduling` (empty where the line has none of
    them, or an empty list). `message` is without the "<point>/DynamicResources: " that 1.26-1.28 put before it.
    `reason` is the unescaped value of `reason`, or of `err` on error lines: up to 1.28 the only place where a pod that
    PreEnqueue turned away is named. `node` is the node of the line, where printed.
    """

    pod: str | None
    claims: tuple[str, ...]
    what: str
    message: str
    reason: str | None = None
    node: str | None = None
