"""What all events have."""

from __future__ import annotations

import msgspec


class SchedulerEvent(msgspec.Struct, gc=False, kw_only=True, tag_field="kind"):
    """What all events have."""

    line: int
    t: int
    pid: int | None
    site: str
    text: str
    source: int = 0
