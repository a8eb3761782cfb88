"""Call sites: which releases print a message at a place.

Sets of releases are bit masks, bit i for the i-th of `releases()`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import msgspec

from klogreplay.knowledge.pieces import fits
from klogreplay.knowledge.release import releases
from klogreplay.knowledge.store import load

LONGEST = 2000
"""Of a message no more than this many characters are compared with a format."""
LITERAL = 8
"""A format with fewer literal characters than this fits too much to prove anything."""

_VERB = re.compile(r"%(?:%|[-+# 0]*[\d.*]*(?:\[\d+\])?[a-zA-Z])")
_PREFIX = re.compile(r"[A-Za-z0-9_./-]+", re.ASCII)

Row = tuple[int, int, int, int]


class Package(msgspec.Struct, frozen=True, array_like=True):
    """A library and the releases whose source was read without it. The scheduler itself has the name ""."""

    name: str
    absent: str


class GateSite(msgspec.Struct, frozen=True, array_like=True):
    """A call site that `releases` reach only with this value of the gate."""

    gate: str
    value: bool
    file: str
    line: int
    message: int
    releases: str


class SiteTable(msgspec.Struct, frozen=True, rename="camel"):
    """The data file `sites`; rows are line, message, set, package, by index.

    The formats are those messages that have holes: of printf calls, and of structured calls whose message is not a
    literal.
    """

    files: dict[str, tuple[Row, ...]]
    messages: tuple[str, ...]
    printf_formats: frozenset[int]
    structured_formats: frozenset[int]
    gate_sites: tuple[GateSite, ...]
    sets: tuple[str, ...]
    packages: tuple[Package, ...]


class GateClue(NamedTuple):
    """A gate's value, if the release is one of `releases`."""

    gate: str
    value: bool
    releases: int


class SiteMatch(NamedTuple):
    """What the catalogue says of a line: the releases that print it there, and what it tells of feature gates.

    `misplaced`: the scheduler has this message in this file, but at another line in every release.
    """

    releases: int
    gates: tuple[GateClue, ...] = ()
    misplaced: bool = False


class Sites:
    """The call sites of all releases, by file and line."""

    def __init__(self, table: SiteTable) -> None:
        self._table = table
        self._sets = tuple(int(mask, 16) for mask in table.sets)
        self._absent = tuple(int(package.absent, 16) for package in table.packages)
        self._lines: dict[str, dict[int, list[Row]]] = {}
        self._own: dict[str, set[str]] = {}
        self._gates: dict[tuple[str, int, int], list[GateClue]] = {}
        for site in table.gate_sites:
            clue = GateClue(site.gate, site.value, int(site.releases, 16))
            self._gates.setdefault((site.file, site.line, site.message), []).append(clue)

    def find(self, file: str, line: int, message: str, structured: bool) -> SiteMatch | None:
        """What is known of this message at this place; None where the catalogue has nothing to say."""
        lines = self._file(file)
        if lines is None:
            return None
        rows = lines.get(line, ())
        for text in unprefixed(message):
            own = text in self._own[file]
            found = self._at(file, rows, text, structured, own)
            if found is not None:
                return found
            if own:
                return SiteMatch(0, misplaced=True)
        return None

    def of_message(self, message: str) -> int:
        """The releases whose scheduler prints this message anywhere; 0 where none does, or where it is too short."""
        for text in unprefixed(message):
            mask = self._by_message.get(text, 0)
            if mask:
                return mask
        return 0

    @cached_property
    def _by_message(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for rows in self._table.files.values():
            for _, message, set_index, package in rows:
                text = self._table.messages[message]
                if not package and len(text) >= LITERAL:
                    found[text] = found.get(text, 0) | self._sets[set_index]
        return found

    def _file(self, file: str) -> dict[int, list[Row]] | None:
        lines = self._lines.get(file)
        if lines is None:
            rows = self._table.files.get(file)
            if rows is None:
                return None
            lines = {}
            for row in rows:
                lines.setdefault(row[0], []).append(row)
            self._lines[file] = lines
            formats = self._table.printf_formats | self._table.structured_formats
            literal = (row for row in rows if not row[3] and row[1] not in formats)
            self._own[file] = {self._table.messages[row[1]] for row in literal}
        return lines

    def _at(self, file: str, rows: Iterable[Row], text: str, structured: bool, own: bool) -> SiteMatch | None:
        mask = 0
        clues: list[GateClue] = []
        for line, message, set_index, package in rows:
            if not self._prints(message, text, structured, any_format=own):
                continue
            mask |= self._sets[set_index] | self._absent[package]
            clues += self._gates.get((file, line, message), ())
        return SiteMatch(mask, tuple(clues)) if mask else None

    def _prints(self, message: int, text: str, structured: bool, any_format: bool) -> bool:
        if self._table.messages[message] == text:
            return True
        if message not in (self._table.structured_formats if structured else self._table.printf_formats):
            return False
        pieces = format_pieces(self._table.messages[message])
        return (any_format or sum(map(len, pieces)) >= LITERAL) and fits(pieces, text.partition("\n")[0][:LONGEST])


def unprefixed(message: str) -> Iterable[str]:
    """The message, then without each prefix that a named logger may have put before it.

    klogr, up to 1.28, prints the logger's name inside the message: "Reserve/DynamicResources: start allocation".
    """
    yield message
    for _ in range(2):
        prefix, colon, message = message.partition(": ")
        if not colon or _PREFIX.fullmatch(prefix) is None:
            return
        yield message


@cache
def format_pieces(text: str) -> tuple[str, ...]:
    """The literal pieces of the first line of a printf format; a cut-off second line leaves a hole at the end."""
    first, newline, _ = text.partition("\n")
    pieces = [""]
    at = 0
    for verb in _VERB.finditer(first):
        pieces[-1] += first[at : verb.start()]
        at = verb.end()
        if verb[0] == "%%":
            pieces[-1] += "%"
        else:
            pieces.append("")
    pieces[-1] += first[at:]
    if newline and pieces[-1]:
        pieces.append("")
    return tuple(pieces)


@cache
def sites() -> Sites:
    """The call sites of all releases."""
    return Sites(load("sites", SiteTable))


def split_site(site: str) -> tuple[str, int] | None:
    """ "queue/scheduling_queue.go:525" -> ("scheduling_queue.go", 525); None where there is no file and line."""
    path, _, number = site.rpartition(":")
    if not path or len(number) > 7 or not (number.isascii() and number.isdigit()):
        return None
    return path.rpartition("/")[2], int(number)


def every_release() -> int:
    """The mask of all releases."""
    return (1 << len(releases())) - 1


@lru_cache(maxsize=1024)
def mask_of(names: tuple[str, ...]) -> int:
    """The mask of these known releases."""
    return sum(1 << at for at, release in enumerate(releases()) if release in names)


@lru_cache(maxsize=1024)
def names_of(mask: int) -> tuple[str, ...]:
    """The releases in a mask, in release order."""
    return tuple(release for at, release in enumerate(releases()) if mask >> at & 1)


def describe(mask: int) -> str:
    """The releases in a mask as runs: "1.28.0, 1.28.3-1.28.8"."""
    order = releases()
    runs: list[list[int]] = []
    for at in range(len(order)):
        if not mask >> at & 1:
            continue
        if runs and runs[-1][1] == at - 1:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return ", ".join(order[a] if a == b else f"{order[a]} to {order[b]}" for a, b in runs)
