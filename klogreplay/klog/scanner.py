"""A tokenizer that gives what the grammar gives, several times faster.

It knows no more than grammars/klog.lark: the same terminals, tried in the same order. Tests hold the two equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from klogreplay.klog.headers import TEXT_HEADER
from klogreplay.klog.known import blank_keys
from klogreplay.klog.pairs import Piece, Start

QUOTED = re.compile(r'"(?>[^"\\\n]++|\\(?:[abfnrtv"\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}))*+"(?= |\Z)')
_UNESCAPED = re.compile(r'"[^\n]*?"(?=\Z| [^ =\n]*=)')
_BLOCK = re.compile(r"<\n(?>\t[^\n]*+(?:\n|\Z))*+(?: >(?= |\Z))?")
_KEY = r' [^ =\n]*+(?:=[^ ="\n\[{<]++)++=(?=")| [^ =\n]*+='
_LOOSE_KEY = re.compile(r' [^ ="\n\[\]{}]++(?: [^ ="\n\[\]{}]++){1,3}=')
_STRING = r'"(?>[^"\\\n]++|\\[^\n])*+"'
_INSIDE_GROUP = re.compile(rf'(?>{_STRING}|[^\[\]{{}}"]++|")*+')
_QUICK_DEPTH = 4

ValueEnd = Callable[[str, int], int | None]


@cache
def sure_key() -> re.Pattern[str]:
    """A key with the blank before it and the "=" behind; the known keys may hold blanks."""
    known = "|".join(re.escape(key) for key in sorted(blank_keys()))
    return re.compile(rf"{_KEY}| (?:{known})=")


@cache
def _plain() -> re.Pattern[str]:
    """As much of an unquoted value as is sure: up to the next key, or to a bracket that has to be paired by count."""
    group = r"(?!)"
    for _ in range(_QUICK_DEPTH):
        group = rf'[\[{{](?>{_STRING}|[^\[\]{{}}"]++|"|{group})*+[\]}}]'
    return re.compile(rf"(?>[^ \[{{]++|{group}|(?!{sure_key().pattern}) )*+")


@cache
def _plain_unbalanced() -> re.Pattern[str]:
    return re.compile(rf"(?>[^ ]++|(?!{sure_key().pattern}) )*+")


def _balanced_end(text: str, start: int) -> int | None:
    """The end of an unquoted value, if its brackets pair up."""
    plain, size = _plain(), len(text)
    end = _end(plain, text, start)
    while end < size and text[end] != " ":
        group = _group_end(text, end)
        if group is None:
            return None
        end = _end(plain, text, group)
    return end


def _unbalanced_end(text: str, start: int) -> int | None:
    return _end(_plain_unbalanced(), text, start)


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return start if match is None else match.end()


def _group_end(text: str, start: int) -> int | None:
    """The end of the bracketed group that begins at `start`, however deep it nests; None where it has none."""
    depth, at, size = 0, start, len(text)
    while at < size:
        depth += 1 if text[at] in "[{" else -1
        at += 1
        if not depth:
            return at
        at = _end(_INSIDE_GROUP, text, at)
    return None


def scan_tokens(text: str, start: Start) -> list[Piece] | None:
    """The tokens of a record's text; see `klogreplay.klog.pairs.lark_tokens`. All keys are called KEY."""
    head: list[Piece] = []
    at = 0
    if start == "record":
        header = TEXT_HEADER.match(text)
        if header is None:
            return None
        at = header.end()
        head.append(("HEADER", 0, at))
    body = at
    message = None if start == "pairs" else QUOTED.match(text, at)
    if message is not None:
        at = message.end()
        head.append(("MESSAGE", message.start(), at))
    if message is not None or start == "pairs":
        for value_end in (_balanced_end, _unbalanced_end):
            tokens = _scan_pairs(text, at, start != "pairs", value_end)
            if tokens is not None:
                return head + tokens
    if start != "record":
        return None
    return [head[0], ("TEXT", body, len(text))] if body < len(text) else head


def _scan_pairs(text: str, at: int, loose: bool, value_end: ValueEnd) -> list[Piece] | None:
    """The tokens of the pairs from `at` on; None where the text is no such thing.

    Only behind the message and closed values may an unknown key hold blanks, and only if `loose`.
    """
    tokens: list[Piece] = []
    key_match, size = sure_key().match, len(text)
    closed = True
    while at < size:
        key = key_match(text, at) or (_LOOSE_KEY.match(text, at) if loose and closed else None)
        if key is None:
            return None
        tokens.append(("KEY", at, key.end()))
        at = key.end()
        if text.startswith('"', at):
            value, kind = QUOTED.match(text, at), "QUOTED"
            if value is None:
                value, kind = _UNESCAPED.match(text, at), "UNESCAPED"
        elif text.startswith("<\n", at):
            value, kind = _BLOCK.match(text, at), "BLOCK"
        else:
            end = value_end(text, at)
            if end is None:
                return None
            at, closed = end, False
            continue
        if value is None:
            return None
        tokens.append((kind, at, value.end()))
        at, closed = value.end(), True
    return tokens
