"""Matching a text against literal pieces with anything between them.

It stands in for regular expressions made of literals and holes: linear in the text, whatever it holds.
"""

from __future__ import annotations

Pieces = tuple[str, ...]


def fits(pieces: Pieces, text: str) -> bool:
    """Whether the text is made of these pieces in order, with anything between them; one piece must be the whole."""
    if len(pieces) == 1:
        return text == pieces[0]
    first, *inner, last = pieces
    if not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in inner:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return at <= end
