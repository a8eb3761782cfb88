"""What a reader of exports has to offer: the entries of a text in which a log line is more or less than a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from klogreplay.intake.batch import Batch, Mark, split_lines
from klogreplay.intake.wrappers.base import Sample

HEAD = 1 << 16
"""How many bytes of a stream are looked at to tell an export."""


class Export(Protocol):
    """One kind of export."""

    @property
    def name(self) -> str:
        """What reports call it; "" where the wrappers inside say enough."""

    @property
    def title(self) -> str:
        """What writes it, in a few words."""

    @property
    def samples(self) -> Sequence[Sample]:
        """Pieces of such exports."""

    def open(self, head: bytes) -> Entries | None:
        """A reader for the stream that begins so (up to `HEAD` bytes); None where it is no such export."""


class Entries(Protocol):
    """Reads one stream. `stamp`: the first time with a year that the export itself tells."""

    @property
    def stamp(self) -> bytes | None:
        """See the class."""

    def batches(self, chunks: Iterable[bytes], limit: int) -> Iterator[Batch]:
        """The entries, each in place of a line; `Batch.framing` counts the lines between them.

        An entry beyond `limit` bytes is cut there. What cannot be read as the export is given as the lines it is.
        """


class Gathered:
    """Entries on their way into a batch, and the count of the lines around them."""

    def __init__(self) -> None:
        self._entries = 0
        self._framing = 0
        self._lines: list[bytes] = []
        self._marks: list[Mark] = []
        self._cut = 0

    def add(self, entry: bytes, number: int, offset: int, *, cut: bool = False) -> None:
        """One more entry, and the line and byte at which it begins."""
        self._lines.append(entry)
        self._marks.append(Mark(number, offset, 1))
        self._entries += 1
        self._cut += cut

    def batch(self, physical: int) -> Batch:
        """What came since the last one, now that `physical` lines were read in all."""
        framing = max(0, physical - self._entries - self._framing)
        self._framing += framing
        first = self._marks[0] if self._marks else Mark(1, 0, 1)
        batch = Batch(self._lines, first.number, first.offset, self._marks, self._cut, framing=framing)
        self._lines, self._marks, self._cut = [], [], 0
        return batch


class Growing:
    """The text of a stream that is not yet read.

    What could not be read comes again once there is as much behind it: so the time taken stays in proportion to the
    text, however long an entry is.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._wanted = 0

    def more(self, chunk: bytes) -> bytes | None:
        """All of it with `chunk`; None where it is not worth going through it again."""
        self._parts.append(chunk)
        self._size += len(chunk)
        return self.rest() if self._size >= self._wanted else None

    def rest(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)

    def keep(self, text: bytes) -> None:
        """Keep what could not be read."""
        self._parts, self._size, self._wanted = [text], len(text), 2 * len(text)


def remaining_lines(chunks: Iterable[bytes], number: int, offset: int, limit: int) -> Iterator[Batch]:
    """The lines of a stream's rest, which begins with line `number` at byte `offset`."""
    for batch in split_lines(chunks, limit):
        batch.number += number - 1
        batch.offset += offset
        yield batch
