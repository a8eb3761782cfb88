"""Bytes → plain values: JSON or YAML, with the guards that files of unknown origin need.

Pure. Every failure is a `DocumentError` with a text for people; no traceback, no blow-up: YAML aliases are counted as
often as they stand for something before anything is built from them, and nesting is bounded.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

import msgspec
import yaml

MAX_DEPTH = 100
MAX_ALIASED = 1_000_000
"""Most values that the aliases of a YAML stream may stand for, written out."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# YAML 1.1 reads 1:2:3 to the base of 60, in time that grows with the square of the length.
_ENDLESS_NUMBER = re.compile(r"[-+0-9_:.]*")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class DocumentError(ValueError):
    """The bytes are no document that can be read; the text says why, without the file's name."""


class _KubeLoader(_Loader):  # type: ignore[misc]  # one of two classes
    """The safe loader, but timestamps stay text as they do in Kubernetes."""


_KubeLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


def parse_documents(data: bytes) -> list[Any]:
    """The documents of one file: a JSON value, or the documents of a YAML stream without the empty ones.

    Raises DocumentError.
    """
    text = _decoded(data)
    try:
        if text.lstrip()[:1] in ("{", "["):
            return [msgspec.json.decode(text)]
        _guard_yaml(text)
        return [document for document in yaml.load_all(text, Loader=_KubeLoader) if document is not None]
    except RecursionError:
        raise DocumentError("nested too deeply") from None
    except msgspec.DecodeError as error:
        raise DocumentError(f"not valid JSON: {error}") from None
    except yaml.YAMLError as error:
        raise DocumentError(f"not valid YAML: {_told(error)}") from None
    except (ValueError, TypeError, OverflowError) as error:
        # The safe loader lets these through for scalars and keys that Python has no value for (`0o8`, `? [a]: b`).
        if isinstance(error, DocumentError):
            raise
        raise DocumentError(f"not valid YAML: {error}") from None


def _decoded(data: bytes) -> str:
    encoding = "utf-8"
    for bom, name in _BOMS:
        if data.startswith(bom):
            data, encoding = data[len(bom) :], name
            break
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(f"not text in UTF-8 (byte {error.start})") from None
    if "\0" in text:
        raise DocumentError("a binary file")
    if not text.strip():
        raise DocumentError("empty")
    return text


def _told(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or error).replace("\n", " ")
    return problem if mark is None else f"{problem} (line {mark.line + 1})"


def _guard_yaml(text: str) -> None:
    """Refuse what would blow up when it is built: deep nesting, alias bombs, endless numbers. Builds nothing itself."""
    sizes: dict[str, int] = {}
    open_nodes: list[list[Any]] = [[None, 0]]
    aliased = 0
    for event in yaml.parse(text, Loader=_KubeLoader):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise DocumentError("not valid YAML: an alias to an unknown or unfinished anchor")
            open_nodes[-1][1] += sizes[event.anchor]
            aliased += sizes[event.anchor]
            if aliased > MAX_ALIASED:
                raise DocumentError("its YAML aliases come to too much")
        elif isinstance(event, yaml.ScalarEvent):
            open_nodes[-1][1] += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
            if len(event.value) > 100 and _ENDLESS_NUMBER.fullmatch(event.value):
                raise DocumentError("not valid YAML: a number too long")
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            open_nodes.append([event.anchor, 1])
            if len(open_nodes) > MAX_DEPTH:
                raise DocumentError("nested too deeply")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            anchor, size = open_nodes.pop()
            open_nodes[-1][1] += size
            if anchor is not None:
                sizes[anchor] = size
        elif isinstance(event, yaml.DocumentEndEvent):
            sizes.clear()
