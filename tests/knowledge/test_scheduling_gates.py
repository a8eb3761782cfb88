"""Scheduling gates of pods by name, and who puts them there."""

from __future__ import annotations

import pytest

from klogreplay.knowledge import gate_owner, gates_in
from klogreplay.knowledge.scheduling_gates import MOST


@pytest.mark.parametrize(
    ("status", "gates"),
    [
        ("waiting for scheduling gates: [example.com/quota]", ("example.com/quota",)),
        ("&{code:3 reasons:[waiting for scheduling gates: [a.io/x b.io/y]] err:<nil>}", ("a.io/x", "b.io/y")),
        ("{}", ()),
        ("waiting for scheduling gates: []", ()),
        ("waiting for scheduling gates: [a.io/x", ()),
    ],
)
def test_the_gates_that_a_status_names(status: str, gates: tuple[str, ...]) -> None:
    assert gates_in(status) == gates


def test_any_number_of_them_is_bounded() -> None:
    assert len(gates_in(f"waiting for scheduling gates: [{'a ' * 1000}]")) == MOST


def test_who_puts_them_there() -> None:
    assert gate_owner("kueue.x-k8s.io/admission") == "Kueue, until it admits the pod's workload"
    assert gate_owner("example.com/quota") is None
