"""What is mended in a log before it is read.

Stream repairs look at the first lines and then hold for all of a stream, in `klogreplay.intake.lines`. Line repairs are
for single lines; `klogreplay.klog.assembler` asks for them where a line begins no record and goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from klogreplay.intake.batch import Batch
from klogreplay.intake.repairs import (
    copied_blocks,
    doubled,
    elision,
    errors_again,
    errors_first,
    fixed_width,
    headers,
    lost_tabs,
    newest_first,
    torn,
)
from klogreplay.intake.repairs.damage import Damage, DamageLog, Mending
from klogreplay.intake.repairs.headers import Known, Mended

StreamRepair = Callable[[Iterator[Batch], Mending], Iterator[Batch]]

STREAM_REPAIRS: tuple[StreamRepair, ...] = (
    newest_first.repair,
    fixed_width.repair,
    lost_tabs.repair,
    doubled.repair,
    errors_first.repair,
    copied_blocks.repair,
    errors_again.repair,
)
"""In the order in which they are applied."""

__all__ = [
    "STREAM_REPAIRS",
    "Damage",
    "DamageLog",
    "Known",
    "Mended",
    "Mending",
    "StreamRepair",
    "elision",
    "mend",
    "repaired",
    "torn",
]


def repaired(batches: Iterator[Batch], mending: Mending) -> Iterator[Batch]:
    """The batches after all repairs of streams."""
    for repair in STREAM_REPAIRS:
        batches = repair(batches, mending)
    return batches


def mend(line: str, known: Known) -> Mended | None:
    """A line that begins no record, as it has to be read; None where nothing is wrong with it that could be mended."""
    return headers.mend(line, known) or elision.mend(line)
