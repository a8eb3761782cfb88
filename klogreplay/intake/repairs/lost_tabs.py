"""Blocks whose lines lost the tab in front, as tools that strip blanks print them (kubetail, logcli): it is put back.

A block begins behind `=<` and ends with a line ` >`, of which `>` is left. Only where that end comes, before any other
record, is it known to be one.
"""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.intake.batch import Batch, Mark
from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs.damage import DamageLog, Mending

PUT_BACK = "blocks of values got back the tabs that were stripped off"

_MOST_LINES = 10_000


def repair(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches, with tabs in front of the lines of blocks that have none."""
    block = _Block(mending.damage)
    for batch in batches:
        if block.open or (mending.stripped and any(line.endswith((b"=<", b"=<\r")) for line in batch.lines)):
            yield block.batch(batch)
        else:
            yield batch
    if block.open:
        yield block.rest()


class _Block:
    """Holds the lines of a block until its end is seen."""

    def __init__(self, damage: DamageLog) -> None:
        self._damage = damage
        self._held: list[tuple[bytes, Mark, bytes]] = []
        self.open = False

    def batch(self, batch: Batch) -> Batch:
        out = Batch.like(batch)
        for line, mark, raw in zip(batch.lines, batch.places(), batch.raw or batch.lines, strict=True):
            ends = line.startswith(b">") and line[1:2] in (b"", b" ", b"\r")
            if self.open and ends:
                self._close(out, mended=True)
                out.add(b" " + line, mark, raw)
            elif self.open and (
                line.startswith((b"\t", b" >")) or look(line) is Look.RECORD or len(self._held) >= _MOST_LINES
            ):
                self._close(out, mended=False)
                out.add(line, mark, raw)
            elif self.open:
                self._held.append((line, mark, raw))
                continue
            else:
                out.add(line, mark, raw)
            self.open = line.removesuffix(b"\r").endswith(b"=<")
        return out

    def rest(self) -> Batch:
        out = Batch([], 1, 0, [], raw=[])
        self._close(out, mended=False)
        return out

    def _close(self, out: Batch, *, mended: bool) -> None:
        if mended and self._held:
            self._damage.note(PUT_BACK, self._held[0][1].number)
        for line, mark, raw in self._held:
            out.add(b"\t" + line if mended else line, mark, raw)
        self._held = []
        self.open = False
