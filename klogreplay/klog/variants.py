"""Learnt whole-line expressions: what one line of a call site taught reads the next ones like it.

A variant is a call site with one process id, message, list of keys and kinds of values. It takes a line only where the
whole of it is as learnt and nothing in it is escaped, so that it gives exactly what the grammar would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from klogreplay.klog.headers import HEADER_FIXED
from klogreplay.klog.pairs import KEYS, Piece
from klogreplay.klog.record import Header, KlogRecord, ValueForm
from klogreplay.klog.values import bare, parse_json

_LONGEST_MEMO = 2000
_MOST_MEMO = 4096

_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z")
_CLOSED = ("]", "}")
_WORDS = {"true": True, "false": False, "null": None}
_CONTAINER = re.compile(r"[\[{][^ \\]*[\]}]\Z")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_FLAT = r'[^\[\]{}"\\]++'
_PAIRED = rf"&?[\[{{](?>{_FLAT}|[\[{{](?>{_FLAT}|[\[{{](?>{_FLAT})?[\]}}])*+[\]}}])*+[\]}}]"
_GROUP = re.compile(rf"{_PAIRED}\Z")

_ESCAPE = r'\\(?:[abfnrtv"\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})'
_ESCAPED = rf'"([^"\\\n]*+(?:{_ESCAPE}[^"\\\n]*+)*+)"'

Convert = Callable[[str], Any]


class _NoMatchError(Exception):
    """A value that is not of the kind learnt."""


class _Json:
    """Containers by their text: the same few sets of plugins are printed over and over. Treat the values as frozen."""

    def __init__(self) -> None:
        self._memo: dict[str, Any] = {}

    def __call__(self, text: str) -> Any:
        known = self._memo.get(text)
        if known is not None:
            return known
        try:
            value = parse_json(text)
        except ValueError:
            raise _NoMatchError from None
        if len(text) <= _LONGEST_MEMO:
            if len(self._memo) >= _MOST_MEMO:
                self._memo.clear()
            self._memo[text] = value
        return value


_json = _Json()


def _bare(text: str) -> str:
    if bare(text)[1] != "bare":
        raise _NoMatchError
    return text


def _kind(value: str) -> tuple[str, Convert, ValueForm] | None:
    """Expression, conversion and form for unquoted values like this one; None where no line of it is to be learnt."""
    if _INT.match(value):
        return r"(-?(?:0|[1-9][0-9]{0,17}))", int, "json"
    if value in _WORDS:
        return rf"({value})", _WORDS.__getitem__, "json"
    if _CONTAINER.match(value) and bare(value)[1] == "json":
        return r"([\[{][^ \\]*[\]}])", _json, "json"
    if _GROUP.match(value) and bare(value)[1] == "bare":
        return rf"({_PAIRED})", _bare, "bare"
    if _WORD.match(value) and bare(value)[1] == "bare":
        return r"([A-Za-z][A-Za-z0-9_-]*+)", _bare, "bare"
    return None


class LineShape(NamedTuple):
    """What lines of one variant have in common.

    `keys` in printed order; `pattern`, for lines without any backslash, has one group for each: what stands between the
    quotes of a quoted value, or the whole text of an unquoted one. `convert` has the conversions of the latter.
    """

    pattern: str
    keys: tuple[str, ...]
    convert: tuple[tuple[str, Convert], ...]


def line_shape(
    text: str, tokens: Sequence[Piece], begin: int = HEADER_FIXED, *, escapes: bool = False
) -> LineShape | None:
    """The shape of a structured line with a header, of which these are the tokens, from character `begin` on.

    None where lines like it have to be read in full: a block, a value that may go on in the next line. With `escapes`
    the pattern takes them in quoted values, and has to be asked of any line.
    """
    if len(tokens) < 3 or tokens[1][0] != "MESSAGE":
        return None
    pattern = [re.escape(text[begin : tokens[1][2]])]
    quoted = _ESCAPED if escapes else '"([^"]*)"'
    keys: list[str] = []
    convert: list[tuple[str, Convert]] = []
    last = len(tokens) - 1
    for index in range(2, last + 1):
        kind, start, end = tokens[index]
        if kind not in KEYS:
            continue
        key = text[start + 1 : end - 1]
        keys.append(key)
        pattern.append(re.escape(text[start:end]))
        following = tokens[index + 1][0] if index < last else ""
        if following == "QUOTED":
            pattern.append(quoted)
            continue
        value_end = tokens[index + 1][1] if index < last else len(text)
        read = None if following in ("UNESCAPED", "BLOCK") or key == "logger" else _kind(text[end:value_end])
        if read is None:
            return None
        expression, conversion, form = read
        if form == "bare" and value_end == len(text) and not text.endswith(_CLOSED):
            return None
        pattern.append(expression)
        convert.append((key, conversion))
    if len(set(keys)) != len(keys):
        return None
    return LineShape("".join(pattern) + r"\r?\Z", tuple(keys), tuple(convert))


class Variant:
    """The expression that a record's only line taught, and what is the same in all lines it takes."""

    def __init__(self, record: KlogRecord, shape: LineShape) -> None:
        header = record.header
        if header is None:
            raise ValueError("a record without a header")
        self.keys = shape.keys
        self.match = re.compile(shape.pattern).match
        """To be asked of lines without a backslash only; to look for one in each value costs three times as much."""
        self._convert = shape.convert
        self._forms = record.forms
        self._file, self._line, self._threadid = header.file, header.line, header.threadid
        self._msg = record.msg
        self._logger = record.logger
        self._logger_key = "logger" if "logger" in record.values else None
        self._dates: dict[str, tuple[int, int]] = {}

    def record(self, text: str, number: int, source: int, groups: tuple[str, ...]) -> KlogRecord | None:
        """The record of a line that `match` took; None where a value turns out to be of another kind."""
        values: dict[str, Any] = dict(zip(self.keys, groups))  # noqa: B905 - one group a key; `strict` would cost a third
        try:
            for key, convert in self._convert:
                values[key] = convert(values[key])
        except _NoMatchError:
            return None
        date = text[1:5]
        month_day = self._dates.get(date)
        if month_day is None:
            month_day = self._dates[date] = (int(date[:2]), int(date[2:]))
        header = Header(text[0], self._file, self._line, month_day[0], month_day[1], text[6:21], self._threadid)
        return KlogRecord(
            number,
            header,
            self._logger if self._logger_key is None else values["logger"],
            self._msg,
            values,
            self._forms,
            True,
            "klog-text",
            text if text[-1] != "\r" else text[:-1],
            1,
            source,
        )
