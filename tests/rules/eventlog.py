"""Events by hand, for tests."""

from __future__ import annotations

from typing import Any

S = 1_000_000


class Log:
    """Makes events with rising line numbers. Times are given in seconds."""

    def __init__(self, pid: int | None = 1) -> None:
        self.pid = pid
        self.line = 0

    def __call__(self, kind: type, t: float, **fields: Any) -> Any:
        self.line += 1
        return kind(line=self.line, t=int(t * S), pid=self.pid, site="", text=f"line {self.line}", **fields)
