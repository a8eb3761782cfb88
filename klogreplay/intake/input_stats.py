"""What was read of one input, for the report."""

from __future__ import annotations

import msgspec


class InputStats(msgspec.Struct):
    """What was read of one input.

    `bytes` and `sha256` are those of the input as it stands (compressed, if it is), complete once it was read to its
    end; `lines` counts physical lines (an entry of an export counts as one), `cut` those longer than the limit,
    `framing` those that were around the log and hold no line of it. `wrappers` are the names of what was taken off each
    line, outermost first; `also` says what else the input has: other wrappers, or "plain" lines. `log`: which log it is
    of several in one stream; `lines` are its own then, `bytes` and `sha256` those of the stream. `stamp` is the first
    time one of them printed (it has a year). `copied` lines are those of another input as well, which gives them.
    `broken_off`: its end is missing. `warnings`: what was wrong with the input that did not keep it from being read,
    and what was mended.
    """

    name: str
    bytes: int = 0
    lines: int = 0
    sha256: str = ""
    cut: int = 0
    compression: str | None = None
    framing: int = 0
    wrappers: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    log: str = ""
    stamp: str | None = None
    copied: int = 0
    broken_off: bool = False
    warnings: list[str] = []

    @property
    def title(self) -> str:
        """The input's name, with that of the log in it where it has several."""
        return f"{self.name} [{self.log}]" if self.log else self.name

    @property
    def form(self) -> str:
        """What the log is wrapped in: "cri", "docker-json in journald-json", "cri, also plain"; or "plain"."""
        return ", also ".join([" in ".join(reversed(self.wrappers)) or "plain", *self.also])
