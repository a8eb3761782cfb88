"""The exports that are recognised, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from klogreplay.intake.wrappers.exports import csv_table, journal_export, journal_verbose, json_document
from klogreplay.intake.wrappers.exports.base import HEAD, Entries, Export

EXPORTS: tuple[Export, ...] = (
    journal_export.EXPORT,
    journal_verbose.EXPORT,
    json_document.EXPORT,
    csv_table.EXPORT,
)

_FEWEST_LINES = 2

__all__ = ["EXPORTS", "HEAD", "Entries", "Export", "looked_at", "recognise_export"]


def recognise_export(head: bytes) -> tuple[Export, Entries] | None:
    """The export that begins so, and a reader for it."""
    for export in EXPORTS:
        entries = export.open(head)
        if entries is not None:
            return export, entries
    return None


def looked_at(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The beginning of a stream, as much as an export may need to be told, and all of the stream.

    Two lines are enough, so that a slow pipe is not waited for, but of JSON that does not close on its first line.
    """
    stream = iter(chunks)
    head = b""
    for chunk in stream:
        head += chunk
        if len(head) >= HEAD or (head.count(b"\n", 0, HEAD) >= _FEWEST_LINES and not _is_open(head)):
            break
    return head[:HEAD], _all(head, stream)


def _is_open(head: bytes) -> bool:
    """Whether the text is JSON that goes on behind its first line."""
    first = head.lstrip().partition(b"\n")[0].rstrip()
    return first.startswith((b"{", b"[")) and not first.endswith((b"}", b"]"))


def _all(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest
