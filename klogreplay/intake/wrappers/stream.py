"""Take the wrappers off the lines of a stream, join what they split, and keep watching what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.probe import look
from klogreplay.intake.wrappers.base import Unwrapped
from klogreplay.intake.wrappers.chain import Chain
from klogreplay.intake.wrappers.recognise import Found, find, sample_of

_GLANCE = 8
_MOST_CHAINS = 6
_MOST_REST = 64
_MOST_LANES = 1024
_NO_LANE = b"\0none"


class Unwrapper:
    """The lines of one stream without its wrappers.

    `chains` are the wrappers seen, `stamp` is the first time that one printed, `framing` counts lines that were the
    wrappers' own, and `cut` those that grew beyond the limit when they were joined.
    """

    def __init__(self, line_bytes: int) -> None:
        self._line_bytes = line_bytes
        self._open: dict[bytes, tuple[list[bytes], int, Mark, bytes]] = {}
        self._plain = Chain(())
        self._chain = self._plain
        self._begun = False
        self._rest = 0
        self._rests = 1
        self.chains: list[Chain] = []
        self.seen_plain = False
        self.stamp: bytes | None = None
        self.framing = 0
        self.cut = 0

    def batches(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The batches without the wrappers; a part whose rest never comes is a line of its own at the end."""
        for batch in batches:
            self._watch(batch.lines)
            yield self._batch(batch)
        rest = sorted(self._open.values(), key=lambda part: part[2].number)
        if rest:
            lines = [self._joined(parts, size) for parts, size, _, _ in rest]
            marks = [mark for _, _, mark, _ in rest]
            yield Batch(lines, marks[0].number, marks[0].offset, marks, raw=[raw for *_, raw in rest])

    # --- which wrappers -----------------------------------------------------------------------------------------------

    def _watch(self, lines: Sequence[bytes]) -> None:
        """Choose the wrappers by the first lines; look at some of each batch whether they are still the same."""
        if not self._begun:
            self._begun = True
            self._choose(lines)
            return
        if self._rest:
            self._rest -= 1
            return
        glance = lines[:: max(1, len(lines) // _GLANCE)]
        fitting = sum(map(self._fits, glance))
        if fitting == len(glance):
            self._rests = 1
            return
        before = self._chain, len(self.chains)
        if fitting * 2 < len(glance):
            self._choose(lines)
        else:
            self._also(lines)
        if before == (self._chain, len(self.chains)):
            self._rest = self._rests
            self._rests = min(2 * self._rests, _MOST_REST)

    def _fits(self, line: bytes) -> bool:
        unwrapped = self._chain.unwrap(line)
        return unwrapped is not None and (unwrapped.own or bool(look(unwrapped.payload)))

    def _choose(self, lines: Sequence[bytes]) -> None:
        """Find the wrappers of most lines, then those of the lines that these do not fit."""
        found = find(sample_of(lines))
        chain = self._known(found)
        if chain is not self._plain or not self.chains:
            self._chain = chain
        self._also(lines)

    def _also(self, lines: Sequence[bytes]) -> None:
        """Find the wrappers of lines that fit none of those known and do not look like a log's."""
        while len(self.chains) < _MOST_CHAINS:
            odd = [line for line in lines if not line.startswith((b"\t", b" ")) and self._is_odd(line)]
            found = find(sample_of(odd))
            if not found.wrappers or any(chain.wrappers == found.wrappers for chain in self.chains):
                return
            self._known(found)

    def _is_odd(self, line: bytes) -> bool:
        return not look(line) and all(chain.unwrap(line) is None for chain in self.chains)

    def _known(self, found: Found) -> Chain:
        """The chain of these wrappers, which is noted where it is new."""
        if not found.wrappers:
            return self._plain
        if self.stamp is None:
            self.stamp = found.stamp
        known = next((chain for chain in self.chains if chain.wrappers == found.wrappers), None)
        if known is None:
            known = Chain(found.wrappers)
            self.chains.append(known)
        return known

    @property
    def tells_log(self) -> bool:
        """Whether some wrapper may say which log a line is of."""
        return any(chain.tells_log for chain in self.chains)

    def log_of(self, line: bytes) -> bytes:
        """The name of the log that a wrapped line is of; empty where it does not tell."""
        for chain in (self._chain, *self.chains):
            log = chain.log_of(line) if chain.tells_log else None
            if log is not None:
                return log
        return b""

    def lead_of(self, line: bytes) -> bytes | None:
        """What all lines of the same log as this begin with; None where that is not to be told."""
        return self._chain.lead_of(line)

    @property
    def stripped(self) -> bool:
        """Whether some wrapper takes the blanks off both ends of a line."""
        return any(wrapper.strips for chain in self.chains for wrapper in chain.wrappers)

    # --- the lines ----------------------------------------------------------------------------------------------------

    def _batch(self, batch: Batch) -> Batch:
        if not self._open and (batch.marks is None or not any(b"\n" in line for line in batch.lines)):
            if not self.chains:
                self.seen_plain = True
                return batch
            taken = self._chain.take(batch.lines) if self._chain is not self._plain else None
            if taken is not None:
                return Batch(taken, batch.number, batch.offset, batch.marks, batch.cut, batch.lines)
        return self._one_by_one(batch)

    def _one_by_one(self, batch: Batch) -> Batch:
        out = Batch.like(batch)
        for line, mark in zip(batch.lines, batch.places(), strict=True):
            unwrapped = self._unwrap(line)
            if unwrapped.own:
                self.framing += mark.physical
                continue
            payload, lane = unwrapped.payload, unwrapped.lane
            begun = self._open.get(lane)
            place = mark
            if unwrapped.partial or begun is not None:
                parts, size, place, _ = begun or ([], 0, Mark(mark.number, mark.offset, 0), b"")
                if size <= self._line_bytes:
                    parts.append(payload)
                size += len(payload)
                place.physical += mark.physical
                if unwrapped.partial and len(self._open) < _MOST_LANES:
                    self._open[lane] = (parts, size, place, line)
                    continue
                self._open.pop(lane, None)
                payload = self._joined(parts, size)
            _add(out, payload, place, line)
        return out

    def _unwrap(self, line: bytes) -> Unwrapped:
        unwrapped = self._chain.unwrap(line)
        if unwrapped is not None and self._chain is not self._plain:
            return unwrapped
        if not look(line):
            for chain in self.chains:
                if chain is not self._chain:
                    unwrapped = chain.unwrap(line)
                    if unwrapped is not None:
                        return unwrapped
        if line.startswith(b"\0"):  # a log that was truncated under its writer
            return self._unwrap(line.lstrip(b"\0"))
        self.seen_plain = self.seen_plain or bool(look(line))
        return Unwrapped(line, lane=_NO_LANE)

    def _joined(self, parts: list[bytes], size: int) -> bytes:
        self.cut += size > self._line_bytes
        return b"".join(parts)[: self._line_bytes]


def _add(out: Batch, payload: bytes, mark: Mark, raw: bytes) -> None:
    """Add a payload, line by line: the first of several stands for the physical lines of all."""
    for line in payload.split(b"\n") if b"\n" in payload else (payload,):
        out.add(line, mark, raw)
        mark = Mark(mark.number, mark.offset, 0)
