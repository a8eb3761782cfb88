"""From the text of an input to the lines of the log in it: what was around them is taken off, and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from klogreplay.intake.batch import Batch, split_lines
from klogreplay.intake.limits import Limits
from klogreplay.intake.repairs import Mending, repaired
from klogreplay.intake.wrappers.exports import Entries, looked_at, recognise_export
from klogreplay.intake.wrappers.stream import Unwrapper

if TYPE_CHECKING:
    from klogreplay.intake.input_stats import InputStats


class LogLines:
    """The lines of the log that a text in UTF-8 holds. What is seen and counted goes into `stats`."""

    def __init__(self, limits: Limits, stats: InputStats) -> None:
        self._limits = limits
        self._stats = stats
        self._unwrapper = Unwrapper(limits.line_bytes)
        self._mending = Mending(limits)
        self._export = ""
        self._entries: Entries | None = None

    def batches(self, chunks: Iterable[bytes]) -> Iterator[Batch]:
        """The lines in order."""
        head, stream = looked_at(chunks)
        found = recognise_export(head)
        if found is None:
            units = split_lines(stream, self._limits.line_bytes)
        else:
            self._export, self._entries = found[0].name, found[1]
            units = self._entries.batches(stream, self._limits.line_bytes)
        for batch in repaired(self._unwrapped(units), self._mending):
            if batch.lines:
                yield batch
        stats = self._stats
        stats.framing += self._mending.damage.dropped
        stats.cut += self._unwrapper.cut
        stats.warnings.extend(f"{stats.name}: {damage}" for damage in self._mending.damage.all())

    @property
    def tells_log(self) -> bool:
        """Whether what was taken off the lines may say which log each is of."""
        return self._unwrapper.tells_log

    def log_of(self, line: bytes) -> bytes:
        """The name of the log that a line is of, as it stood; empty where it does not tell."""
        return self._unwrapper.log_of(line)

    def lead_of(self, line: bytes) -> bytes | None:
        """What all lines of the same log as this begin with; None where that is not to be told."""
        return self._unwrapper.lead_of(line)

    def _unwrapped(self, units: Iterator[Batch]) -> Iterator[Batch]:
        stats, unwrapper = self._stats, self._unwrapper
        for batch in unwrapper.batches(self._counted(units)):
            stats.framing += unwrapper.framing
            unwrapper.framing = 0
            self._tell()
            if batch.lines:
                yield batch

    def _counted(self, units: Iterator[Batch]) -> Iterator[Batch]:
        for batch in units:
            self._stats.lines += len(batch.lines) + batch.framing
            self._stats.framing += batch.framing
            self._stats.cut += batch.cut
            yield batch

    def _tell(self) -> None:
        """Say what was seen around the lines by now."""
        stats, unwrapper = self._stats, self._unwrapper
        outer = (self._export,) if self._export else ()
        chains = unwrapper.chains
        stats.wrappers = outer + (chains[0].names if chains else ())
        stats.also = tuple(" in ".join(reversed(outer + chain.names)) for chain in chains[1:])
        if chains and unwrapper.seen_plain:
            stats.also += (" in ".join(outer) or "plain",)
        self._mending.stripped = unwrapper.stripped
        stamp = unwrapper.stamp or (self._entries.stamp if self._entries is not None else None)
        if stats.stamp is None and stamp is not None:
            stats.stamp = stamp.decode("ascii", "replace")
