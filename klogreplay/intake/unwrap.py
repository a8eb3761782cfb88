"""Take the wrappers off the lines of a stream and join what they split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.wrappers import Wrapper


class Unwrapper:
    """The lines of one stream without its wrappers. `stamp` is the first time a wrapper printed."""

    def __init__(self, wrappers: Sequence[Wrapper], line_bytes: int) -> None:
        self._wrappers = wrappers
        self._line_bytes = line_bytes
        self._open: dict[bytes, tuple[list[bytes], int, Mark]] = {}
        self.stamp: bytes | None = None
        self.cut = 0

    def batches(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The batches with marks; a part whose rest never comes is a line of its own at the end."""
        for batch in batches:
            yield self._batch(batch)
        rest = sorted(self._open.values(), key=lambda part: part[2].number)
        if rest:
            lines = [self._joined(parts, size) for parts, size, _ in rest]
            yield Batch(lines, rest[0][2].number, rest[0][2].offset, [mark for _, _, mark in rest])

    def _batch(self, batch: Batch) -> Batch:
        lines: list[bytes] = []
        marks: list[Mark] = []
        offset = batch.offset
        for number, line in enumerate(batch.lines, batch.number):
            mark = Mark(number, offset, 1)
            offset += len(line) + 1
            payload, lane, partial = self._payload(line)
            begun = self._open.get(lane)
            if partial or begun is not None:
                parts, size, mark = begun or ([], 0, Mark(number, mark.offset, 0))
                if size <= self._line_bytes:
                    parts.append(payload)
                size += len(payload)
                mark.physical += 1
                if partial:
                    self._open[lane] = (parts, size, mark)
                    continue
                del self._open[lane]
                payload = self._joined(parts, size)
            lines.append(payload)
            marks.append(mark)
        return Batch(lines, batch.number, batch.offset, marks, batch.cut)

    def _payload(self, line: bytes) -> tuple[bytes, bytes, bool]:
        lane, partial = b"", False
        for wrapper in self._wrappers:
            unwrapped = wrapper.unwrap(line)
            if unwrapped is None:
                return line, b"\0none", False
            line = unwrapped.payload
            lane += unwrapped.lane + b"\0"
            partial = partial or unwrapped.partial
            if self.stamp is None:
                self.stamp = unwrapped.stamp
        return line, lane, partial

    def _joined(self, parts: list[bytes], size: int) -> bytes:
        self.cut += size > self._line_bytes
        return b"".join(parts)[: self._line_bytes]
