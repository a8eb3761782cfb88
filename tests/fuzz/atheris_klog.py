"""Coverage-guided fuzzing of klog and events; run it like atheris_intake.

Both engines have to say the same of every record, so what is fuzzed is the grammar as well as the code beside it.
"""

from __future__ import annotations

import sys
from tempfile import mkdtemp

import atheris

with atheris.instrument_imports(include=["klogreplay"]):
    from klogreplay.events.extract import classify, extract
    from klogreplay.events.jsonlines import json_line
    from klogreplay.intake.line import LogLine
    from klogreplay.klog.clock import Clock
    from klogreplay.klog.counts import Counts
    from klogreplay.klog.dialects import Engine
    from klogreplay.klog.jsonlines import json_line as record_line
    from klogreplay.klog.reader import read_records
    from klogreplay.klog.record import Header, KlogRecord

from tests.fuzz.seeds import write_corpus


def records(data: bytes, engine: Engine) -> list[KlogRecord]:
    """The records of the text, all of whose lines have to be counted."""
    lines = [
        LogLine(line.decode("utf-8", "surrogateescape"), number) for number, line in enumerate(data.split(b"\n"), 1)
    ]
    counts = Counts()
    found = list(read_records(lines, counts, engine=engine))
    assert counts.records + counts.framing + counts.unknown == counts.total == len(lines)
    return found


def one_input(data: bytes) -> None:
    """Nothing is raised, and the engines agree."""
    found = records(data, "fast")
    assert found == records(data, "lark")
    clock = Clock()

    def micros(header: Header) -> int:
        try:
            return clock.micros(header)
        except ValueError:
            return 0

    for record in found:
        record_line(record)
        event = extract(record, micros)
        assert (event is not None) == (classify(record) == "understood")
        if event is not None:
            json_line(event, clock.text(event.t))


if __name__ == "__main__":
    has_corpus = any(not argument.startswith("-") for argument in sys.argv[1:])
    atheris.Setup(sys.argv if has_corpus else [*sys.argv, write_corpus(mkdtemp())], one_input)
    atheris.Fuzz()
