"""Bring text to UTF-8 and tell it from binary data."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\x0b\x0c\x1b\b")) + b"\x7f"
_MOST_CONTROLS = 0.05
_FEW_CONTROLS = 16
_MOST_INVALID = 0.3
_ENOUGH = 8


def utf8_chunks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks as UTF-8 without a byte order mark; UTF-16 is recognised by its mark or, in Latin letters, without.

    Bytes that are not valid UTF-8 stay as they are; what is not valid UTF-16 becomes U+FFFD.
    """
    stream = iter(chunks)
    head = b""
    for chunk in stream:
        head += chunk
        if len(head) >= _ENOUGH:
            break
    mark = head[:2] if head[:2] in _UTF16 else b""
    encoding = _UTF16.get(mark) or _bare_utf16(head)
    if encoding is None:
        yield head.removeprefix(codecs.BOM_UTF8)
        yield from stream
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(head[len(mark) :]).encode("utf-8", "replace")
    for chunk in stream:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _bare_utf16(head: bytes) -> str | None:
    """The encoding of text whose every other byte is NUL, from the first on."""
    first, second = head[0:_ENOUGH:2], head[1:_ENOUGH:2]
    if len(head) < _ENOUGH or any(first) == any(second):
        return None
    if b"\0" in (first if any(first) else second):
        return None
    return "utf-16-le" if any(first) else "utf-16-be"


def looks_binary(head: bytes) -> bool:
    """Whether the beginning of a stream (8 KiB will do) is no text.

    NUL bytes do not count: a log that was truncated under its writer begins with a hole of them.
    """
    if head[:2] in _UTF16:
        return False
    text = head.replace(b"\0", b"")
    if not text:
        return False
    controls = len(text) - len(text.translate(None, _CONTROLS))
    if controls > max(_FEW_CONTROLS, _MOST_CONTROLS * len(text)):
        return True
    invalid = text.decode("utf-8", "surrogateescape")
    return sum("\udc80" <= character <= "\udcff" for character in invalid) > _MOST_INVALID * len(invalid)
