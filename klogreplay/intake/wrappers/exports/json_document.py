"""JSON that is no line by line: arrays, answers of an API, entries spread over lines.

`gcloud logging read --format=json`, `aws logs get-log-events`, Loki's HTTP API, Grafana's download, `journalctl -o
json-pretty`, searches of Elasticsearch. The text is only cut into its entries here, which the wrappers then read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from klogreplay.intake.batch import Batch
from klogreplay.intake.wrappers import WRAPPERS
from klogreplay.intake.wrappers.base import Sample
from klogreplay.intake.wrappers.exports.base import Gathered, Growing, remaining_lines
from klogreplay.intake.wrappers.json_lines import JsonWrapper

_TO_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:"(?:[^"\\]++|\\.)*+"[^"{}\[\]]*+)*+[{}\[\]]', re.DOTALL)
_OPENING = b"{["
_DEEPEST = 8
_MOST_TRIED = 64
_BREAKS = bytes.maketrans(b"\r\n", b"  ")


class Layout(NamedTuple):
    """Where the entries are: how deep, begun by which bracket; whether several are on a line, and so are counted."""

    depth: int
    bracket: int
    counted: bool


class JsonDocument:
    """See the module."""

    name = ""
    title = "JSON over several lines, or several entries on a line"
    samples = (
        Sample(
            (
                b"[",
                b"  {",
                b'    "logName": "projects/p/logs/container.googleapis.com%2Fkube-scheduler",',
                rb'    "textPayload": "I0831 20:03:47.184243       1 a.go:1] \"One\" pod=\"x/a\"\n",',
                b'    "timestamp": "2023-08-31T20:03:47.184300Z"',
                b"  }",
                b"]",
            ),
            (b'I0831 20:03:47.184243       1 a.go:1] "One" pod="x/a"',),
        ),
        Sample(
            (
                rb'{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"kube-scheduler"},'
                rb'"values":[["1693512227184243001","I0831 20:03:47.184243       1 a.go:1] \"One\""],'
                rb'["1693512227200000000","I0831 20:03:47.200000       1 a.go:2] \"Two\""]]}],"stats":{}}}',
            ),
            (
                b'I0831 20:03:47.184243       1 a.go:1] "One"',
                b'I0831 20:03:47.200000       1 a.go:2] "Two"',
            ),
        ),
    )

    def open(self, head: bytes) -> JsonEntries | None:
        """See `Export`."""
        text = head.lstrip(b" \t\r\n")
        if text[:1] not in (b"{", b"["):
            return None
        first_line = text.partition(b"\n")[0]
        if _is_entry(first_line) or (first_line.startswith(b"{") and _is_object_line(text)):
            return None
        layout = _layout(head)
        return None if layout is None else JsonEntries(layout)


class JsonEntries:
    """Cuts a stream into the values that begin at the layout's depth."""

    stamp = None

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._depth = 0
        self._rest = b""
        self._at = 0
        self._begun: int | None = None
        self._offset = 0
        self._number = 1
        self._counted_to = 0
        self._entries = 0
        self._ends_open = False

    def batches(self, chunks: Iterable[bytes], limit: int) -> Iterator[Batch]:
        """See `Entries`."""
        gathered = Gathered()
        stream = iter(chunks)
        held = Growing()
        for chunk in stream:
            text = held.more(chunk)
            if text is None:
                continue
            sound = self._go_on(text, gathered, limit)
            held.keep(self._rest)
            yield gathered.batch(self._number - 1)
            if not sound or len(self._rest) > limit + len(chunk):
                yield from remaining_lines(chain([self._rest], stream), self._number, self._offset, limit)
                return
        self._go_on(held.rest(), gathered, limit)
        yield gathered.batch(self._number - 1)
        if self._rest.strip(b" \t\r\n,"):
            yield from remaining_lines([self._rest], self._number, self._offset, limit)
        else:
            yield gathered.batch(self._number - 1 + self._rest.count(b"\n") + self._ends_open)

    def _go_on(self, text: bytes, gathered: Gathered, limit: int) -> bool:
        """Go on through the text at hand; False where it is no JSON."""
        self._rest = text
        self._ends_open = not text.endswith(b"\n")
        sound = self._scan(text, gathered, limit)
        self._drop()
        return sound

    def _scan(self, text: bytes, gathered: Gathered, limit: int) -> bool:
        depth, bracket, counted = self._layout
        match = _TO_BRACKET.match(text, self._at)
        while match is not None:
            end = match.end()
            if text[end - 1] in _OPENING:
                if self._depth == depth and text[end - 1] == bracket:
                    self._begun = end - 1
                self._depth += 1
            else:
                self._depth -= 1
                if self._depth < 0:
                    return False
                if self._depth == depth and self._begun is not None:
                    entry = text[self._begun : end]
                    self._entries += 1
                    number = self._entries if counted else self._line(self._begun)
                    gathered.add(
                        entry.translate(_BREAKS)[:limit], number, self._offset + self._begun, cut=len(entry) > limit
                    )
                    self._begun = None
            self._at = end
            match = _TO_BRACKET.match(text, end)
        return True

    def _line(self, at: int) -> int:
        """The number of the line in which a byte of the text at hand is; asked in ascending order."""
        self._number += self._rest.count(b"\n", self._counted_to, at)
        self._counted_to = at
        return self._number

    def _drop(self) -> None:
        """Let go of the text that was gone through."""
        keep = self._at if self._begun is None else self._begun
        self._line(keep)
        self._offset += keep
        self._rest = self._rest[keep:]
        self._at -= keep
        self._begun = None if self._begun is None else 0
        self._counted_to = 0


def _is_entry(text: bytes) -> bool:
    """Whether some wrapper reads it as one of its objects."""
    return any(isinstance(wrapper, JsonWrapper) and wrapper.unwrap(text) is not None for wrapper in WRAPPERS)


def _is_object_line(text: bytes) -> bool:
    """Whether the text is objects line by line (of whatever kind): the first line closes, the second opens again."""
    first, _, rest = text.partition(b"\n")
    return first.rstrip().endswith(b"}") and rest.startswith(b"{") and first.count(b"{") == first.count(b"}")


def _layout(head: bytes) -> Layout | None:
    """Where in the stream the entries are: where the first value is that a wrapper reads."""
    open_at: list[int] = []
    closed: list[tuple[int, int, int]] = []
    at = 0
    while (match := _TO_BRACKET.match(head, at)) is not None:
        at = match.end()
        if head[at - 1] in _OPENING:
            open_at.append(at - 1)
        elif open_at:
            begin = open_at.pop()
            if len(open_at) <= _DEEPEST:
                closed.append((begin, at, len(open_at)))
        else:
            break
    tried = sorted(closed)
    found = next(
        ((begin, depth) for begin, end, depth in tried[:_MOST_TRIED] if _is_entry(head[begin:end].translate(_BREAKS))),
        None,
    )
    if found is None:
        return None
    begin, depth = found
    second = next((other for other, _, level in tried if other > begin and level == depth), None)
    counted = second is not None and b"\n" not in head[begin:second]
    return Layout(depth, head[begin], counted)


EXPORT = JsonDocument()
