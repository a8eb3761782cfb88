"""Physical lines, cut out of a stream of bytes a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec


class Mark(msgspec.Struct, gc=False):
    """Where a line of a batch came from: number and byte offset of its first physical line, and how many they were."""

    number: int
    offset: int
    physical: int


class Batch(msgspec.Struct):
    """Lines in order, without their "\\n".

    Without `marks` each is one physical line, and they follow each other from line `number` and byte `offset` on; with
    `marks` there is one for each line. `cut` lines of the batch were longer than the limit. `raw` are the physical
    lines (of several the last) that `lines` were taken out of, where those are not the same. `framing` counts the
    physical lines around these that are no lines of the log, such as the brackets of a JSON document.
    """

    lines: list[bytes]
    number: int
    offset: int
    marks: list[Mark] | None = None
    cut: int = 0
    raw: list[bytes] | None = None
    framing: int = 0

    @classmethod
    def like(cls, batch: Batch) -> Batch:
        """An empty one in the place of `batch`, to be filled line by line."""
        return cls([], batch.number, batch.offset, [], batch.cut, [])

    @property
    def physical(self) -> int:
        """How many physical lines these were, without those around them."""
        return len(self.lines) if self.marks is None else sum(mark.physical for mark in self.marks)

    def places(self) -> list[Mark]:
        """Where each line came from."""
        if self.marks is not None:
            return self.marks
        marks, offset = [], self.offset
        for number, line in enumerate(self.raw or self.lines, self.number):
            marks.append(Mark(number, offset, 1))
            offset += len(line) + 1
        return marks

    def add(self, line: bytes, mark: Mark, raw: bytes) -> None:
        """Fill one that began empty."""
        if self.marks is None or self.raw is None:
            raise ValueError("a batch that is full")
        self.lines.append(line)
        self.marks.append(mark)
        self.raw.append(raw)


def part(batch: Batch, begin: int, end: int) -> Batch:
    """The lines `begin` to `end` of a batch, with the places they have there."""
    lines = batch.lines[begin:end]
    raw = None if batch.raw is None else batch.raw[begin:end]
    cut = batch.cut if begin == 0 else 0
    if batch.marks is not None:
        return Batch(lines, batch.number, batch.offset, batch.marks[begin:end], cut, raw)
    before = sum(map(len, (batch.raw or batch.lines)[:begin])) + begin
    return Batch(lines, batch.number + begin, batch.offset + before, None, cut, raw)


def _pieces(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The chunks, longer ones in parts of at most so many bytes."""
    for chunk in chunks:
        if len(chunk) <= most:
            yield chunk
        else:
            yield from (chunk[begin : begin + most] for begin in range(0, len(chunk), most))


def split_lines(chunks: Iterable[bytes], line_bytes: int) -> Iterator[Batch]:
    """The lines of a stream. A longer line than `line_bytes` is cut there, in a batch of its own.

    A line ends at "\\n" only: klog writes other line separators inside a value as they are.
    """
    number, offset = 1, 0
    held: list[bytes] = []
    held_size = 0
    for chunk in _pieces(chunks, line_bytes):
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            if held_size <= line_bytes:
                held.append(chunk)
            held_size += len(chunk)
            continue
        if held_size:
            held.append(lines[0])
            size = held_size + len(lines[0])
            if size > line_bytes:
                yield Batch([b"".join(held)[:line_bytes]], number, offset, cut=1)
                number, offset = number + 1, offset + size + 1
                del lines[0]
            else:
                lines[0] = b"".join(held)
            held_size = 0
        last = lines.pop()
        held = [last]
        if lines:
            yield Batch(lines, number, offset)
            number += len(lines)
            offset += sum(map(len, lines)) + len(lines)
        held_size = len(last)
    if held_size:
        yield Batch([b"".join(held)[:line_bytes]], number, offset, cut=int(held_size > line_bytes))
