"""Find the wrappers of a stream: those inside which its lines look most like a log's.

Most prefixes prove little by themselves (a file name and a colon, a time), so wrappers are judged by what they leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from klogreplay.intake.probe import Look, look
from klogreplay.intake.wrappers import WRAPPERS
from klogreplay.intake.wrappers.base import Wrapper

SAMPLE = 50
"""How many lines are looked at to tell a stream's wrappers."""

_DEEPEST = 4
_LONGEST = 1 << 14
_MOST_TRIES = 48
_SHARE = 0.6
_FEWEST = 0.1
_ENOUGH = 0.9


T = TypeVar("T")


class Found(NamedTuple):
    """Wrappers, outermost first, how much the sample looks like a log inside them, and the first time they printed."""

    wrappers: tuple[Wrapper, ...]
    score: int
    stamp: bytes | None = None
    left: int = 0
    """How many lines of the sample have not all of the wrappers."""


def sample_of(lines: Sequence[bytes]) -> list[bytes]:
    """Lines to tell the wrappers by: of those that look like a log's and of those that do not, from all over.

    Of the latter those beside a log's lines come first: so are fences and the like.
    """
    looks = [bool(look(line[:_LONGEST])) for line in lines]
    fine = [line for line, fits in zip(lines, looks, strict=True) if fits]
    beside = [
        index
        for index, fits in enumerate(looks)
        if not fits and (looks[index - 1 : index] == [True] or looks[index + 1 : index + 2] == [True])
    ]
    near = set(beside)
    apart = [index for index, fits in enumerate(looks) if not fits and index not in near]
    half = SAMPLE // 2
    quarter = half // 2
    odd = _spread(beside, max(quarter, half - len(apart))) + _spread(apart, max(quarter, SAMPLE - len(fine)))
    return _spread(fine, max(half, SAMPLE - len(odd))) + [lines[index] for index in sorted(odd)]


def _spread(all_of: Sequence[T], most: int) -> list[T]:
    """The first, and some of all others."""
    first, rest = all_of[: most // 2], all_of[most // 2 :]
    step = max(1, -(-len(rest) // max(1, most - len(first))))
    return [*first, *rest[::step]]


def recognise(sample: Sequence[bytes], among: Sequence[Wrapper] = WRAPPERS) -> tuple[Wrapper, ...]:
    """The wrappers around the lines of `sample`, outermost first."""
    return find(sample, among).wrappers


def find(sample: Sequence[bytes], among: Sequence[Wrapper] = WRAPPERS) -> Found:
    """The same, with the grounds. Lines beyond 16 KiB are looked at no further than that."""
    lines = [line[:_LONGEST] if len(line) > _LONGEST else line for line in sample if line.strip(b"\0 \t\r")]
    search = _Search(among)
    plain = search.run(lines)
    best = search.best
    gain = best.score - plain
    if best.wrappers and gain >= (max(1, _FEWEST * len(lines)) if best.left else 1):
        return best
    return Found((), plain) if plain else _by_form(lines, among)


class _Search:
    """Tries wrappers around wrappers, and keeps what leaves the most."""

    def __init__(self, among: Sequence[Wrapper]) -> None:
        self._among = among
        self._tries = 0
        self.best = Found((), 0)

    def run(self, lines: Sequence[bytes]) -> int:
        """Search; the score of the lines as they are."""
        plain = _score(lines)
        self._inside(lines, (), plain, 0, 0, None)
        return plain

    def _inside(
        self,
        lines: Sequence[bytes],
        outer: tuple[Wrapper, ...],
        inside: int,
        others: int,
        apart: int,
        stamp: bytes | None,
    ) -> None:
        """Judge a chain, and try what may be inside.

        `inside` is the score of the lines, `others` of what the wrappers so far left alone or own; they left `apart`
        lines alone. What is a wrapper's own counts for nothing where there is no line inside.
        """
        score = inside + others if inside else 0
        if (score, -len(outer)) > (self.best.score, -len(self.best.wrappers)):
            self.best = Found(outer, score, stamp, apart)
        if len(outer) >= _DEEPEST or inside >= (_ENOUGH if outer else 1) * Look.RECORD * len(lines):
            return
        for wrapper in self._among:
            self._tries += 1
            if self._tries > _MOST_TRIES * len(self._among):
                return
            inner, left, own = [], [], 0
            first = stamp
            for line in lines:
                unwrapped = wrapper.unwrap(line)
                if unwrapped is None:
                    left.append(line)
                    continue
                first = first or unwrapped.stamp
                if unwrapped.own:
                    own += 1
                else:
                    inner.append(unwrapped.payload)
            if len(inner) + own >= max(1, _FEWEST * len(lines)) and (own or left or inner != lines):
                beside = others + _score(left) + own * Look.PERHAPS
                self._inside(inner, (*outer, wrapper), _score(inner), beside, apart + len(left), first)


def _score(lines: Sequence[bytes]) -> int:
    return sum(map(look, lines))


def _by_form(lines: Sequence[bytes], among: Sequence[Wrapper]) -> Found:
    """Wrappers that nothing else looks like, around lines that look like no log's."""
    found: list[Wrapper] = []
    stamp: bytes | None = None
    while lines and len(found) < _DEEPEST:
        for wrapper in among:
            if not wrapper.certain:
                continue
            unwrapped = [line for line in map(wrapper.unwrap, lines) if line is not None]
            if len(unwrapped) > _SHARE * len(lines):
                break
        else:
            break
        found.append(wrapper)
        stamp = stamp or next((line.stamp for line in unwrapped if line.stamp is not None), None)
        lines = [line.payload for line in unwrapped if not line.own]
    return Found(tuple(found), 0, stamp)
