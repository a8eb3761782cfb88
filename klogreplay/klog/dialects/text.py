"""klog's own text format: a header, then a quoted message with pairs, or printf text.

`I0831 20:03:47.184243       1 schedule_one.go:65] "About to try and schedule pod" pod="default/web-0"`
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from klogreplay.klog.dialects.base import Mode
from klogreplay.klog.headers import TEXT_HEADER, read_header
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.pairs import Piece, Tokenize, read_pairs
from klogreplay.klog.record import Dialect, Header, KlogRecord, ValueForm
from klogreplay.klog.values import unquote

_BLOCK_END = re.compile(r" >(?: |\Z)")
_CLOSED_ENDS = ("]", "}", ")", ">")


class TextDialect:
    """klog text, with a header or (`--skip_headers`) without."""

    name: Dialect = "klog-text"

    def __init__(self, tokenize: Tokenize) -> None:
        self._tokenize = tokenize

    def starts(self, line: str) -> bool:
        """Whether the line has a klog header."""
        return TEXT_HEADER.match(line) is not None

    def parse(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord:
        """The record with a header that the lines make."""
        text = join_lines(lines)
        tokens = self._tokenize(text, "record")
        if tokens is None:
            raise ValueError("no klog header")
        if text.endswith(" ") and tokens[-1][0] == "TEXT":
            text, tokens = self._without_blanks_behind(text, tokens)
        header = read_header(text[: tokens[0][2]])
        if len(tokens) == 1 or tokens[1][0] == "TEXT":
            return self._record(lines, number, source, header, text[tokens[0][2] :], {}, {}, structured=False)
        values, forms = read_pairs(text, tokens)
        return self._record(lines, number, source, header, unquote(text[tokens[1][1] : tokens[1][2]]), values, forms)

    def _without_blanks_behind(self, text: str, tokens: Sequence[Piece]) -> tuple[str, Sequence[Piece]]:
        """klog prints no blank behind the last value; where somebody's editor did, the record is still structured."""
        shorter = text.rstrip(" ")
        trimmed = self._tokenize(shorter, "record")
        return (text, tokens) if trimmed is None or trimmed[-1][0] == "TEXT" else (shorter, trimmed)

    def parse_headerless(self, lines: Sequence[str], number: int, source: int = 0) -> KlogRecord | None:
        """The record of lines printed with `--skip_headers`; None where they are no quoted message with pairs."""
        text = join_lines(lines)
        tokens = self._tokenize(text, "body") if text.startswith('"') else None
        if tokens is None:
            return None
        values, forms = read_pairs(text, tokens)
        return self._record(lines, number, source, None, unquote(text[: tokens[0][2]]), values, forms)

    def _record(
        self,
        lines: Sequence[str],
        number: int,
        source: int,
        header: Header | None,
        message: str,
        values: dict[str, Any],
        forms: dict[str, ValueForm],
        *,
        structured: bool = True,
    ) -> KlogRecord:
        logger = values.get("logger")
        if not isinstance(logger, str):
            logger = split_logger(message)[0] if structured else None
        return KlogRecord(
            line=number,
            header=header,
            logger=logger,
            msg=message,
            values=values,
            forms=forms,
            structured=structured,
            dialect=self.name,
            text=lines[0].removesuffix("\r"),
            lines=len(lines),
            source=source,
        )

    def first_mode(self, record: KlogRecord) -> Mode:
        """printf text may go on; a structured record only in a block or in an unquoted last value."""
        if not record.structured:
            return Mode.TEXT
        if record.text.endswith("=<"):
            return Mode.BLOCK
        last = next(reversed(record.forms), None)
        if last is None or record.forms[last] != "bare":
            return Mode.CLOSED
        return _mode_of_bare(record.values[last])

    def next_mode(self, mode: Mode, first: str, line: str) -> Mode | None:
        """See `Dialect`."""
        line = line.removesuffix("\r")
        if mode is Mode.BLOCK:
            if line.startswith("\t"):
                return Mode.BLOCK
            if _BLOCK_END.match(line):
                return Mode.BLOCK if line.endswith("=<") else Mode.CLOSED
            return None
        if mode is Mode.VALUE:
            return Mode.CLOSED if line.endswith((*_CLOSED_ENDS, '"')) else Mode.VALUE
        return mode if mode is Mode.TEXT else None


def join_lines(lines: Sequence[str]) -> str:
    """The record's text, without its last line break.

    A "\\r" before the line break belongs to the break if the first line has one too; else to a block's text.
    """
    if not lines[0].endswith("\r"):
        return "\n".join(lines) if len(lines) > 1 else lines[0]
    return "\n".join(line.removesuffix("\r") for line in lines)


def _mode_of_bare(value: str) -> Mode:
    opened = value.count("[") + value.count("{")
    closed = value.count("]") + value.count("}")
    if opened > closed:
        return Mode.VALUE
    return Mode.CLOSED if value.endswith(_CLOSED_ENDS) else Mode.VALUE
