"""The dialects of klog output, in the order in which a line is tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from klogreplay.klog.dialects.base import Dialect, Mode
from klogreplay.klog.dialects.json import JsonDialect
from klogreplay.klog.dialects.ktesting import KtestingDialect
from klogreplay.klog.dialects.text import TextDialect
from klogreplay.klog.pairs import Tokenize, lark_tokens
from klogreplay.klog.scanner import scan_tokens

Engine = Literal["fast", "lark"]
"""Who reads the lines: "lark" is the grammar alone, "fast" what gives the same without it wherever it is sure."""

_TOKENIZERS: dict[Engine, Tokenize] = {"fast": scan_tokens, "lark": lark_tokens}

__all__ = ["Dialect", "Engine", "Mode", "detect", "dialects", "text_dialect"]


def text_dialect(engine: Engine) -> TextDialect:
    """klog's own text format, also the dialect of lines without a header."""
    return TextDialect(_TOKENIZERS[engine])


def dialects(engine: Engine = "fast") -> tuple[Dialect, ...]:
    """All dialects, in the order in which a line is tried."""
    return (text_dialect(engine), JsonDialect(), KtestingDialect(_TOKENIZERS[engine]))


def detect(line: str, among: Sequence[Dialect]) -> Dialect | None:
    """The dialect of which this line begins a record; None where it begins none."""
    for dialect in among:
        if dialect.starts(line):
            return dialect
    return None
