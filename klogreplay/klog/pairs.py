"""From the grammar's tokens to values and forms: what the text dialects share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

from lark import Lark, UnexpectedInput

from klogreplay.klog.grammar import load_grammar
from klogreplay.klog.record import ValueForm
from klogreplay.klog.values import bare, block_text, unquote

Start = Literal["record", "body", "pairs"]
"""A start symbol of grammars/klog.lark."""

Piece = tuple[str, int, int]
"""A token: the terminal's name, where it begins and where it ends in the text."""

Tokenize = Callable[[str, Start], Sequence[Piece] | None]
"""The tokens of a record's text for a start symbol; None where the text is no such thing."""

Values = tuple[dict[str, Any], dict[str, ValueForm]]

KEYS = frozenset({"KEY", "KNOWN_KEY", "LOOSE_KEY"})


def _balanced() -> Lark:
    return load_grammar("klog.lark", "record", "printf_record", "body", "pairs")


def _unbalanced() -> Lark:
    """Brackets are ordinary characters: for what `_balanced` refuses."""
    return load_grammar("klog.lark", "record_unbalanced", "body_unbalanced", "pairs_unbalanced")


def lark_tokens(text: str, start: Start) -> list[Piece] | None:
    """The tokens as the grammar has them. A record with a header always has some: it is printf text if nothing else."""
    tokens = _parse(_balanced(), text, start)
    if tokens is None:
        tokens = _parse(_unbalanced(), text, f"{start}_unbalanced")
    if tokens is None and start == "record":
        tokens = _parse(_balanced(), text, "printf_record")
    return tokens


def _parse(parser: Lark, text: str, start: str) -> list[Piece] | None:
    try:
        tree = parser.parse(text, start=start)
    except UnexpectedInput:
        return None
    return [(token.type, token.start_pos, token.end_pos) for token in cast(list[Any], tree.children)]


def read_pairs(text: str, tokens: Sequence[Piece]) -> Values:
    """Values and forms by key, of the tokens behind the message; a key given twice keeps its first place.

    A value without a token of its own is unquoted: it reaches from the end of its key to the next key.
    """
    values: dict[str, Any] = {}
    forms: dict[str, ValueForm] = {}
    last = len(tokens) - 1
    for index, (kind, key_start, start) in enumerate(tokens):
        if kind not in KEYS:
            continue
        key = text[key_start + 1 : start - 1]
        following, end = "", len(text)
        if index < last:
            following, next_start, next_end = tokens[index + 1]
            end = next_start if following in KEYS else next_end
        if following == "QUOTED":
            values[key], forms[key] = unquote(text[start:end]), "quoted"
        elif following == "UNESCAPED":
            values[key], forms[key] = text[start + 1 : end - 1], "quoted-unescaped"
        elif following == "BLOCK":
            values[key], forms[key] = block_text(text[start:end]), "block"
        else:
            values[key], forms[key] = bare(text[start:end])
    return values, forms
