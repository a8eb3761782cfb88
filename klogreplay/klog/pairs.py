"""From the grammar's tokens to message, values and forms: what the text dialects share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Lark, Token, UnexpectedInput

from klogreplay.klog.grammar import load_grammar
from klogreplay.klog.record import ValueForm
from klogreplay.klog.values import bare, block_text, unquote

Values = tuple[dict[str, Any], dict[str, ValueForm]]


def balanced() -> Lark:
    """The parser for values whose brackets pair up."""
    return load_grammar("klog.lark", "record", "printf_record", "body", "pairs")


def unbalanced() -> Lark:
    """The parser for what `balanced` refuses: brackets are ordinary characters."""
    return load_grammar("klog.lark", "record_unbalanced", "body_unbalanced", "pairs_unbalanced")


def parse(text: str, start: str) -> list[Token] | None:
    """The tokens of `text` for the start symbol or its unbalanced twin; None where it is neither."""
    return _parse(balanced(), text, start) or _parse(unbalanced(), text, f"{start}_unbalanced")


def parse_printf(text: str) -> list[Token]:
    """The tokens of a record that is not structured: its header and, unless it is empty, its TEXT."""
    tokens = _parse(balanced(), text, "printf_record")
    if tokens is None:
        raise ValueError("no klog header")
    return tokens


def _parse(parser: Lark, text: str, start: str) -> list[Token] | None:
    try:
        tree = parser.parse(text, start=start)
    except UnexpectedInput:
        return None
    return [child for child in tree.children if isinstance(child, Token)]


def read_pairs(text: str, tokens: Sequence[Token]) -> Values:
    """Values and forms by key, of the tokens behind the message; a key given twice keeps its first place.

    A value without a token of its own is unquoted: it reaches from the end of its key to the next key.
    """
    values: dict[str, Any] = {}
    forms: dict[str, ValueForm] = {}
    count = len(tokens)
    for index, token in enumerate(tokens):
        if token.type not in ("KEY", "KNOWN_KEY", "LOOSE_KEY"):
            continue
        key = token[1:-1]
        following = tokens[index + 1] if index + 1 < count else None
        if following is not None and following.type == "QUOTED":
            values[key], forms[key] = unquote(following), "quoted"
        elif following is not None and following.type == "UNESCAPED":
            values[key], forms[key] = following[1:-1], "quoted-unescaped"
        elif following is not None and following.type == "BLOCK":
            values[key], forms[key] = block_text(following), "block"
        else:
            end = len(text) if following is None else following.start_pos
            values[key], forms[key] = bare(text[token.end_pos : end])
    return values, forms
