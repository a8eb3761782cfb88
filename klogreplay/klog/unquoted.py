"""Where an unquoted message ends and its pairs begin.

ktesting does not quote the message, so the text holds no sure border. Rule: first a known message whose rest parses as
pairs; else the first place from which all the rest parses as pairs whose keys, but for the known ones, hold no blank.
Unquoted values hold none either, but inside brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import cache

from klogreplay.klog.known import known_keys
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.scanner import QUOTED, sure_key

_LONGEST_KNOWN = 400
_BRACKET_DEPTH = 8
_CLOSING_QUOTE = re.compile(r'"(?=\Z| [^ =\n]*=)')
_BLOCK_LINES_END = re.compile(r" >(?= |\Z)")


@cache
def _bare() -> re.Pattern[str]:
    string = r'"(?>[^"\\\n]++|\\[^\n])*+"'
    group = r"(?!)"
    for _ in range(_BRACKET_DEPTH):
        group = rf'[\[{{](?>{string}|[^\[\]{{}}"]++|"|{group})*+[\]}}]'
    return re.compile(rf'(?!")(?>[^ \[{{\n]++|{group})*+(?= |\Z)')


class _Ends:
    """Where the pair at a place ends. Looked up, not searched for, where a search could be repeated from each place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._quotes = [match.start() for match in _CLOSING_QUOTE.finditer(text)]
        self._block_ends = _block_ends(text)

    def of_value(self, start: int) -> int | None:
        """The end of the value at `start`; None where there is no whole one."""
        text = self._text
        if text.startswith('"', start):
            quoted = QUOTED.match(text, start)
            if quoted:
                return quoted.end()
            index = bisect_left(self._quotes, start + 1)
            if index == len(self._quotes) or "\n" in text[start : self._quotes[index]]:
                return None
            return self._quotes[index] + 1
        if text.startswith("<\n\t", start):
            return self._block_ends.get(start + 2)
        value = _bare().match(text, start)
        return value.end() if value else None


def _block_ends(text: str) -> dict[int, int]:
    """Start of a line that begins with a tab -> end of the block whose lines run on from there."""
    ends: dict[int, int] = {}
    if "<\n\t" not in text:
        return ends
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    end: int | None = None
    for start in reversed(starts):
        if text.startswith("\t", start):
            if end is not None:
                ends[start] = end
        else:
            mark = _BLOCK_LINES_END.match(text, start)
            end = mark.end() if mark else None
    return ends


def message_end(text: str, start: int, known: Collection[str] | None = None) -> int:
    """The place of the blank before the first pair, or the end of `text`; the message begins at `start`."""
    known = known_keys() if known is None else known
    pair_starts = _pair_starts(text, start)
    for place in reversed(pair_starts):
        if place - start > _LONGEST_KNOWN:
            break
        message = text[start:place]
        if message in known or split_logger(message)[1] in known:
            return place
    return pair_starts[-1] if pair_starts else len(text)


def _pair_starts(text: str, start: int) -> list[int]:
    """The places from which all the rest parses as pairs, last place first."""
    ends, good = _Ends(text), {len(text)}
    places = []
    for blank in reversed([match.start() for match in re.finditer(" ", text)]):
        key = sure_key().match(text, blank) if blank >= start else None
        end = ends.of_value(key.end()) if key else None
        if end in good:
            good.add(blank)
            places.append(blank)
    return places
