"""From lines to records: every record of a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from klogreplay.intake.line import LogLine
from klogreplay.klog.assembler import Assembler, OnCreated
from klogreplay.klog.counts import Counts
from klogreplay.klog.dialects import Engine
from klogreplay.klog.record import KlogRecord


def read_records(
    lines: Iterable[LogLine],
    counts: Counts | None = None,
    on_created: OnCreated | None = None,
    *,
    engine: Engine = "fast",
    keep_plain: bool = False,
) -> Iterator[KlogRecord]:
    """The records of a log, in order; memory is that of one record.

    Each physical line becomes part of one record or is counted as framing or unknown, in `counts`. `engine`="lark"
    reads every line with the grammar, "fast" gives the same in less time. `keep_plain`: a line of text without a header
    that continues no record (`--skip_headers`) is a record, too; it stays counted as unknown.
    """
    assembler = Assembler(engine, Counts() if counts is None else counts, on_created, keep_plain=keep_plain)
    for line in lines:
        record = assembler.feed(line)
        if record is not None:
            yield record
    record = assembler.finish()
    if record is not None:
        yield record
