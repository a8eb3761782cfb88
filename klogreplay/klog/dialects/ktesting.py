"""What ktesting hands to t.Log, as go test prints it: no process id, the message not quoted.

`    schedule_one.go:65: I0831 20:03:47.184243] About to try and schedule pod pod="default/web-0"`

go test indents the first line of a log by four blanks per level and the others by four more; a pasted log may have
lost that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from klogreplay.klog.dialects.base import Mode
from klogreplay.klog.dialects.text import join_lines
from klogreplay.klog.headers import KTESTING_HEADER, read_ktesting_header
from klogreplay.klog.known import known_keys
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.pairs import Tokenize, read_pairs
from klogreplay.klog.record import Dialect, KlogRecord
from klogreplay.klog.unquoted import message_end

_STEP = 4
_BLOCK_LINE = re.compile(r"[ ]*(?=\t)")
_BLOCK_END = re.compile(r"[ ]*(?= >(?: |\Z))|(?=>(?: |\Z))")


class KtestingDialect:
    """ktesting output below go test."""

    name: Dialect = "ktesting"

    def __init__(self, tokenize: Tokenize) -> None:
        self._tokenize = tokenize

    def starts(self, line: str) -> bool:
        """Whether the line has a ktesting header behind go test's "file:line: "."""
        return KTESTING_HEADER.match(line) is not None

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record that the lines make."""
        match = KTESTING_HEADER.match(lines[0])
        if match is None:
            raise ValueError("no ktesting header")
        text = join_lines(_without_indent(lines, len(match[1]) + _STEP))
        end = message_end(text, match.end(), known_keys())
        message, rest = text[match.end() : end], text[end:]
        tokens = self._tokenize(rest, "pairs") if rest else []
        if tokens is None:
            message, rest, tokens = message + rest, "", []
        values, forms = read_pairs(rest, tokens)
        name, message = split_logger(message)
        logger = values.get("logger", name)
        return KlogRecord(
            line=number,
            header=read_ktesting_header(match),
            logger=logger if isinstance(logger, str) else name,
            msg=message,
            values=values,
            forms=forms,
            structured=True,
            dialect=self.name,
            text=lines[0].removesuffix("\r"),
            lines=len(lines),
            source=source,
        )

    def first_mode(self, record: KlogRecord) -> Mode:
        """A message may go on over several lines, so may a block."""
        return Mode.BLOCK if record.text.endswith("=<") else Mode.TEXT

    def next_mode(self, mode: Mode, first: str, line: str) -> Mode | None:
        """See `Dialect`; continuation lines are indented deeper than the first."""
        line = line.removesuffix("\r")
        if mode is Mode.BLOCK:
            if _BLOCK_LINE.match(line):
                return Mode.BLOCK
            if _BLOCK_END.match(line):
                return Mode.BLOCK if line.endswith("=<") else Mode.TEXT
            return None
        indent = len(first) - len(first.lstrip(" ")) + _STEP
        if not line.startswith(" " * indent):
            return None
        return Mode.BLOCK if line.endswith("=<") else Mode.TEXT


def _without_indent(lines: Sequence[str], indent: int) -> list[str]:
    """The lines without what go test put in front of the second and later ones."""
    kept = [lines[0]]
    for line in lines[1:]:
        block = _BLOCK_LINE.match(line) or _BLOCK_END.match(line)
        if block:
            kept.append(line[block.end() :] if line[block.end()] != ">" else f" {line[block.end() :]}")
        else:
            kept.append(line[min(indent, len(line) - len(line.lstrip(" "))) :])
    return kept
