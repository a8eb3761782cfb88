"""The values of key/value pairs: from the text klog prints to what was meant.

Forms and escapes follow klog's serialisation as recorded for its releases v2.9 to v2.130.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from klogreplay.klog.record import ValueForm

_ESCAPE = re.compile(r'\\(?:([abfnrtv\\"])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))')
_SHORT = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"'}
_FIRST_SURROGATE = 0xD800
_LAST_SURROGATE = 0xDFFF
_LAST_RUNE = 0x10FFFF
_REPLACEMENT = "\ufffd"
_JSON_START = re.compile(r"[\[{\"0-9tfn-]")


def _escaped(match: re.Match[str]) -> str:
    short, byte, rune, long_rune = match.groups()
    if short:
        return _SHORT[short]
    if byte:
        value = int(byte, 16)
        # Go writes \x only for control characters and for bytes that are no UTF-8; these stay recoverable.
        return chr(value) if value < 0x80 else chr(0xDC00 + value)
    value = int(rune or long_rune, 16)
    if value > _LAST_RUNE or _FIRST_SURROGATE <= value <= _LAST_SURROGATE:
        return _REPLACEMENT
    return chr(value)


def unquote(quoted: str) -> str:
    """The text of a Go-quoted string (`strconv.Quote`, `%+q`), quotes included in the argument.

    A byte that is not UTF-8 (`\\xc3`) becomes its `surrogateescape` character.
    """
    text = quoted[1:-1]
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def block_text(block: str) -> str:
    """The text of a block (`<`, lines with a tab in front, ` >`): its lines without that tab, joined by "\\n"."""
    lines = block.split("\n")[1:]
    if lines and not lines[-1].startswith("\t"):
        lines.pop()
    return "\n".join(line[1:] for line in lines)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError("a number beyond all that a float can hold")
    return value


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def parse_json(text: str) -> Any:
    """Strict JSON (no NaN, no Infinity).

    Raises ValueError for what is no JSON, and for what Python cannot hold (nesting, digits or numbers beyond its
    limits: `1e999` is JSON, but could not be written as such again).
    """
    try:
        value, end = _DECODER.raw_decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if end != len(text):
        raise ValueError("text behind the JSON value")
    return value


def parse_json_pairs(text: str) -> list[tuple[str, Any]]:
    """The pairs of a JSON object in order, with those that repeat a key. Raises ValueError as `parse_json` does."""
    objects: list[list[tuple[str, Any]]] = [[]]

    def closed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        objects[0] = pairs
        return dict(pairs)

    try:
        json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=closed).decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return objects[0]


def bare(text: str) -> tuple[Any, ValueForm]:
    """An unquoted value with its form: the JSON value where the text is JSON, else the text as it stands."""
    if _JSON_START.match(text):
        try:
            return parse_json(text), "json"
        except ValueError:
            pass
    return text, "bare"
