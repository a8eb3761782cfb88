"""Coverage-guided fuzzing of intake: `pip install -e '.[fuzz]'`, then `python -m tests.fuzz.atheris_intake [CORPUS]`.

Takes libFuzzer's options, such as -max_total_time=300 (seconds). What fails is written to the working directory; put it
into fixtures/fuzz, where test_found.py takes it again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import mkdtemp

import atheris

with atheris.instrument_imports(include=["klogreplay"]):
    from klogreplay.intake import IntakeError, Limits, open_source

from tests.fuzz.seeds import write_corpus

PATH = Path(mkdtemp()) / "scheduler.log"
LIMITS = Limits(line_bytes=300, reorder_bytes=2_000, ratio_from_bytes=1 << 22)
"""Small ones, so that they are met."""


def one_input(data: bytes) -> None:
    """Every line is given or counted; nothing but the documented errors is raised."""
    PATH.write_bytes(data)
    try:
        with open_source(str(PATH), LIMITS) as source:
            given = sum(line.physical for line in source)
    except IntakeError:
        return
    inputs = source.inputs
    if len(inputs) == 1:
        assert given + inputs[0].framing == inputs[0].lines, (given, inputs)


if __name__ == "__main__":
    has_corpus = any(not argument.startswith("-") for argument in sys.argv[1:])
    atheris.Setup(sys.argv if has_corpus else [*sys.argv, write_corpus(mkdtemp())], one_input)
    atheris.Fuzz()
