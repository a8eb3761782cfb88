"""Learnt whole-line expressions for JSON: what one line of a call site taught reads the next ones like it.

An expression holds the keys as they stand, and its groups are the values of the record. It is asked only of lines that
are JSON as a whole; so a quote is where a string begins or ends, or, in a line with a backslash, may be escaped.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from klogreplay.klog.builds import ReadRecord
from klogreplay.klog.dialects.json import JsonDialect
from klogreplay.klog.record import KlogRecord, ValueForm
from klogreplay.klog.values import parse_json

_BEGIN = rb'\{"ts":[1-9][0-9]{12}(?:\.[0-9]{1,9})?+,'
FRAME = re.compile(_BEGIN + rb'((?:"logger":"[^"]*",)?+"caller":"[^"]*","msg":"[^"]*")')
"""How component-base has zap begin a line; the group is what lines of one message have in common."""
FRAME_ESCAPED = re.compile(
    _BEGIN + rb'((?:"logger":"[^"\\]*+",)?+"caller":"[^"\\]*+","msg":"[^"\\]*+(?:\\.[^"\\]*+)*+")'
)
"""The same for a line with a backslash."""

_INTEGER = "-?[0-9]{1,18}"
_DEPTH = 3


class _Values(NamedTuple):
    """The expressions for values: what stands between quotes, a name inside an object reference, and any value."""

    string: str
    name: str
    any: str


def _values(string: str, name: str) -> _Values:
    inner = "(?!)"
    for _ in range(_DEPTH):
        # A float may be beyond what Python holds where it has an exponent.
        group = rf'(?>"{string}"|[^\[\]{{}}"0-9]++|[0-9]++(?![eE])|{inner})*+'
        inner = rf"\[{group}\]|\{{{group}\}}"
    return _Values(string, name, rf'(?>"{string}"|-?[0-9.]{{1,32}}+|true|false|null|{inner})')


_PLAIN = _values('[^"]*', '[^"]+')
_ESCAPED = _values(r'[^"\\]*+(?:\\.[^"\\]*+)*+', r'[^"\\]+')
_FRAME_KEYS = frozenset({"ts", "logger", "caller", "msg"})
_IS_INTEGER = re.compile(rf"{_INTEGER}\Z")
_IS_REFERENCE = re.compile(r'\{"name":"[^"\\/]+","namespace":"[^"\\/]+"\}\Z')
_IS_NAMED = re.compile(r'\{"name":"[^"\\]+"\}\Z')
_END = r"\}\r?\Z"


class JsonShape(NamedTuple):
    """What lines of one message with the same keys and kinds of values have in common.

    `references` are the groups that hold a name and have the namespace behind them, last first; `strings` are the
    places of strings among the texts. See `klogreplay.klog.learnt.Shape`.
    """

    pattern: str
    keys: tuple[str, ...]
    references: tuple[int, ...]
    strings: tuple[int, ...]

    def texts(self, text: str, groups: tuple[str, ...]) -> tuple[str, ...] | None:
        """The values' texts: of a string what it says, of an object reference "namespace/name", as klog's text has it.

        Of anything else the JSON. None where a reference is none that text could tell.
        """
        escaped = "\\" in text
        if not self.references and not escaped:
            return groups
        if len(self.references) == 1 and not escaped:
            at = self.references[0]
            name, namespace = groups[at], groups[at + 1]
            if "/" in name or "/" in namespace:
                return None
            return (*groups[:at], f"{namespace}/{name}", *groups[at + 2 :])
        texts = list(groups)
        for at in self.references:
            name, namespace = groups[at : at + 2]
            if "/" in name or "/" in namespace:
                return None
            texts[at : at + 2] = (f"{namespace}/{name}",)
        if escaped:
            for at in self.strings:
                if "\\" in texts[at]:
                    texts[at] = parse_json(f'"{texts[at]}"')
        return tuple(texts)

    def known(self, record: KlogRecord, texts: tuple[str, ...]) -> KlogRecord:
        """The record as klog's text would have told it: references as "namespace/name"; what is no number is quoted."""
        values: dict[str, Any] = {}
        forms: dict[str, ValueForm] = {}
        for key, text in zip(self.keys, texts, strict=True):
            value = record.values[key]
            values[key] = text if isinstance(value, dict) and not text.startswith("{") else value
            forms[key] = "json" if type(value) is int else "quoted"
        return msgspec.structs.replace(record, values=values, forms=forms)

    def reader(self, record: KlogRecord) -> ReadRecord:
        """Reads lines that the pattern took: all of them are records."""
        return lambda text, number, source, texts: JsonDialect().parse([text], number, source)


def json_shape(record: KlogRecord, begin: int, _sure: bool = True) -> JsonShape | None:
    """The shape of a record's line, from `begin` on, where its frame ends; None where such lines are read in full."""
    text = record.text
    values = _ESCAPED if "\\" in text else _PLAIN
    pairs = _pairs(text, begin, values)
    names = [key for key, _ in pairs or ()]
    if pairs is None or names.count("v") > 1 or not _FRAME_KEYS.isdisjoint(names):
        return None
    pattern: list[str] = []
    keys: list[str] = []
    references: list[int] = []
    strings: list[int] = []
    for index, (key, value) in enumerate(pairs):
        pattern.append(re.escape(f',"{key}":'))
        if key == "v":
            pattern.append(re.escape(value))
            continue
        # Of a key given twice the last is the value.
        counts = key not in names[index + 1 :]
        pattern.append(_expression(value, values, "(" if counts else "(?:"))
        if not counts:
            continue
        if value.startswith('"'):
            strings.append(len(keys))
        elif _IS_REFERENCE.match(value):
            references.append(len(keys) + len(references))
        keys.append(key)
    return JsonShape("".join(pattern) + _END, tuple(keys), tuple(reversed(references)), tuple(strings))


def _pairs(text: str, begin: int, values: _Values) -> list[tuple[str, str]] | None:
    """The keys and values from `begin` to the end of a record's line; None where they nest too deeply to tell."""
    pair = re.compile(rf',"([^"\\]*)":({values.any})(?=[,}}])')
    pairs: list[tuple[str, str]] = []
    at = begin
    while found := pair.match(text, at):
        pairs.append((found[1], found[2]))
        at = found.end()
    return pairs if text[at:] == "}" else None


def _expression(value: str, values: _Values, group: str) -> str:
    """What takes values like this one; `group` opens a group."""
    if value.startswith('"'):
        return f'"{group}{values.string})"'
    if _IS_INTEGER.match(value):
        return f"{group}{_INTEGER})"
    if _IS_REFERENCE.match(value):
        return rf'\{{"name":"{group}{values.name})","namespace":"{group}{values.name})"\}}'
    if _IS_NAMED.match(value):
        return rf'\{{"name":"{group}{values.name})"\}}'
    return f"{group}{values.any})"
