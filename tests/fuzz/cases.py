"""The strategies: inputs of every kind, cheap to draw and shrunk by their parts (a mutation, a line, a log)."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.fuzz import containers, seeds, shapes
from tests.fuzz.mutations import MUTATIONS, TOKENS, applied

SCHEDULER = b'I0831 20:03:46.100000       1 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"\n'
"""A line that makes an input a scheduler's log: without one most of what is fuzzed would be refused at once."""

_randoms = st.integers(0, (1 << 32) - 1).map(Random)
_starts = st.sampled_from([SCHEDULER, SCHEDULER, SCHEDULER, b""])
_pieces = _randoms.map(seeds.piece)


def _mutated(most: int) -> st.SearchStrategy[list[tuple[int, Random]]]:
    return st.lists(st.tuples(st.integers(0, len(MUTATIONS) - 1), _randoms), max_size=most)


raw = st.builds(bytes.__add__, _starts, st.binary(max_size=300))
"""Any bytes."""

tokens = st.builds(bytes.__add__, _starts, st.lists(st.sampled_from(TOKENS), max_size=12).map(b"".join))
"""Short texts that mean something to some reader, in any order."""

lines = st.builds(
    lambda start, made, changes: applied(changes, start + b"\n".join(made)),
    _starts, st.lists(_randoms.map(shapes.line), min_size=1, max_size=6), _mutated(2),
)  # fmt: skip
"""Lines as the grammars have them, with hostile texts in every place."""

mutated = st.builds(
    lambda start, log, changes: applied(changes, start + log), _starts, _pieces, _mutated(6).filter(bool)
)
"""True logs, changed."""

packed = st.builds(
    lambda logs, rnd: containers.damaged(rnd, [SCHEDULER + log for log in logs]),
    st.lists(_pieces, min_size=1, max_size=3), _randoms,
)  # fmt: skip
"""Containers, damaged."""
