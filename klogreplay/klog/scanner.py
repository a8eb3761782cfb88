"""A tokenizer that gives what the grammar gives, some times faster; where it is not sure, the grammar decides.

It knows no more than grammars/klog.lark: the same terminals, tried in the same order. A test holds the two equal.
"""

from __future__ import annotations

import re
from functools import cache

from klogreplay.klog.headers import TEXT_HEADER
from klogreplay.klog.known import blank_keys
from klogreplay.klog.pairs import Piece, Start, lark_tokens

QUOTED = re.compile(r'"(?>[^"\\\n]++|\\(?:[abfnrtv"\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}))*+"(?= |\Z)')
_UNESCAPED = re.compile(r'"[^\n]*?"(?=\Z| [^ =\n]*=)')
_BLOCK = re.compile(r"<\n(?>\t[^\n]*+(?:\n|\Z))*+(?: >(?= |\Z))?")
_KEY = r' [^ =\n]*+(?:=[^ ="\n\[{<]++)++=(?=")| [^ =\n]*+='
_LOOSE_KEY = re.compile(r' [^ ="\n\[\]{}]++(?: [^ ="\n\[\]{}]++){1,3}=')
_DEEPEST = 8


def group_pattern(depth: int = _DEEPEST) -> str:
    """An expression for a bracketed group that nests at most `depth` deep; strings inside hide their brackets."""
    group = r"(?!)"
    for _ in range(depth):
        group = rf'[\[{{](?>"(?>[^"\\\n]++|\\[^\n])*+"|[^\[\]{{}}"]++|"|{group})*+[\]}}]'
    return group


@cache
def _sure_key() -> re.Pattern[str]:
    known = "|".join(re.escape(key) for key in sorted(blank_keys()))
    return re.compile(rf"{_KEY}| (?:{known})=")


@cache
def _open_value() -> re.Pattern[str]:
    """An unquoted value up to the next key, as far as its brackets pair up."""
    return re.compile(rf'(?!")(?>[^ \[{{]++|{group_pattern()}|(?!{_sure_key().pattern}) )*+')


def scan_tokens(text: str, start: Start) -> list[Piece] | None:
    """The tokens of a record's text; see `klogreplay.klog.pairs.lark_tokens`."""
    tokens: list[Piece] = []
    at = 0
    if start == "record":
        header = TEXT_HEADER.match(text)
        if header is None:
            return lark_tokens(text, start)
        at = header.end()
        tokens.append(("HEADER", 0, at))
    if start != "pairs":
        message = QUOTED.match(text, at)
        if message is None:
            return _printf(tokens, text, at, start)
        at = message.end()
        tokens.append(("MESSAGE", message.start(), at))
    return _scan_pairs(text, start, at, tokens)


def _scan_pairs(text: str, start: Start, at: int, tokens: list[Piece]) -> list[Piece] | None:
    sure_key, open_value = _sure_key(), _open_value()
    size = len(text)
    loose = start != "pairs"
    closed = True
    while at < size:
        key = sure_key.match(text, at) or (_LOOSE_KEY.match(text, at) if loose and closed else None)
        if key is None:
            return lark_tokens(text, start)
        tokens.append(("KEY", at, key.end()))
        at = key.end()
        if text.startswith('"', at):
            value, kind = QUOTED.match(text, at), "QUOTED"
            if value is None:
                value, kind = _UNESCAPED.match(text, at), "UNESCAPED"
        elif text.startswith("<\n", at):
            value, kind = _BLOCK.match(text, at), "BLOCK"
        else:
            value, kind = open_value.match(text, at), ""
        if value is None or (not kind and value.end() < size and text[value.end()] != " "):
            return lark_tokens(text, start)
        at = value.end()
        closed = bool(kind)
        if closed:
            tokens.append((kind, value.start(), at))
    return tokens


def _printf(tokens: list[Piece], text: str, at: int, start: Start) -> list[Piece] | None:
    if start == "body":
        return None
    if at < len(text):
        tokens.append(("TEXT", at, len(text)))
    return tokens
