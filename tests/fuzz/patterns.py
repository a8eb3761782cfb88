"""All regular expressions of the project, and texts made for each of them: what it repeats, repeated."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import klogreplay
from klogreplay.klog.pairs import lark_tokens

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_OTHER = "\x01"
_ASKED = re.compile(r"\b(\w+)\.(match|fullmatch|search|finditer|sub)\b")
_CATEGORIES = {
    sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_DIGIT: "a",
    sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_NOT_WORD: " ",
}  # fmt: skip


class Used(NamedTuple):
    """A compiled expression, where it stands, and by which methods it is asked."""

    name: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]


def _inside(value: object, depth: int = 3) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for part in value.values():
            yield from _inside(part, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset) and len(value) < 500:
        for part in value:
            yield from _inside(part, depth - 1)
    elif depth and type(value).__module__.startswith("klogreplay"):
        names = getattr(value, "__struct_fields__", ()) or getattr(value, "__dict__", ())
        for name in names:
            yield from _inside(getattr(value, name, None), depth - 1)


@cache
def all_patterns() -> tuple[Used, ...]:
    """The expressions in the modules' names, in what these hold, and those of the grammars; each once."""
    folder = Path(klogreplay.__file__).parent
    whole = "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.py")))
    shared = [(name, method) for name, method in _ASKED.findall(whole) if not name.startswith("_")]
    found: dict[tuple[object, int], Used] = {}
    for info in pkgutil.walk_packages([str(folder)], "klogreplay."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        asked: defaultdict[str, set[str]] = defaultdict(set)
        for name, method in [*shared, *_ASKED.findall(inspect.getsource(module))]:
            asked[name].add(method)
        for name, value in vars(module).items():
            for pattern in _inside(value):
                known = found.get((pattern.pattern, pattern.flags))
                methods = tuple(sorted(asked[name].union(known.methods if known else ())))
                found[pattern.pattern, pattern.flags] = Used(f"{info.name}.{name}", pattern, methods)
    lark_tokens("", "body")
    return tuple(each._replace(methods=each.methods or ("match",)) for each in found.values())


def _sample(item: tuple[Any, Any]) -> str:
    """A short text that one item of a parsed expression takes."""
    kind, value = item
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is sre.ANY:
        return "a"
    if kind is sre.CATEGORY:
        return _CATEGORIES.get(value, "a")
    if kind is sre.RANGE:
        return chr(value[0])
    if kind is sre.IN:
        if value[0][0] is not sre.NEGATE:
            return _sample(value[0])
        refused = {_sample(each) for each in value[1:]} | {
            chr(code) for each, span in value[1:] if each is sre.RANGE for code in range(span[0], min(span[1], 127) + 1)
        }
        return next((char for char in "a1 -/.:x\x02" if char not in refused), "\x03")
    if kind is sre.BRANCH:
        return _samples(value[1][0])
    if kind is sre.SUBPATTERN:
        return _samples(value[-1])
    if kind in _REPEATS:
        least, _, body = value
        return _samples(body) * min(max(least, 1), 50)
    if kind is sre.ATOMIC_GROUP:
        return _samples(value)
    if kind is sre.ASSERT and value[0] > 0:
        return ""
    return ""


def _samples(items: Any) -> str:
    return "".join(_sample(item) for item in items)


def _repeats(items: Any, before: str) -> Iterator[tuple[str, str]]:
    """Each repetition in a parsed expression: a text that leads to it, and one that it takes once."""
    for kind, value in items:
        if kind in _REPEATS:
            body = value[2]
            for item in body:
                if item[0] is sre.BRANCH:
                    yield from ((before, _samples(branch)) for branch in item[1][1])
            yield before, _samples(body)
            yield from _repeats(body, before)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before)
        elif kind is sre.SUBPATTERN:
            yield from _repeats(value[-1], before)
        elif kind is sre.ATOMIC_GROUP:
            yield from _repeats(value, before)
        before += _sample((kind, value))


def attacks(pattern: re.Pattern[Any]) -> list[tuple[str, str]]:
    """Texts that lead into the expression, each with one to be repeated behind it."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    found = {(before, unit) for before, unit in _repeats(tree, "") if unit}
    found |= {("", unit) for _, unit in found}
    found |= {("", _samples(tree)), (_samples(tree), _OTHER)}
    found |= {("", char) for char in set(text) if not char.isalnum()}
    return sorted((before, unit) for before, unit in found if unit)
