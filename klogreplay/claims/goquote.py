"""Go's `%q`: the form in which upstream's error texts show a name."""

from __future__ import annotations

_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def go_quote(text: str) -> str:
    r"""Quote `text` as Go's strconv.Quote does: printable characters stay, all others become escapes.

    A lone surrogate comes out as U+FFFD, which is what Go's JSON decoder makes of it.
    """
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(char: str) -> str:
    short = _SHORT.get(char)
    if short is not None:
        return short
    # Python's isprintable and Go's unicode.IsPrint draw the same line: letters, marks, numbers, punctuation, symbols
    # and the ASCII blank.
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
